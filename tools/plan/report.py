"""The result of planning: plans, near misses, and what is said once for the whole list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tools.arguments import PlanArguments
from tools.context import Context
from tools.cost.currency import Currency
from tools.cost.interruptions import spot_rate
from tools.duration.estimate import duration_of
from tools.estimate import Assumption, Citation
from tools.job import JobArguments
from tools.memory.estimate import memory_of
from tools.plan.candidate import Candidate
from tools.plan.candidates import YARDSTICK_TOKENS, Found
from tools.plan.evaluation import Fitted
from tools.plan.freight import plan_arguments_of
from tools.plan.market import OWN, Market
from tools.plan.selection import DRIFT, OVERSIZED_BELOW, Chosen, alike
from tools.plan.show import price_citation, shown
from tools.results import NearMiss, Plan, PlanResult
from tools.units import count_text

CHOSEN_BY_PLAN = frozenset(
    {
        "accelerator",
        "accelerator_count",
        "nodes",
        "sharding",
        "interconnect",
        "network",
        "network_gbps",
        "micro_batch_size",
        "gradient_accumulation_steps",
        "activation_checkpointing",
    }
)
"""Arguments each plan decides for itself, so that the list of assumptions leaves them to the plans."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What planning came to."""

    chosen: Sequence[Chosen]
    misses: list[NearMiss]
    market: Market
    currency: Currency
    found: Found

    @property
    def candidates(self) -> list[Candidate]:
        """Those shown, in order."""
        return [item.candidate for item in self.chosen]


def report(ctx: Context, arguments: PlanArguments, outcome: Outcome) -> PlanResult:
    """The contract's `PlanResult`; full memory and duration are those of the first plan."""
    candidates = outcome.candidates
    interrupted = any(candidate.spot for candidate in candidates)
    steady = min((c for c in candidates if interrupted and not c.spot and not c.priced.old), key=lambda c: c.price, default=None)
    nearest = _nearest(outcome)
    job = nearest.job
    plans = [shown(arguments, item, lowest_steady=item.candidate is steady, first=place == 0) for place, item in enumerate(outcome.chosen)]
    first = _first(arguments, plans[0], candidates[0]) if plans else None
    dates = [candidate.priced.offer.as_of for candidate in candidates]
    return PlanResult(
        model=job.architecture.id,
        plans=plans,
        near_misses=outcome.misses,
        memory=memory_of(ctx, first) if first else None,
        duration=duration_of(ctx, first) if first else None,
        considered=outcome.market.considered,
        oldest_price=min(dates, default=None),
        newest_price=max(dates, default=None),
        assumptions=[a for a in job.assumptions if a.name not in CHOSEN_BY_PLAN or not candidates]
        + _batch(nearest.wanted_batch, arguments)
        + _form(ctx, arguments),
        citations=_citations(outcome),
        warnings=_warnings(outcome),
    )


def _first(arguments: PlanArguments, plan: Plan, candidate: Candidate) -> JobArguments:
    """The first plan as a job, with the tokens of its data where they followed from the number of images or clips."""
    job = plan_arguments_of(arguments, plan)
    if candidate.hours is None or candidate.fitted.asked.dataset_tokens is not None:
        return job
    tokens = candidate.hours.expected * 3600 * candidate.tokens_per_second / candidate.fitted.asked.epochs
    return job.model_copy(update={"dataset_tokens": max(1, round(tokens))})


def _nearest(outcome: Outcome) -> Fitted:
    """What the first plan runs, or what came nearest; an outcome holds one of the two."""
    if outcome.chosen:
        return outcome.candidates[0].fitted
    return next(iter([*(candidate.fitted for candidate in outcome.found.fitting), *(fitted for _, fitted in outcome.found.short)]))


def _form(ctx: Context, arguments: PlanArguments) -> list[Assumption]:
    """Which form of a card a price of the caller's own was taken for, where the name leaves it open."""
    if arguments.usd_per_hour is None or arguments.accelerator is None:
        return []
    forms = ctx.catalog.accelerator_candidates(arguments.accelerator)
    if len(forms) == 1:
        return []
    reason = f"the name also means {', '.join(form.id for form in forms[1:])}"
    return [Assumption(name="accelerator", value=forms[0].id, reason=reason, decisive=True)]


def _batch(wanted: int, arguments: PlanArguments) -> list[Assumption]:
    """The global batch all plans keep, where nobody stated one."""
    stated = arguments.global_batch_size or arguments.micro_batch_size or arguments.gradient_accumulation_steps
    if stated:
        return []
    reason = "kept by every plan through gradient accumulation, so that plans train alike"
    return [Assumption(name="global_batch_size", value=wanted, reason=reason)]


def _citations(outcome: Outcome) -> list[Citation]:
    sold = [candidate for candidate in outcome.candidates if candidate.priced.offer.provider != OWN]
    found = {cited.id: cited for cited in map(price_citation, sold)}
    rate = outcome.currency.rate
    if rate is not None:
        title = f"Exchange rate {rate.currency}"
        found["rate"] = Citation(id=f"rate:{rate.currency}", title=title, source=rate.source, as_of=rate.as_of.isoformat())
    return list(found.values())


def _warnings(outcome: Outcome) -> list[str]:
    """Given once for the list."""
    found: list[str] = []
    candidates, market = outcome.candidates, outcome.market
    if candidates:
        dates = sorted(candidate.priced.offer.as_of for candidate in candidates)
        if any(candidate.priced.stale for candidate in candidates):
            found.append(
                f"Prices are a snapshot, read from {dates[0].isoformat()} to {dates[-1].isoformat()}. "
                "No source states whether a machine can be had now."
            )
        if candidates[0].cost is None:
            found.append(
                "Without the size of the data set no cost of the run can be told; state dataset_tokens, or dataset_examples (of text with "
                f"tokens_per_example). Until then plans are ranked as for a run of {count_text(YARDSTICK_TOKENS)} tokens."
            )
        else:
            found.append("Prices exclude VAT.")
            unknown = sorted({part.replace("_", " ") for c in candidates if c.cost for part in c.cost.unknown})
            if unknown:
                found.append(
                    f"For some of these providers no source states: {', '.join(unknown)}. The upper end of their cost allows for it."
                )
        spot = next((candidate for candidate in candidates if candidate.spot), None)
        if spot is not None:
            mean = spot_rate(spot.priced.provider).expected_hours
            found.append(
                "Spot plans hold only if the run resumes from checkpoints kept off the machine, optimizer state included; they price one "
                f"interruption in {mean:.0f} machine-hours, a planning assumption, since no provider publishes its rate."
            )
        found += _undecided(candidates) + _older_wins(outcome)
    if outcome.currency.note:
        found.append(outcome.currency.note)
    if market.unplaced:
        found.append(f"{market.unplaced} further kinds of machine are left out: no source states where they stand.")
    if market.unpriced:
        found.append(f"{market.unpriced} offers are priced in an unknown currency and not ranked.")
    return found


def _undecided(candidates: Sequence[Candidate]) -> list[str]:
    """Which plans the order does not really separate: those as cheap as prices drift, and those whose ranges overlap the first one's."""
    steady = [candidate for candidate in candidates[1:] if not candidate.spot]
    same = sum(1 for candidate in steady if alike(candidates[0], candidate))
    top = candidates[0].cost
    within = 0
    if top is not None:
        within = sum(1 for each in steady if not alike(candidates[0], each) and each.cost and each.cost.total.low < top.total.high)
    found = []
    if same:
        found.append(f"{same} of the other plans cost the same or differ by less than {DRIFT:.0%}, as prices drift; take them as equal.")
    if within:
        found.append(f"{within} more have ranges that overlap the first one's: likely dearer, not surely.")
    return found


def _older_wins(outcome: Outcome) -> list[str]:
    """Where the newest cards on sale would stand mostly empty and an older one with enough memory does the run for less, says so."""
    if not outcome.chosen:
        return []
    first = outcome.candidates[0]
    year = first.machines.card.release_year
    newer = [
        candidate
        for candidate in outcome.found.fitting
        if not candidate.spot
        and candidate.machines.count == first.machines.count
        and candidate.fitted.share < OVERSIZED_BELOW
        and year is not None
        and (candidate.machines.card.release_year or 0) > year
        and not alike(first, candidate)
    ]
    if first.spot or not newer:
        return []
    top = max(newer, key=lambda candidate: candidate.tokens_per_second)
    times, share = top.price / first.price, top.fitted.share
    return [
        f"{top.machines.card.id} is larger than this job needs (it would fill {share:.0%} of its memory) and makes the run "
        f"{times:.1f} times as dear as {first.machines.card.id}, which has enough."
    ]
