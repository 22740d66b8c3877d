"""A price: instance x region x pricing term, with its date."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from pydantic import Field

from tools.base import Value
from tools.terms import Availability, Interconnect, Precision, PricingTerm


class Offer(Value):
    """What a provider asks for one instance type in one region under one pricing term."""

    provider: str
    """Provider id."""
    region: str
    """Region as the provider names it; `global` or `unspecified` where the source gives none."""
    country: str = "unknown"
    """ISO country of the region, or `unknown`."""
    instance: str
    """Machine type."""
    accelerator: str
    """Accelerator id."""
    accelerator_count: float = Field(gt=0)
    """Cards in the instance; a fraction for a slice of a card."""
    vcpus: float | None = Field(default=None, gt=0)
    """Virtual processors."""
    host_ram_gb: float | None = Field(default=None, gt=0)
    """Host memory."""
    interconnect: Interconnect = Interconnect.UNKNOWN
    """Link between the cards of the instance."""
    pricing_term: PricingTerm
    """How it is rented."""
    price_per_hour: Decimal = Field(gt=0)
    """Price of the whole instance, in `currency`."""
    currency: str
    """ISO code, or `unknown` (then it is never ranked)."""
    as_of: date
    """Date of this price (a spot price has its own)."""
    availability: Availability = Availability.UNKNOWN
    """Whether it can be had."""
    source: str
    """Where the price comes from."""
    source_licence: str = "unknown"
    """Terms of the source."""
    notes: str = ""
    """What a reader should know."""
    private: bool = False
    """The user's own machine or negotiated price, which stands before public ones."""

    def age_days(self, today: date) -> int:
        """Days since the price was read."""
        return max(0, (today - self.as_of).days)


OfferKey = tuple[str, str, str, float, PricingTerm]
"""Region, machine type, card, count and term: what makes two offers of a provider the same offer at different times."""


def offer_key(offer: Offer) -> OfferKey:
    """The key of an offer among those of its provider."""
    return (offer.region, offer.instance, offer.accelerator, offer.accelerator_count, offer.pricing_term)


class ExchangeRate(Value):
    """A dated reference rate."""

    currency: str
    """ISO code."""
    usd_per_unit: Decimal = Field(gt=0)
    """US dollars for one unit."""
    as_of: date
    """Date of the rate."""
    source: str
    """Who published it."""


class OfferQuery(Value):
    """A filter over the catalog; every field narrows, none widens."""

    accelerators: tuple[str, ...] = ()
    """Accelerator ids; any of them."""
    minimum_memory_gb: float | None = Field(default=None, gt=0)
    """Least memory per card, by label."""
    maximum_memory_gb: float | None = Field(default=None, gt=0)
    """Most memory per card, by label."""
    architectures: tuple[str, ...] = ()
    """Generations such as `Hopper`; any of them."""
    precision: Precision | None = None
    """A format the card computes in; unknown does not pass."""
    interconnects: tuple[Interconnect, ...] = ()
    """Links between the cards of the instance; any of them."""
    accelerator_count: int | None = Field(default=None, gt=0)
    """Exactly this many cards in the instance."""
    minimum_count: int | None = Field(default=None, gt=0)
    """At least this many cards in the instance."""
    maximum_usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Dearest instance."""
    maximum_usd_per_accelerator_hour: Decimal | None = Field(default=None, gt=0)
    """Dearest card."""
    pricing_term: PricingTerm | None = None
    """One pricing term."""
    providers: tuple[str, ...] = ()
    """Provider ids; any of them."""
    region: str | None = None
    """A region, city, country or code, continent, or `EU`."""
    availability: Availability | None = None
    """What the source says of it."""
    as_of_from: date | None = None
    """First date a price may have."""
    as_of_before: date | None = None
    """Date from which on a price is too young."""
    consumer_ok: bool = True
    """Whether desktop cards may appear."""
    one_per_shape: bool = False
    """Only the first region of each card, count, link, provider, term and date, which is the cheapest."""
    include_specialised: bool = False
    """Whether TPUs, Trainium, Inferentia and slices of a card appear."""
