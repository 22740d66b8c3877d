"""Money in the user's currency, by a dated rate only."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tools.context import Catalog
from tools.offer import ExchangeRate


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency costs are shown in, with the rate that gets there from US dollars."""

    code: str
    usd_per_unit: Decimal
    rate: ExchangeRate | None

    @classmethod
    def of(cls, catalog: Catalog, code: str) -> Currency:
        """The currency by ISO code. Raises UnknownName where the catalog has no dated rate."""
        upper = code.upper()
        if upper == "USD":
            return cls("USD", Decimal(1), None)
        rate = catalog.rate(upper)
        return cls(upper, rate.usd_per_unit, rate)

    def from_usd(self, usd: Decimal) -> Decimal:
        """US dollars in this currency."""
        return usd / self.usd_per_unit

    def to_usd(self, amount: Decimal) -> Decimal:
        """This currency in US dollars."""
        return amount * self.usd_per_unit

    @property
    def note(self) -> str:
        """Rate and date for people; empty for US dollars."""
        if self.rate is None:
            return ""
        rate = self.rate
        return f"Converted at 1 {self.code} = {rate.usd_per_unit.normalize():f} USD ({rate.source}, {rate.as_of.isoformat()})."
