"""From slots to the conditions of a plan and to filters over offers."""

from __future__ import annotations

from typing import Any, get_args

from advisor.policy.arguments import first, values
from advisor.policy.facts import Facts
from advisor.slots import Slots
from tools.arguments import Feature
from tools.terms import PricingTerm

FEATURES = frozenset(get_args(Feature))
TERMS = frozenset(term.value for term in PricingTerm)
DEVICE_FIELDS = ("accelerator", "accelerator_count", "nodes", "interconnect", "network", "sharding", "offload")
"""Arguments that describe what is rented; left out where the question is what to rent instead."""


def conditions(slots: Slots, facts: Facts, currency: str) -> dict[str, Any]:
    """Arguments of `plan_job` beside the job: place, provider, term, budget, deadline, features, own price."""
    found: dict[str, Any] = {"currency": slots.currency or currency, "limit": 5}
    if slots.region is not None:
        found["region"] = str(first(slots.region))
    providers = known_providers(slots, facts)
    if len(providers) == 1:
        found["provider"] = providers[0]
    term = values(slots.pricing_term)
    if len(term) == 1 and term[0] in TERMS:
        found["pricing_term"] = term[0]
    if slots.budget is not None:
        found["budget"] = float(first(slots.budget))
    if isinstance(slots.deadline, (int, float)) and slots.deadline > 0:
        found["deadline"] = float(slots.deadline)
    wanted = features(slots)
    if wanted:
        found["features"] = wanted
    prices = values(slots.price_per_hour)
    if len(prices) == 1 and slots.accelerator is not None:
        usd = facts.usd(float(prices[0]), slots.currency)
        if usd:
            found["usd_per_hour"] = usd
    return found


def features(slots: Slots) -> list[str]:
    """What the provider must offer, in the words of the tools."""
    return [word for word in slots.features or [] if word in FEATURES]


def known_providers(slots: Slots, facts: Facts) -> list[str]:
    """Ids of the providers named, unknown ones left out."""
    ids = [facts.provider_id(str(name)) for name in values(slots.provider)]
    return list(dict.fromkeys(provider for provider in ids if provider))


def plan_arguments(job: dict[str, Any], slots: Slots, facts: Facts, currency: str) -> dict[str, Any]:
    """Arguments of `plan_job` for a job on the card it names."""
    return job | conditions(slots, facts, currency)


def open_plan_arguments(job: dict[str, Any], slots: Slots, facts: Facts, currency: str) -> dict[str, Any]:
    """The same job where the question is what to rent instead of the named card."""
    found = {name: value for name, value in plan_arguments(job, slots, facts, currency).items() if name not in DEVICE_FIELDS}
    found.pop("usd_per_hour", None)
    return found


def offer_arguments(slots: Slots, facts: Facts) -> list[dict[str, Any]]:
    """Filters of `find_offers` per card and pricing term; without a card where none was named."""
    shared: dict[str, Any] = {"limit": 3}
    if slots.region is not None:
        shared["region"] = str(first(slots.region))
    term = [word for word in values(slots.pricing_term) if word in TERMS]
    terms: list[dict[str, Any]] = [{"pricing_term": word} for word in term or ["on_demand", "spot"]]
    wanted = features(slots)
    if wanted:
        shared["features"] = wanted
    counts = values(slots.accelerator_count)
    shared["accelerator_count"] = int(counts[0]) if counts and float(counts[0]).is_integer() and counts[0] >= 1 else 1
    providers: list[str | None] = [*known_providers(slots, facts)] or [None]
    cards: list[str | None] = [str(name) for name in values(slots.accelerator) if facts.card_forms(str(name))] or [None]
    sizes = [] if cards != [None] else [float(size) for size in values(slots.vram_gib)]
    rows = []
    for provider in providers[:3]:
        for card in cards[:3]:
            row = dict(shared)
            if provider:
                row["provider"] = provider
            if card:
                row["accelerator"] = card
            elif sizes:
                row["minimum_memory_gb"] = sizes[0]
            rows += [row | priced for priced in terms]
    return rows
