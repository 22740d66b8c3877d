"""The caller's alternatives side by side."""

from __future__ import annotations

from tools.plan.comparison import ComparedPlan, Comparison
from tools.units import decimal_text, gib, gib_text, hours_text, money_text
from ui.text_common import closing, hours_range, number_range
from ui.text_table import items, section, table

HEADERS = [
    "alternative",
    "accelerators",
    "memory",
    "hours",
    "cost",
    "x cheapest",
    "x fastest",
    "provider",
    "region",
    "term",
    "USD/h",
    "price of",
]


def comparison_text(result: Comparison) -> list[str]:
    """Lines of the comparison."""
    able = [entry for entry in result.rows if entry.plan is not None]
    return [
        head(result),
        "",
        *(table(HEADERS, [row(entry) for entry in result.rows], right=(3, 4, 5, 6, 10)) if able else []),
        *section("Cannot run", items(f"{entry.name}: {entry.problem}" for entry in result.rows if entry.problem)),
        *section("Ranges of the run", ranges(able)),
        *section("What to know", items(f"{entry.name}: {warning}" for entry in able if entry.plan for warning in entry.plan.warnings)),
        *closing(result.assumptions, result.citations, result.warnings),
    ]


def head(result: Comparison) -> str:
    """Who is cheapest and who is fastest."""
    if result.cheapest is None and result.fastest is None:
        return f"{result.model or 'The job'}: none of the alternatives can be worked out"
    alike = " (the two cheapest differ by less than prices drift)" if result.alike else ""
    return f"{result.model}: cheapest {result.cheapest or 'unknown'}{alike}, fastest {result.fastest or 'unknown'}"


def row(entry: ComparedPlan) -> list[str]:
    """A line of the table; empty cells where an alternative cannot run."""
    plan = entry.plan
    if plan is None:
        return [entry.name, "cannot run", *[""] * (len(HEADERS) - 2)]
    return [
        entry.name,
        f"{plan.accelerator_count} x {plan.accelerator}",
        f"{decimal_text(gib(plan.memory.expected), 1)} of {gib_text(plan.usable_bytes)}{' tight' if plan.tight else ''}",
        hours_text(plan.hours.expected) if plan.hours else "",
        money_text(plan.cost.total.expected, plan.cost.currency) if plan.cost else "",
        "" if entry.cost_ratio is None else decimal_text(entry.cost_ratio, 2),
        "" if entry.time_ratio is None else decimal_text(entry.time_ratio, 2),
        plan.offer.provider_name,
        plan.offer.region,
        plan.offer.pricing_term.value.replace("_", "-"),
        decimal_text(plan.offer.usd_per_hour, 2),
        f"{plan.offer.as_of.isoformat()}{' (old)' if plan.offer.stale else ''}",
    ]


def ranges(able: list[ComparedPlan]) -> list[str]:
    """Hours and cost with their ranges."""
    rows = [
        [entry.name, hours_range(entry.plan.hours), f"{number_range(entry.plan.cost.total, 2)} {entry.plan.cost.currency}"]
        for entry in able
        if entry.plan and entry.plan.hours and entry.plan.cost
    ]
    return table(["alternative", "hours", "cost, VAT not included"], rows) if rows else []
