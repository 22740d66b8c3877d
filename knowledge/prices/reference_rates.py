"""Exchange rates: the European Central Bank's euro reference rates."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from knowledge.prices.fetch import LATER, Fetch, fetch
from knowledge.prices.listed import SourceFailed
from tools.offer import ExchangeRate

ADDRESS = "https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml"
"""Published on working days about 16:00 CET; units of each currency for one euro."""

_DAY = re.compile(r"<Cube\s+time=['\"](\d{4}-\d\d-\d\d)['\"]")
_RATE = re.compile(r"<Cube\s+currency=['\"]([A-Z]{3})['\"]\s+rate=['\"]([0-9.]+)['\"]")
DIGITS = Decimal("0.000001")
FURTHEST = 1.5
"""No currency of the list moves by half between two refreshes; a rate that seems to is not believed."""


def reference_rates(before: Sequence[ExchangeRate], get: Fetch = fetch, address: str = ADDRESS) -> Sequence[ExchangeRate]:
    """US dollars for one unit of each currency, with the bank's own date. Raises SourceFailed."""
    text = get(address).decode("utf-8", errors="replace")
    day, rates = _DAY.search(text), dict(_RATE.findall(text))
    if day is None or "USD" not in rates or not Decimal(rates["USD"]) > 0:
        raise SourceFailed("The file of the European Central Bank holds no dollar rate.", LATER)
    usd = Decimal(rates["USD"])
    as_of, source = date.fromisoformat(day[1]), f"European Central Bank euro reference rates, {address}"
    found = [ExchangeRate(currency="USD", usd_per_unit=Decimal(1), as_of=as_of, source="the unit of account itself")]
    units = {"EUR": Decimal(1)} | {currency: Decimal(rate) for currency, rate in rates.items() if currency != "USD"}
    for currency, per_euro in sorted(units.items()):
        if per_euro > 0:
            found.append(ExchangeRate(currency=currency, usd_per_unit=(usd / per_euro).quantize(DIGITS), as_of=as_of, source=source))
    known = {rate.currency: rate for rate in before}
    for rate in found:
        old = known.get(rate.currency)
        if old is not None and not 1 / FURTHEST < float(rate.usd_per_unit / old.usd_per_unit) < FURTHEST:
            raise SourceFailed(f"One {rate.currency} for {rate.usd_per_unit} USD after {old.usd_per_unit}: not believed.", LATER)
    if (old_day := max((rate.as_of for rate in before), default=None)) and as_of < old_day:
        raise SourceFailed(f"The reference rates are of {as_of}, older than those here ({old_day}).", LATER)
    return found


def rates_text(rates: Sequence[ExchangeRate]) -> str:
    """The file of exchange rates."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(ExchangeRate.model_fields)
    for rate in rates:
        writer.writerow([rate.currency, f"{rate.usd_per_unit.normalize():f}", rate.as_of, rate.source])
    return out.getvalue()
