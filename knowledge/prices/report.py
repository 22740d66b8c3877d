"""What a refresh did: for each provider what is new, gone, moved and kept back."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

from pydantic import Field

from tools.base import Value

Outcome = Literal["refreshed", "unchanged", "refused", "failed", "needs_key", "no_source"]
SHOWN = 50
"""Most rows of a kind that are listed; the counts are complete."""


class HeldBack(Value):
    """A row that was not believed."""

    region: str
    """Region."""
    instance: str
    """Machine type."""
    card: str
    """Card as the source spells it."""
    price_per_hour: str
    """Price as listed."""
    reason: str
    """Why."""


class Move(Value):
    """A price that changed."""

    region: str
    """Region."""
    instance: str
    """Machine type."""
    pricing_term: str
    """on_demand, spot or reserved."""
    before: Decimal
    """Old price of the instance, in `currency`."""
    after: Decimal
    """New price."""
    currency: str
    """Currency of both."""
    before_as_of: date
    """Date of the old price."""

    @property
    def percent(self) -> float:
        """Change in percent of the old price."""
        return float((self.after - self.before) / self.before * 100)


class ProviderReport(Value):
    """What became of one provider."""

    provider: str
    """Provider id."""
    outcome: Outcome
    """What was done."""
    message: str = ""
    """Why, where it was not refreshed."""
    rows: int = 0
    """Rows it has now."""
    new: int = 0
    """Rows that were not there before."""
    gone: int = 0
    """Rows that are no longer listed."""
    moved: int = 0
    """Rows whose price changed."""
    held_back: int = 0
    """Rows not believed; where an older row of the same kind exists, it stays with its old date."""
    moves: list[Move] = []
    """The largest changes."""
    held: list[HeldBack] = []
    """The first rows held back."""
    unknown_cards: dict[str, int] = {}
    """Quarantine: card as spelled -> rows that wait until its name is known."""


class RefreshReport(Value):
    """What a refresh or an import did."""

    at: datetime
    """When."""
    providers: list[ProviderReport]
    """One for each provider asked for."""
    rates: str = ""
    """What became of the exchange rates."""
    snapshot: str | None = None
    """Id of the snapshot that holds it; None where nothing changed."""

    @property
    def refreshed(self) -> int:
        """Providers with a new price list."""
        return sum(each.outcome == "refreshed" for each in self.providers)


class Kept(Value):
    """A provider's price list within a snapshot."""

    file: str
    """SHA-256 of its offers file."""
    rows: int = Field(ge=0)
    """Offers in it."""
    newest: date
    """Newest price."""
    refreshed_at: datetime
    """When it was read."""
    history: str | None = None
    """SHA-256 of the file of its superseded prices."""
