"""Ranked plans as text: a table, the reasons, near misses, assumptions."""

from __future__ import annotations

from tools.results import Plan, PlanResult
from tools.units import decimal_text, gib, gib_text, hours_text, money_text
from ui.text_common import closing, gib_range, hours_range, number_range
from ui.text_table import items, section, table

HEADERS = ["#", "for", "accelerators", "memory", "hours", "cost", "provider", "region", "instance", "term", "USD/h", "price of"]


def plans_text(result: PlanResult) -> list[str]:
    """Lines of the whole result."""
    count = len(result.plans)
    head = f"{result.model}: {count} {'way' if count == 1 else 'ways'} to run it, best first ({result.considered:,} offers looked at)"
    if not result.plans:
        head = f"{result.model}: no offer runs it as asked ({result.considered:,} offers looked at)"
    why = [f"{number}. {entry}" for number, plan in enumerate(result.plans, start=1) for entry in reasons(plan)]
    near = [
        f"{miss.accelerator_count} x {miss.accelerator}: {miss.missing}{f'; possible with {miss.remedy}' if miss.remedy else ''}"
        for miss in result.near_misses
    ]
    return [
        head,
        "",
        *(
            table(HEADERS, [row(number, plan) for number, plan in enumerate(result.plans, start=1)], right=(0, 4, 5, 10))
            if result.plans
            else []
        ),
        *section("Why", why),
        *section("Ranges, per card and for the run", ranges(result.plans)),
        *section("Cost of the finished run, VAT not included", costs(result.plans)),
        *section("Near misses", items(near)),
        *closing(result.assumptions, result.citations, result.warnings),
    ]


def row(number: int, plan: Plan) -> list[str]:
    """A line of the table."""
    nodes = f" on {plan.nodes} nodes" if plan.nodes > 1 else ""
    region = (
        plan.offer.region
        if plan.offer.country == "unknown" or plan.offer.country in plan.offer.region
        else f"{plan.offer.region} ({plan.offer.country})"
    )
    return [
        str(number),
        plan.label or "",
        f"{plan.accelerator_count} x {plan.accelerator}{nodes}",
        f"{decimal_text(gib(plan.memory.expected), 1)} of {gib_text(plan.usable_bytes)}{' tight' if plan.tight else ''}",
        hours_text(plan.hours.expected) if plan.hours else "",
        money_text(plan.cost.total.expected, plan.cost.currency) if plan.cost else "",
        plan.offer.provider_name,
        region,
        plan.offer.instance,
        plan.offer.pricing_term.value.replace("_", "-"),
        decimal_text(plan.offer.usd_per_hour, 2),
        f"{plan.offer.as_of.isoformat()}{' (old)' if plan.offer.stale else ''}",
    ]


def ranges(plans: list[Plan]) -> list[str]:
    """What the table shows as one figure, with its range, and how the job is laid out."""
    rows = [
        [
            str(number),
            gib_range(plan.memory),
            hours_range(plan.hours) if plan.hours else "",
            plan.sharding.value,
            plan.interconnect.value.replace("_", " "),
            f"{plan.micro_batch_size} x {plan.gradient_accumulation_steps}",
            plan.offer.availability.value,
        ]
        for number, plan in enumerate(plans, start=1)
    ]
    return (
        table(["#", "memory per card", "run", "sharding", "link", "micro-batch x steps", "availability"], rows, right=(0,)) if rows else []
    )


def reasons(plan: Plan) -> list[str]:
    """Why it is listed, and what to know before paying."""
    return [text for text in (plan.why, *plan.warnings) if text]


def costs(plans: list[Plan]) -> list[str]:
    """Parts of the cost, one line a plan."""
    priced = [(number, plan.cost) for number, plan in enumerate(plans, start=1) if plan.cost]
    if not priced:
        return []
    rows = [
        [
            str(number),
            f"{number_range(cost.total, 2)} {cost.currency}",
            *(decimal_text(part, 2) for part in (cost.compute, cost.setup, cost.storage, cost.egress, cost.interruptions)),
            ", ".join(cost.unknown),
        ]
        for number, cost in priced
    ]
    return table(["#", "total", "compute", "set-up", "storage", "egress", "interruptions", "price unknown"], rows, right=(0, 2, 3, 4, 5, 6))
