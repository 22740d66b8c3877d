"""Spot against on-demand, and bills of short runs, as text."""

from __future__ import annotations

from tools.cost.experiment_result import ExperimentBills
from tools.cost.spot_result import SpotEconomics
from tools.units import decimal_text, hours_text, money_text
from ui.text_common import closing, hours_range, number_range
from ui.text_table import items, pairs, section, table

ADVICE = {
    True: "Spot pays: cheaper, it resumes, and it holds the deadline.",
    False: "Spot does not pay here.",
    None: "Name prices or a job, and the costs can be compared.",
}


def spot_text(result: SpotEconomics) -> list[str]:
    """Lines of the result."""
    return [
        ADVICE[result.recommended],
        *section("Time", pairs(times(result))),
        *section("Interruptions and saving", pairs(saving(result))),
        *section("Money, VAT not included", pairs(money(result))),
        *section("Basis of the rate", [result.rate_basis]),
        *closing(result.assumptions, result.citations, result.warnings),
    ]


def times(result: SpotEconomics) -> dict[str, object]:
    """The run with and without interruptions."""
    facts: dict[str, object] = {
        "work alone": hours_range(result.work_hours),
        "on spot": hours_range(result.spot_hours),
        "on demand": hours_text(result.on_demand_hours),
        "on spot without resuming": "practically never done"
        if result.hours_without_resume is None
        else hours_text(result.hours_without_resume),
    }
    if result.deadline_hours is not None:
        chance = "unknown" if result.chance_to_meet_deadline is None else f"{result.chance_to_meet_deadline:.0%}"
        facts["chance to be done"] = f"{chance} within {hours_text(result.deadline_hours)}"
    return facts


def saving(result: SpotEconomics) -> dict[str, object]:
    """How often it is interrupted, and how often to save."""
    lost, restart = (decimal_text(minutes, 0) for minutes in (result.loss_minutes_per_interruption, result.restart_minutes))
    notice = "unknown" if result.notice_seconds is None else f"{result.notice_seconds} s"
    covered = {True: ", enough for a checkpoint", False: ", too short for a checkpoint", None: ""}[result.notice_covers_write]
    return {
        "interruptions a day": number_range(result.interruptions_per_day, 2),
        "during the run": f"{decimal_text(result.expected_interruptions, 2)} expected",
        "lost each time": f"{lost} min, {restart} of them to restart",
        "save every": f"{decimal_text(result.interval_minutes, 0)} min (best: {decimal_text(result.best_interval_minutes, 0)})",
        "one checkpoint": "" if result.checkpoint_gib is None else f"{decimal_text(result.checkpoint_gib, 1)} GiB",
        "to write it": f"{decimal_text(result.write_minutes, 1)} min",
        "warning before": f"{notice}{covered}",
    }


def money(result: SpotEconomics) -> dict[str, object]:
    """Costs, where prices are known."""
    return {
        "on spot": "" if result.spot_cost is None else f"{number_range(result.spot_cost, 2)} {result.currency}",
        "on demand": "" if result.on_demand_cost is None else money_text(result.on_demand_cost, result.currency),
        "saved": "" if result.saving is None else money_text(result.saving, result.currency),
        "spot pays below": f"{result.break_even_share:.0%} of the on-demand price",
    }


def bills_text(result: ExperimentBills) -> list[str]:
    """Lines of the bills."""
    rows = [
        [
            bill.billing_step.replace("_", " "),
            decimal_text(bill.billed_hours, 2),
            f"{bill.idle_share:.0%}",
            "" if bill.usd is None else decimal_text(bill.usd, 2),
        ]
        for bill in result.bills
    ]
    own = "" if result.provider_step is None else result.provider_step.replace("_", " ")
    left_on = "" if result.left_on_hours is None else f"{decimal_text(result.left_on_hours, 2)} h"
    if left_on and result.left_on_usd is not None:
        left_on += f", {money_text(result.left_on_usd, 'USD')}"
    return [
        f"{decimal_text(result.used_hours, 2)} hours of work",
        "",
        *table(["billed by the", "hours", "idle", "USD"], rows, right=(1, 2, 3)),
        *section("Beside", pairs({"step of the provider": own, "machine left on": left_on})),
        *section("Warnings", items(result.warnings)),
    ]
