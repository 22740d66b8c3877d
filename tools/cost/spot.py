"""Spot against on demand: how often to save, what interruptions take, and whether a deadline holds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

from tools.arguments import PlanArguments, SpotArguments
from tools.context import Context
from tools.cost.currency import Currency
from tools.cost.interruptions import (
    InterruptionRate,
    best_interval_hours,
    expected_hours,
    expected_hours_without_saves,
    expected_interruptions,
    spot_rate,
    stated_rate,
)
from tools.cost.simulation import InterruptedRun, chance_within, percentile, simulate
from tools.cost.spot_result import SpotEconomics
from tools.cost.work import Freight
from tools.errors import MissingFact, NoPlanFound
from tools.estimate import Assumption, Citation, Estimate
from tools.plan.freight import plan_freight
from tools.plan.rank import plans_for
from tools.provider import Provider
from tools.results import Plan, PlanResult
from tools.terms import PricingTerm
from tools.units import GB, GIB

SIMULATED_RUNS = 2000
FEWEST_SIMULATED_RUNS = 200
MOST_SIMULATED_STOPS = 50_000
"""Interruptions played through in all, so that a hopeless run is answered as fast as a good one."""
NEVER_HOURS = 1e5
"""Expected wall time beyond which a run is told as practically never finishing."""
SURE = 0.9
"""A deadline holds where this share of simulated runs meets it."""
PLAIN_WRITE_HOURS = 1 / 60
"""Write time of a checkpoint of unknown size; planning assumption."""
PLAIN_RESTART_HOURS = 0.25
"""Restart where no job tells how long set-up takes; planning assumption."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What the figures rest on, from the arguments and, where a job was described, from its plans."""

    work: Estimate[float]
    freight: Freight | None
    machines: int
    provider: Provider | None
    spot_usd: Decimal | None
    on_demand_usd: Decimal | None
    plan: Plan | None
    result: PlanResult | None


def spot_against_on_demand(ctx: Context, arguments: SpotArguments) -> SpotEconomics:
    """Checkpoint interval, expected loss, time and cost on spot, and the chance to meet a deadline.

    Needs hours, or a job from which they follow. Raises MissingFact where neither is there, NoPlanFound where the job fits nowhere.
    """
    currency = Currency.of(ctx.catalog, arguments.currency)
    basis = _basis(ctx, arguments)
    rate = _rate(arguments, basis)
    mean = rate.expected_hours
    write = _hours(arguments.checkpoint_write_minutes, basis.freight.write_hours.expected if basis.freight else PLAIN_WRITE_HOURS)
    write = max(write, 1 / 3600)
    restart = _hours(arguments.restart_minutes, basis.freight.setup_hours.expected if basis.freight else PLAIN_RESTART_HOURS)
    work = basis.work.expected
    best = min(work, best_interval_hours(write, mean))
    interval = min(work, _hours(arguments.checkpoint_interval_minutes, best)) if arguments.resume else work
    saved_write = write if arguments.resume else 0.0
    wall = expected_hours(work, interval, saved_write, restart, mean)
    times = _simulated(InterruptedRun(work, interval, saved_write, restart, mean), wall)
    lone = expected_hours_without_saves(work, restart, mean)
    low, high = percentile(times, 0.1), percentile(times, 0.9)
    spread = _finite(Estimate[float](low=min(low, wall), expected=wall, high=max(high, wall)))
    chance = chance_within(times, arguments.deadline) if arguments.deadline is not None else None
    spot_cost, steady_cost = _costs(basis, spread, work, currency)
    saving = round(steady_cost - spot_cost.expected, 2) if spot_cost and steady_cost is not None else None
    notice = basis.provider.interruption_notice_seconds if basis.provider else None
    return SpotEconomics(
        work_hours=basis.work,
        interruptions_per_day=Estimate[float](low=24 / rate.rare_hours, expected=24 / mean, high=24 / rate.frequent_hours),
        rate_basis=rate.basis,
        checkpoint_gib=round(basis.freight.checkpoint_gb * GB / GIB, 2) if basis.freight else None,
        write_minutes=round(write * 60, 2),
        best_interval_minutes=round(best * 60, 1),
        interval_minutes=round(interval * 60, 1),
        restart_minutes=round(restart * 60, 1),
        loss_minutes_per_interruption=round((interval / 2 + restart) * 60, 1),
        expected_interruptions=round(expected_interruptions(spread.expected, mean), 2),
        spot_hours=spread,
        on_demand_hours=work,
        hours_without_resume=round(lone, 1) if lone < NEVER_HOURS else None,
        notice_seconds=notice,
        notice_covers_write=None if notice is None else notice >= write * 3600,
        deadline_hours=arguments.deadline,
        chance_to_meet_deadline=chance,
        currency=currency.code,
        spot_cost=spot_cost,
        on_demand_cost=steady_cost,
        saving=saving,
        break_even_share=round(work / spread.expected, 3),
        recommended=None if saving is None else arguments.resume and saving > 0 and (chance is None or chance >= SURE),
        plan=basis.plan,
        assumptions=_assumptions(arguments, basis, rate, interval),
        citations=_citations(basis),
        warnings=_warnings(arguments, lone, write, notice, currency),
    )


def _basis(ctx: Context, arguments: SpotArguments) -> Basis:
    spot_usd, steady_usd = arguments.spot_usd_per_hour, arguments.on_demand_usd_per_hour
    provider = ctx.catalog.provider(arguments.provider) if arguments.provider else None
    described = arguments.model or arguments.model_config_object or arguments.parameters_billion
    if not described:
        if arguments.hours is None:
            raise MissingFact("hours", "Neither hours nor a job were given.", "State hours of work, or the model, method and data set.")
        work = Estimate[float](low=arguments.hours, expected=arguments.hours, high=arguments.hours)
        return Basis(work, None, arguments.nodes or 1, provider, spot_usd, steady_usd, None, None)
    shared = arguments.model_copy(update={"deadline": None, "budget": None, "usd_per_hour": None})
    result = plans_for(ctx, shared.model_copy(update={"pricing_term": PricingTerm.SPOT}))
    if not result.plans:
        raise NoPlanFound("No spot offer runs this job.", "Plan it on demand with plan_job, or lift the conditions.")
    plan = result.plans[0]
    hours = plan.hours
    if arguments.hours is not None:
        hours = Estimate[float](low=arguments.hours, expected=arguments.hours, high=arguments.hours)
    if hours is None:
        raise MissingFact("dataset_tokens", "The hours of the run do not follow without its data.", "State dataset_tokens, or hours.")
    if steady_usd is None:
        steady_usd = _on_demand(ctx, shared, plan)
    provider = provider or next((p for p in ctx.catalog.providers() if p.id == plan.offer.provider), None)
    freight = plan_freight(ctx, shared, plan)
    return Basis(hours, freight, plan.nodes, provider, spot_usd or plan.offer.usd_per_hour, steady_usd, plan, result)


def _on_demand(ctx: Context, shared: PlanArguments, plan: Plan) -> Decimal | None:
    """The on-demand price of the same machines: of the same provider where it sells them so, else the cheapest."""
    update = {
        "pricing_term": PricingTerm.ON_DEMAND,
        "accelerator": plan.accelerator,
        "accelerator_count": plan.accelerator_count,
        "nodes": plan.nodes,
    }
    for provider in (plan.offer.provider, None):
        try:
            found = plans_for(ctx, shared.model_copy(update=update | {"provider": provider}))
        except NoPlanFound:
            continue
        if found.plans:
            return found.plans[0].offer.usd_per_hour
    return None


def _rate(arguments: SpotArguments, basis: Basis) -> InterruptionRate:
    if arguments.interruptions_per_day:
        return stated_rate(arguments.interruptions_per_day)
    if arguments.interruptions:
        return stated_rate(arguments.interruptions * 24 / basis.work.expected)
    return spot_rate(basis.provider).over(basis.machines)


def _simulated(run: InterruptedRun, wall: float) -> list[float]:
    """Simulated wall hours; a run that hardly ever ends is not played through, and one with many interruptions less often."""
    if wall >= NEVER_HOURS:
        return [NEVER_HOURS]
    runs = round(MOST_SIMULATED_STOPS / max(1.0, expected_interruptions(wall, run.mean_hours)))
    return simulate(run, runs=max(FEWEST_SIMULATED_RUNS, min(SIMULATED_RUNS, runs)))


def _hours(minutes: float | None, otherwise: float) -> float:
    return otherwise if minutes is None else minutes / 60


def _finite(spread: Estimate[float]) -> Estimate[float]:
    """An expectation beyond all measure is told as the longest figure there is, since JSON holds no infinity."""
    return Estimate[float](**{level: min(NEVER_HOURS, value) for level, value in spread.model_dump().items()})


def _costs(basis: Basis, spread: Estimate[float], work: float, currency: Currency) -> tuple[Estimate[float] | None, float | None]:
    def at(usd: Decimal, hours: float) -> float:
        return round(float(currency.from_usd(usd * Decimal(repr(hours)))), 2)

    spot = basis.spot_usd
    spot_cost = None if spot is None else Estimate[float](**{level: at(spot, value) for level, value in spread.model_dump().items()})
    return spot_cost, None if basis.on_demand_usd is None else at(basis.on_demand_usd, work)


def _assumptions(arguments: SpotArguments, basis: Basis, rate: InterruptionRate, interval: float) -> list[Assumption]:
    found = []
    if not arguments.interruptions_per_day and not arguments.interruptions:
        found.append(Assumption(name="interruptions_per_day", value=round(24 / rate.expected_hours, 2), reason=rate.basis, decisive=True))
    if arguments.checkpoint_interval_minutes is None and arguments.resume:
        reason = "the interval with the least expected loss"
        found.append(Assumption(name="checkpoint_interval_minutes", value=round(interval * 60, 1), reason=reason))
    if arguments.restart_minutes is None:
        reason = (
            "boot, weights and load of this job, no wait for a machine" if basis.freight else "a usual boot and load, no wait for a machine"
        )
        value = basis.freight.setup_hours.expected if basis.freight else PLAIN_RESTART_HOURS
        found.append(Assumption(name="restart_minutes", value=round(value * 60, 1), reason=reason))
    return found + (basis.result.assumptions if basis.result else [])


def _citations(basis: Basis) -> list[Citation]:
    sources = [
        Citation(
            id="young-1974",
            title="Optimum checkpoint interval, first order",
            source="https://doi.org/10.1145/361147.361115",
            as_of="1974-09",
        ),
        Citation(
            id="daly-2006",
            title="Expected run time with checkpoints",
            source="https://doi.org/10.1016/j.future.2004.11.016",
            as_of="2006-02",
        ),
    ]
    return sources + (basis.result.citations[:1] if basis.result else [])


def _warnings(arguments: SpotArguments, lone: float, write: float, notice: int | None, currency: Currency) -> list[str]:
    found = []
    if not arguments.resume:
        told = "practically never finishes" if lone >= NEVER_HOURS or math.isinf(lone) else f"takes {lone:,.0f} h on average"
        found.append(
            f"Without resuming every interruption starts the run over: on spot it {told}. Take on-demand, or make it resume first."
        )
    if notice is not None and notice < write * 3600:
        found.append(f"The warning of {notice} s is shorter than writing a checkpoint; rely on the regular saves alone.")
    found.append(
        "Optimizer state and step counter must be saved off the machine, not the adapter alone. On-demand machines fail too, only seldom."
    )
    if currency.note:
        found.append(currency.note)
    return found
