"""Believable rows of a price list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal

from knowledge.prices.listed import ListedPrice

DAY = date(2026, 11, 14)


def row(**changes: object) -> ListedPrice:
    """One H100 SXM at Lambda, with changes."""
    usual = ListedPrice(
        provider="lambda",
        region="us-east-1",
        instance="gpu_1x_h100_sxm",
        card="H100 SXM",
        memory_gb=80,
        count=1,
        price=Decimal("3.50"),
        currency="USD",
        as_of=DAY,
        source="https://example.org/prices",
        licence="test",
    )
    return replace(usual, **changes)  # type: ignore[arg-type]  # a test names fields of the right type


def listed(provider: str, price: int) -> Sequence[ListedPrice]:
    """Twenty regions of one machine."""
    return [row(provider=provider, region=f"r-{n}", price=Decimal(price)) for n in range(20)]
