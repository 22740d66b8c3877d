"""A price as a source lists it, before names and figures are checked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tools.errors import AdvisorError
from tools.terms import Availability, Interconnect


class SourceFailed(AdvisorError):
    """A source gave nothing usable; the message says what it did, the hint what to do."""

    code = "source_failed"


@dataclass(frozen=True, slots=True)
class ListedPrice:
    """One line of a price list."""

    provider: str
    """Provider id."""
    region: str
    """As the provider names it."""
    instance: str
    """Machine type."""
    card: str
    """Card as the source spells it."""
    count: float
    """Cards in the instance."""
    price: Decimal
    """Whole instance an hour, in `currency`; may be 0 or NaN, as sources go."""
    currency: str
    """ISO code."""
    as_of: date
    """Date of the price."""
    source: str
    """Address of the list."""
    licence: str
    """Terms of the source."""
    spot: bool = False
    """Interruptible."""
    memory_gb: float | None = None
    """Memory of one card as the source states it; 0 counts as not stated."""
    vcpus: float | None = None
    """Virtual processors."""
    host_ram_gb: float | None = None
    """Host memory."""
    availability: Availability = Availability.UNKNOWN
    """What the source says is free."""
    interconnect: Interconnect = Interconnect.UNKNOWN
    """Link between the cards, where stated."""
    country: str = "unknown"
    """ISO country, where the source states it."""
    notes: str = ""
    """What a reader should know."""
    market: bool = False
    """One of many offers of a marketplace: only the cheapest of its kind and region is kept."""
