"""Storage by the month and traffic by the tier, as provider records state them; None where no source does."""

from __future__ import annotations

from decimal import Decimal

from tools.provider import Provider
from tools.units import HOURS_PER_MONTH


def egress_charge(provider: Provider, size_gb: float) -> Decimal | None:
    """US dollars to move `size_gb` (1e9 bytes) out to the internet within a month in which nothing else moves.

    Tiers apply to the part inside each step. None where the record states no price.
    """
    if not provider.egress_tiers:
        return None
    total, moved = Decimal(0), 0.0
    for tier in provider.egress_tiers:
        upper = size_gb if tier.up_to_gb is None else min(size_gb, tier.up_to_gb)
        part = max(0.0, upper - moved)
        total += Decimal(repr(part)) * Decimal(repr(tier.usd_per_gb))
        moved = max(moved, upper)
        if moved >= size_gb:
            break
    return total


def storage_price(provider: Provider) -> float | None:
    """US dollars per GB and month of a running disk; the kind that survives a stop where one is priced, else the cheapest.

    Object storage is no disk to train on and does not count. None where the record states no price.
    """
    priced = [kind for kind in provider.storage if kind.usd_per_gb_month is not None and "object" not in kind.name.lower()]
    lasting = [kind for kind in priced if kind.survives_stop == "yes" or kind.survives_terminate == "yes"]
    prices = [kind.usd_per_gb_month for kind in (lasting or priced) if kind.usd_per_gb_month is not None]
    return min(prices) if prices else None


def storage_charge(provider: Provider, size_gb: float, hours: float) -> Decimal | None:
    """US dollars for `size_gb` held for `hours`; a month is 730 h. None where the record states no price."""
    price = storage_price(provider)
    if price is None:
        return None
    return Decimal(repr(price)) * Decimal(repr(size_gb)) * Decimal(repr(hours)) / Decimal(repr(HOURS_PER_MONTH))


def paused_storage_charge(provider: Provider, size_gb: float, hours: float) -> Decimal | None:
    """US dollars for `size_gb` held through `hours` of standstill, at the cheapest kind that survives a stop. None where unknown."""
    lasting = [kind.usd_per_gb_month_stopped for kind in provider.storage if kind.survives_stop == "yes"]
    prices = [price for price in lasting if price is not None]
    if not prices:
        return None
    return Decimal(repr(min(prices))) * Decimal(repr(size_gb)) * Decimal(repr(hours)) / Decimal(repr(HOURS_PER_MONTH))
