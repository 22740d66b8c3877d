"""Ranked ways to run a job: by what the finished run costs, not by what an hour costs."""

from __future__ import annotations

from collections.abc import Sequence

from tools.accelerator import Accelerator
from tools.arguments import PlanArguments
from tools.context import Context
from tools.cost.currency import Currency
from tools.cost.run_cost import DearestPrices
from tools.errors import NoPlanFound
from tools.plan.candidate import Candidate
from tools.plan.candidates import Found, Workshop
from tools.plan.evaluation import Evaluator
from tools.plan.market import Market, open_market
from tools.plan.near_misses import memory_misses, over_budget, over_deadline
from tools.plan.report import Outcome, report
from tools.plan.selection import choose
from tools.results import PlanResult
from tools.terms import PricingTerm
from tools.units import gib_text

PATIENCE_HOURS = 48.0
"""A run longer than this on one machine is also worked out on several."""
NODE_SIZES = (16, 8, 4)
"""Cards of the machines that are joined to a cluster."""
FEW_CARDS = 4
"""Where fewer kinds of card than this hold the job on one machine, several machines are worked out as well."""


def plans_for(ctx: Context, arguments: PlanArguments) -> PlanResult:
    """Plans that fit, under the caller's conditions, by expected cost of the finished run, VAT not included.

    Without a data set plans are ranked by the price of a million tokens. Plans beyond budget or deadline and cards that miss by little
    become near misses. Raises NoPlanFound where a condition leaves no offer, or where nothing comes near; UnknownName, InvalidJob
    and MissingFact as the job's own arguments do.
    """
    currency = Currency.of(ctx.catalog, arguments.currency)
    cards = _cards(ctx, arguments)
    market = open_market(ctx, arguments, cards)
    evaluator = Evaluator(ctx, arguments)
    by_id = {card.id: card for card in ctx.catalog.accelerators()}
    workshop = Workshop(arguments, evaluator, currency, DearestPrices.of(ctx.catalog.providers()), by_id)
    found = _search(workshop, market, arguments)
    candidates = _keeping_the_batch(found.fitting, arguments)
    in_time, late = over_deadline(candidates, arguments.deadline)
    affordable, dear = over_budget(in_time, arguments, currency)
    chosen = choose(affordable, arguments.limit, spot_asked=arguments.pricing_term is PricingTerm.SPOT)
    misses = late + dear + memory_misses(found.short, found.fitting, evaluator, named=arguments.accelerator is not None)
    if not chosen and not misses:
        raise _nothing(found, arguments)
    return report(ctx, arguments, Outcome(chosen, misses, market, currency, found))


def _cards(ctx: Context, arguments: PlanArguments) -> Sequence[Accelerator]:
    if arguments.accelerator:
        return ctx.catalog.accelerator_candidates(arguments.accelerator)
    return ctx.catalog.accelerators()


def _search(workshop: Workshop, market: Market, arguments: PlanArguments) -> Found:
    """One machine first; several only where asked for, where few machines hold the job with room, or where it takes too long."""
    if arguments.nodes is not None:
        return workshop.search(market.shelves, [arguments.nodes])
    found = workshop.search(market.shelves, [1])
    limit = arguments.deadline if arguments.deadline is not None else PATIENCE_HOURS
    slow = all(c.hours is not None and c.wall_hours.expected > limit for c in found.fitting)
    roomy = {c.machines.card_id for c in found.fitting if not c.fitted.risky}
    scarce = len(roomy) < FEW_CARDS and arguments.accelerator is None
    if (slow or scarce) and arguments.max_nodes > 1:
        more = workshop.search(market.shelves, _node_counts(arguments))
        found = Found(found.fitting + more.fitting, found.short + more.short, found.refused | more.refused)
    return found


def _node_counts(arguments: PlanArguments) -> list[int]:
    """Numbers of nodes to work out: doublings up to the most allowed, or those over which a stated number of cards divides."""
    wanted, most = arguments.accelerator_count, arguments.max_nodes
    if wanted is not None:
        if "max_nodes" not in arguments.model_fields_set:
            most = wanted
        return sorted({wanted // size for size in NODE_SIZES if wanted % size == 0 and 1 < wanted // size <= most})
    return sorted({n for n in (2, 4, 8, 16, 32, 64) if n < most} | {most})


def _keeping_the_batch(candidates: list[Candidate], arguments: PlanArguments) -> list[Candidate]:
    """Without those that need more replicas than the global batch has samples, unless there are only such or the count was stated."""
    if arguments.accelerator_count is not None:
        return candidates
    kept = [c for c in candidates if c.fitted.replicas <= max(1, c.fitted.wanted_batch)]
    return kept or candidates


def _nothing(found: Found, arguments: PlanArguments) -> NoPlanFound:
    if found.short:
        machines, fitted = min(found.short, key=lambda pair: pair[1].missing_bytes / pair[1].usable_bytes)
        return NoPlanFound(
            f"The job fits nowhere: the nearest, {machines.count}x {machines.card.id}, needs {gib_text(fitted.memory.device.expected)} "
            f"per card and has {gib_text(fitted.usable_bytes)}.",
            "Allow more nodes (max_nodes), a shorter context, QLoRA or an 8-bit optimizer, or lift the conditions on cards and region.",
        )
    if found.refused:
        card, reason = next(iter(found.refused.items()))
        return NoPlanFound(f"No card on offer can run the job; {card}: {reason}", "Change the precision or lift the conditions on cards.")
    count = f"{arguments.accelerator_count} cards" + (f" on {arguments.nodes} nodes" if arguments.nodes else "")
    return NoPlanFound(f"No machine on offer comes with {count}.", "Change accelerator_count or nodes, or leave them out.")
