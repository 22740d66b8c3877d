"""Offers as a table."""

from __future__ import annotations

from decimal import Decimal

from tools.offer_results import OfferList, OfferRow
from tools.units import decimal_text
from ui.text_table import items, section, table

HEADERS = ["accelerators", "link", "USD/card/h", "USD/h", "provider", "region", "instance", "term", "price of", "availability"]


def offers_text(result: OfferList) -> list[str]:
    """Lines of the list."""
    shown = len(result.offers)
    head = f"{result.matched:,} offers match" + (f", the cheapest {shown} per card and hour:" if shown < result.matched else ":")
    if not result.offers:
        return ["No offer matches.", *section("Warnings", items(result.warnings))]
    sources = sorted({offer.source for offer in result.offers})
    return [
        head,
        "",
        *table(HEADERS, [row(offer) for offer in result.offers], right=(2, 3)),
        *section("Warnings", items(result.warnings)),
        *section("Sources", items(sources)),
    ]


def row(offer: OfferRow) -> list[str]:
    """A line of the table."""
    return [
        f"{offer.accelerator_count:g} x {offer.accelerator}",
        offer.interconnect.value,
        price(offer.usd_per_accelerator_hour),
        price(offer.usd_per_hour) + trend(offer),
        "own: " * offer.private + offer.provider,
        offer.region if offer.country == "unknown" or offer.country in offer.region else f"{offer.region} ({offer.country})",
        offer.instance,
        offer.pricing_term.value.replace("_", "-"),
        f"{offer.as_of.isoformat()}{' (old)' if offer.stale else ''}",
        offer.availability.value,
    ]


def trend(offer: OfferRow) -> str:
    """Change since the price before, where one is known."""
    return "" if offer.change_percent is None else f" ({offer.change_percent:+.0f} % since {offer.earlier_as_of})"


def price(amount: Decimal | None) -> str:
    """Two decimals, or `unknown`."""
    return "unknown" if amount is None else decimal_text(amount, 2)
