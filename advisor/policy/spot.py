"""From slots to `spot_economics`: hours or a job, and what was said of interruptions, saving and prices."""

from __future__ import annotations

from typing import Any

from advisor.policy.arguments import first, values
from advisor.policy.conditions import conditions
from advisor.policy.facts import Facts
from advisor.slots import Slots

NOT_FOR_SPOT = ("pricing_term", "usd_per_hour", "budget")
"""Conditions of a plan that the comparison of the two terms sets itself."""


def spot_arguments(job: dict[str, Any] | None, slots: Slots, facts: Facts, currency: str) -> dict[str, Any] | None:
    """Arguments of `spot_economics`; None where neither hours nor a job with its data are known."""
    hours = first(slots.hours)
    counts = ("dataset_tokens", "dataset_examples")
    described = job is not None and (hours is not None or any(getattr(slots, name) is not None for name in counts))
    if hours is None and not described:
        return None
    found: dict[str, Any] = dict(job) if described and job is not None else {}
    found |= {name: value for name, value in conditions(slots, facts, currency).items() if name not in NOT_FOR_SPOT}
    if hours is not None:
        found["hours"] = float(hours)
    for name in ("interruptions", "restart_minutes"):
        if getattr(slots, name) is not None:
            found[name] = float(first(getattr(slots, name)))
    interval = checkpoint_minutes(slots)
    if interval is not None:
        found["checkpoint_interval_minutes"] = interval
    if slots.resume is not None:
        found["resume"] = slots.resume or interval is not None  # who names an interval saves, whatever was said before
    return found | _prices(slots, facts)


def checkpoint_minutes(slots: Slots) -> float | None:
    """Minutes between saves: as said, or steps between saves times seconds a step."""
    if slots.checkpoint_interval_minutes is not None:
        return float(first(slots.checkpoint_interval_minutes))
    if slots.save_steps is not None and slots.seconds_per_step is not None:
        return round(float(first(slots.save_steps)) * float(first(slots.seconds_per_step)) / 60, 3)
    return None


def _prices(slots: Slots, facts: Facts) -> dict[str, float]:
    """Prices the user gave: paired with the terms in the order in which they were named, else the lower one is spot."""
    prices = [facts.usd(float(price), slots.currency) for price in values(slots.price_per_hour)]
    known = [price for price in prices if price]
    terms = [str(term) for term in values(slots.pricing_term)]
    names = {"spot": "spot_usd_per_hour", "on_demand": "on_demand_usd_per_hour"}
    if len(known) == len(terms) and set(terms) <= set(names):
        return {names[term]: price for term, price in zip(terms, known, strict=True)}
    if len(known) == 2:
        return {"spot_usd_per_hour": min(known), "on_demand_usd_per_hour": max(known)}
    return {}
