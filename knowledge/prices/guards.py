"""What must hold before a price list replaces the one before.

A row that fails is kept back, and an older row of the same kind stays with its old date. A list that lost too many rows
is refused as a whole: an empty or partial reply must not wipe a provider.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from decimal import Decimal
from statistics import median

from knowledge.prices.report import HeldBack
from tools.offer import Offer, OfferKey, offer_key
from tools.terms import PricingTerm

LEAST_SHARE = 0.7
"""Rows a new list must have of the rows before."""
FLOOR_USD = Decimal("0.02")
"""No card is rented out for less an hour; a lower figure is a placeholder or a slice without its fraction."""
FACTOR = 5
"""A price per card this many times above or below its own last price, or the median of its card, is not believed."""
FEW = 3
"""Offers of a card from which its median says something."""

UsdPerHour = Callable[[Offer], Decimal | None]


@dataclass(frozen=True, slots=True)
class Guarded:
    """A price list after the guards."""

    offers: Sequence[Offer]
    """Rows to keep: believed ones, and older ones in place of those that were not."""
    held: Sequence[HeldBack]
    """Rows not believed."""
    refused: str
    """Why the whole list is refused; empty where it is not."""


def guarded(
    listed: Sequence[Offer],
    before: Sequence[Offer],
    medians: Mapping[tuple[str, PricingTerm], Decimal],
    usd: UsdPerHour,
    *,
    doubted: Set[tuple[str, str]] = frozenset(),
    accept: bool = False,
) -> Guarded:
    """Check a provider's list against the one before.

    `doubted` are (region, machine type) of listed rows that could not be read; `accept` lets a shorter list pass, and
    nothing else.
    """
    old = {offer_key(offer): offer for offer in before}
    kept: dict[OfferKey, Offer] = {}
    held: list[HeldBack] = []
    for offer in unique(listed):
        reason = doubt(offer, old.get(offer_key(offer)), medians, usd)
        if not reason:
            kept[offer_key(offer)] = offer
        else:
            held.append(kept_back(offer, reason))
    for place, offer in list(kept.items()):
        if offer.pricing_term is PricingTerm.SPOT:
            other = kept.get((*place[:4], PricingTerm.ON_DEMAND))
            if other is not None and other.currency == offer.currency and offer.price_per_hour > other.price_per_hour:
                del kept[place]
                held.append(kept_back(offer, f"spot above on-demand ({other.price_per_hour} {other.currency})"))
    believed = len(kept)
    doubted = doubted | {(each.region, each.instance) for each in held}
    for place, offer in old.items():
        if place not in kept and place[:2] in doubted:
            kept[place] = offer
    if before and believed < LEAST_SHARE * len(before) and not accept:
        return Guarded(before, held, f"{believed} usable rows where there were {len(before)}: the old list stays")
    if not kept:
        return Guarded(before, held, "no usable row")
    return Guarded(list(kept.values()), held, "")


def unique(listed: Sequence[Offer]) -> Sequence[Offer]:
    """One row for each key: the cheapest zone on spot; the dearer where a list price is given twice."""
    found: dict[OfferKey, Offer] = {}
    for offer in listed:
        other = found.setdefault(offer_key(offer), offer)
        if other is offer:
            continue
        cheapest = offer.pricing_term is PricingTerm.SPOT
        if (offer.price_per_hour < other.price_per_hour) == cheapest and offer.price_per_hour != other.price_per_hour:
            found[offer_key(offer)] = offer
    return list(found.values())


def doubt(offer: Offer, old: Offer | None, medians: Mapping[tuple[str, PricingTerm], Decimal], usd: UsdPerHour) -> str:
    """Why a price is not believed, empty where it is."""
    whole = usd(offer)
    if whole is None:
        return f"no exchange rate for {offer.currency}"
    each = per_card(offer, whole)
    if each < FLOOR_USD:
        return f"{each:.4f} USD per card and hour"
    if old is not None and (was := usd(old)) is not None and far(each, per_card(old, was)):
        return f"{each:.2f} USD per card after {per_card(old, was):.2f} on {old.as_of}"
    usual = medians.get((offer.accelerator, offer.pricing_term))
    if usual is not None and far(each, usual):
        return f"{each:.2f} USD per card where {offer.accelerator} costs {usual:.2f}"
    return ""


def per_card(offer: Offer, usd_per_hour: Decimal) -> Decimal:
    """Price of one card."""
    return usd_per_hour / Decimal(str(offer.accelerator_count))


def far(price: Decimal, other: Decimal) -> bool:
    """Further apart than prices of one thing are."""
    return price > FACTOR * other or price * FACTOR < other


def medians_of(offers: Sequence[Offer], usd: UsdPerHour) -> dict[tuple[str, PricingTerm], Decimal]:
    """Median price per card over providers of each card and term, where there are enough: each provider counts once."""
    prices: dict[tuple[str, PricingTerm], dict[str, list[Decimal]]] = {}
    for offer in offers:
        if (whole := usd(offer)) is not None:
            by_provider = prices.setdefault((offer.accelerator, offer.pricing_term), {})
            by_provider.setdefault(offer.provider, []).append(per_card(offer, whole))
    return {kind: median(median(each) for each in found.values()) for kind, found in prices.items() if len(found) >= FEW}


def kept_back(offer: Offer, reason: str) -> HeldBack:
    """The offer with its reason."""
    price = f"{offer.price_per_hour} {offer.currency}"
    return HeldBack(region=offer.region, instance=offer.instance, card=offer.accelerator, price_per_hour=price, reason=reason)
