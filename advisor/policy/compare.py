"""From slots to `compare_plans`: the user's own alternatives, each with its card, count and price."""

from __future__ import annotations

from typing import Any

from advisor.policy.arguments import values
from advisor.policy.conditions import conditions
from advisor.policy.facts import Facts
from advisor.policy.remedies import changed
from advisor.slots import Slots

OWN = ("accelerator", "accelerator_count", "method", "sequence_length")
"""Arguments in which alternatives may differ."""
MOST = 4


def compare_arguments(jobs: list[dict[str, Any]], slots: Slots, facts: Facts, currency: str) -> dict[str, Any] | None:
    """Arguments of `compare_plans` for jobs on two or more cards or counts; None where there is nothing to compare.

    One method only: cards are compared for the same run. Prices are those the user gave, where each card got one.
    """
    method = jobs[0].get("method") if jobs else None
    cards = [job for job in jobs if job.get("accelerator") and job.get("method") == method][:MOST]
    if len({(job["accelerator"], job.get("accelerator_count")) for job in cards}) < 2:
        return None
    prices = [facts.usd(float(price), slots.currency) for price in values(slots.price_per_hour)]
    shared = {name: value for name, value in cards[0].items() if name not in OWN or all(job.get(name) == value for job in cards)}
    found = conditions(slots, facts, currency)
    found.pop("usd_per_hour", None)
    alternatives = []
    for index, job in enumerate(cards):
        row = {name: job[name] for name in OWN if name in job and name not in shared}
        row["accelerator"] = job["accelerator"]
        if len(prices) == len(cards) and prices[index]:
            row["usd_per_hour"] = prices[index]
        alternatives.append(row)
    shared.pop("accelerator", None)
    return changed(shared, found) | {"alternatives": alternatives}
