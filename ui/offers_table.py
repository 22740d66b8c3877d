"""Offers as rows of a table that can be sorted and filtered: per card and per node, with the age of each price."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from advisor.answer import Answer
from tools.context import Context
from tools.errors import AdvisorError
from tools.offer_results import OfferList, OfferRow
from tools.provider import Provider
from tools.results import Plan
from ui.chat_words import Language, Pair

COLUMNS: tuple[tuple[str, Pair, str], ...] = (
    ("card", ("Card", "Karte"), "str"),
    ("count", ("Cards", "Karten"), "number"),
    ("provider", ("Provider", "Anbieter"), "str"),
    ("region", ("Region", "Region"), "str"),
    ("instance", ("Instance", "Instanz"), "str"),
    ("term", ("Term", "Tarif"), "str"),
    ("per_card", ("USD/h per card", "USD/h je Karte"), "number"),
    ("per_node", ("USD/h per instance", "USD/h je Instanz"), "number"),
    ("run", ("Finished run", "Fertiger Lauf"), "str"),
    ("hours", ("Hours", "Stunden"), "number"),
    ("as_of", ("Price of", "Preis vom"), "str"),
    ("age", ("Age, days", "Alter, Tage"), "number"),
    ("available", ("Available", "Verfügbar"), "str"),
    ("features", ("Provider", "Anbieter hat"), "str"),
)
"""Key, heading, kind of cell."""

FEATURES: dict[str, Pair] = {
    "ssh": ("SSH", "SSH"),
    "docker": ("Docker", "Docker"),
    "jupyter": ("Jupyter", "Jupyter"),
    "spot": ("spot", "Spot"),
    "eu_hosting": ("EU region", "EU-Region"),
}
AVAILABLE: dict[str, Pair] = {
    "available": ("yes", "ja"),
    "limited": ("limited", "knapp"),
    "unknown": ("unknown", "unbekannt"),
}


def headings(language: Language) -> list[str]:
    """Headings in the order of `COLUMNS`."""
    return [pair[language == "de"] for _, pair, _ in COLUMNS]


def kinds() -> list[str]:
    """Kind of each column, for the table."""
    return [kind for _, _, kind in COLUMNS]


def widths() -> list[int]:
    """Pixels of each column, so that words are not broken."""
    return [150, 70, 170, 150, 190, 110, 110, 110, 120, 80, 110, 80, 110, 220]


def rows_of(answer: Answer, ctx: Context, language: Language) -> list[list[Any]]:
    """Plans of an answer first, then the offers its tools found."""
    rows = [_plan_row(plan, ctx, language) for plan in answer.plans]
    for done in answer.results:
        if done.tool == "find_offers" and "error" not in done.result:
            rows += [_offer_row(offer, ctx, language) for offer in OfferList.model_validate(done.result).offers]
    return rows


def links_of(answer: Answer, ctx: Context, language: Language) -> str:
    """Links to the pages of the providers in the table, as HTML; empty where none is known."""
    names = [plan.offer.provider for plan in answer.plans]
    for done in answer.results:
        if done.tool == "find_offers" and "error" not in done.result:
            names += [offer.provider for offer in OfferList.model_validate(done.result).offers]
    links = []
    for provider in filter(None, (_provider(ctx, name) for name in dict.fromkeys(names))):
        if re.fullmatch(r"https://[^\s<>\"']+", provider.console_url):
            address, name = html.escape(provider.console_url), html.escape(provider.display_name)
            links.append(f'<a href="{address}" target="_blank" rel="noopener noreferrer">{name}</a>')
    return f"<p>{('Order at', 'Bestellen bei')[language == 'de']}: {', '.join(links)}</p>" if links else ""


def offer_rows(offers: Sequence[OfferRow], ctx: Context, language: Language) -> list[list[Any]]:
    """Rows of a list of offers."""
    return [_offer_row(offer, ctx, language) for offer in offers]


def _plan_row(plan: Plan, ctx: Context, language: Language) -> list[Any]:
    offer = plan.offer
    cost = f"{plan.cost.total.expected:.2f} {plan.cost.currency}" if plan.cost else ""
    hours = round(plan.hours.expected, 2) if plan.hours else None
    return [
        plan.accelerator,
        plan.accelerator_count,
        offer.provider_name,
        offer.region,
        offer.instance,
        offer.pricing_term.value,
        _money(offer.usd_per_hour, plan.accelerator_count),
        _money(offer.usd_per_hour, max(1, plan.nodes)),
        cost,
        hours,
        offer.as_of.isoformat(),
        offer.age_days,
        AVAILABLE[offer.availability.value][language == "de"],
        _features(_provider(ctx, offer.provider), language),
    ]


def _offer_row(offer: OfferRow, ctx: Context, language: Language) -> list[Any]:
    provider = _provider(ctx, offer.provider)
    return [
        offer.accelerator,
        offer.accelerator_count,
        provider.display_name if provider else offer.provider,
        offer.region,
        offer.instance,
        offer.pricing_term.value,
        _money(offer.usd_per_accelerator_hour, 1),
        _money(offer.usd_per_hour, 1),
        "",
        None,
        offer.as_of.isoformat(),
        offer.age_days,
        AVAILABLE[offer.availability.value][language == "de"],
        _features(provider, language),
    ]


def _money(amount: Decimal | None, parts: float) -> float | None:
    """US dollars an hour for one of so many parts; None where the currency is unknown."""
    return None if amount is None else round(float(amount) / parts, 4)


def _provider(ctx: Context, provider_id: str) -> Provider | None:
    try:
        return ctx.catalog.provider(provider_id)
    except AdvisorError:
        return None  # an offer of the user's own file may name a provider that has no record


def _features(provider: Provider | None, language: Language) -> str:
    if provider is None:
        return AVAILABLE["unknown"][language == "de"]
    return ", ".join(pair[language == "de"] for name, pair in FEATURES.items() if getattr(provider, name) == "yes")
