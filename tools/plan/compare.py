"""Compare alternatives the caller names, by the finished run."""

from __future__ import annotations

from collections.abc import Sequence

from tools.arguments import Alternative, CompareArguments, PlanArguments
from tools.context import Context
from tools.errors import AdvisorError
from tools.plan.comparison import ComparedPlan, Comparison
from tools.plan.rank import plans_for
from tools.plan.selection import DRIFT
from tools.results import Plan, PlanResult

OVERRIDES = tuple(name for name in Alternative.model_fields if name != "name")


def compared(ctx: Context, arguments: CompareArguments) -> Comparison:
    """Each alternative's best plan and its ratio to the best; one that cannot run says why.

    Raises the first alternative's error where none can be worked out.
    """
    names = _names(arguments.alternatives)
    results: list[PlanResult | AdvisorError] = []
    for alternative in arguments.alternatives:
        try:
            results.append(plans_for(ctx, _one(arguments, alternative)))
        except AdvisorError as error:
            results.append(error)
    worked = [result for result in results if isinstance(result, PlanResult)]
    if not worked:
        raise next(result for result in results if isinstance(result, AdvisorError))
    plans = {name: result.plans[0] for name, result in zip(names, results, strict=True) if isinstance(result, PlanResult) and result.plans}
    cheapest = min(plans, key=lambda name: _price(plans[name]), default=None)
    fastest = min(plans, key=lambda name: _time(plans[name]), default=None)
    rows = [
        ComparedPlan(
            name=name,
            plan=plans.get(name),
            problem=_problem(result),
            cost_ratio=round(_price(plans[name]) / _price(plans[cheapest]), 2) if name in plans and cheapest else None,
            time_ratio=round(_time(plans[name]) / _time(plans[fastest]), 2) if name in plans and fastest else None,
        )
        for name, result in zip(names, results, strict=True)
    ]
    citations = {cited.id: cited for result in worked for cited in result.citations}
    return Comparison(
        model=worked[0].model,
        rows=rows,
        cheapest=cheapest,
        fastest=fastest,
        alike=_alike(list(plans.values())),
        assumptions=worked[0].assumptions,
        citations=list(citations.values()),
        warnings=list(dict.fromkeys(warning for result in worked for warning in result.warnings)),
    )


def _names(alternatives: Sequence[Alternative]) -> list[str]:
    """A name for each, made distinct by its place where two are alike."""
    names = []
    for place, alternative in enumerate(alternatives, 1):
        count = f"{alternative.accelerator_count}x " if alternative.accelerator_count else ""
        name = alternative.name or f"{count}{alternative.accelerator}"
        names.append(name if name not in names else f"{name} ({place})")
    return names


def _one(arguments: CompareArguments, alternative: Alternative) -> PlanArguments:
    own = {name: value for name in OVERRIDES if (value := getattr(alternative, name)) is not None}
    return arguments.model_copy(update=own | {"limit": 1})


def _price(plan: Plan) -> float:
    if plan.cost is not None:
        return plan.cost.total.expected
    return plan.usd_per_million_tokens or 0.0


def _time(plan: Plan) -> float:
    if plan.wall_hours is not None:
        return plan.wall_hours.expected
    return 1.0 / plan.tokens_per_second.expected if plan.tokens_per_second else 0.0


def _problem(result: PlanResult | AdvisorError) -> str:
    if isinstance(result, AdvisorError):
        return str(result)
    if result.plans:
        return ""
    miss = result.near_misses[0]
    return f"{miss.accelerator_count}x {miss.accelerator}: {miss.missing}" + (f"; {miss.remedy} would do" if miss.remedy else "")


def _alike(plans: Sequence[Plan]) -> bool:
    ordered = sorted(map(_price, plans))
    return len(ordered) > 1 and ordered[1] - ordered[0] <= DRIFT * ordered[0]
