"""Offers as shown."""

from __future__ import annotations

from datetime import date

from pydantic import Field

from tools.base import Value
from tools.results import Money
from tools.terms import Availability, Interconnect, PricingTerm


class OfferRow(Value):
    """An offer as shown."""

    provider: str
    """Provider id."""
    region: str
    """Region."""
    country: str
    """ISO country."""
    instance: str
    """Machine type."""
    accelerator: str
    """Accelerator id."""
    accelerator_count: float
    """Cards in the instance."""
    interconnect: Interconnect
    """Link between them."""
    pricing_term: PricingTerm
    """How it is rented."""
    usd_per_hour: Money | None
    """Whole instance; None where the currency is unknown."""
    usd_per_accelerator_hour: Money | None
    """Per card."""
    price_per_hour: Money
    """Whole instance in the price list's currency."""
    currency: str
    """Currency of the price list."""
    as_of: date
    """Date of the price."""
    age_days: int
    """Days since then."""
    stale: bool
    """Older than a price of this kind stays true."""
    availability: Availability
    """Whether it can be had."""
    earlier_price_per_hour: Money | None = None
    """The price before this one, in the same currency; None where no earlier price is known."""
    earlier_as_of: date | None = None
    """Date of the earlier price."""
    change_percent: float | None = None
    """Change since then, in percent of the earlier price."""
    private: bool = False
    """Your own machine or negotiated price."""
    source: str
    """Where the price comes from."""


class OfferList(Value):
    """Offers that match a filter."""

    offers: list[OfferRow]
    """Cheapest per card and hour first; those of unknown currency last."""
    matched: int = Field(ge=0)
    """How many matched before the list was cut."""
    warnings: list[str] = []
    """Given once for the list."""
