"""What a provider's clock charges: hours rounded up to its billing step, with its smallest charge."""

from __future__ import annotations

import re
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal

from tools.provider import BillingStep

STEP_SECONDS: dict[BillingStep, int] = {
    "second": 1,
    "minute": 60,
    "ten_minutes": 600,
    "hour": 3600,
    "month": 2_628_000,
    "unknown": 3600,
}
"""Seconds in a billing step. A step that no source states counts as an hour, the dearest of the usual ones; a month is 730 h."""

_SECONDS = re.compile(r"(\d+(?:\.\d+)?)\s*(second|minute|hour|s\b|min\b|h\b)", re.IGNORECASE)
_UNIT_SECONDS = {"s": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600}


def billed_seconds(seconds: float, step: BillingStep, minimum_seconds: int = 0) -> int:
    """Seconds on the bill of one machine that ran for `seconds` (>= 0) without a stop.

    Rounded up to the step, at least the minimum. Never less than what ran.
    """
    size = STEP_SECONDS[step]
    ran = Decimal(repr(max(0.0, seconds)))
    if ran == 0:
        return 0
    steps = (ran / size).to_integral_value(rounding=ROUND_CEILING)
    return max(int(steps) * size, minimum_seconds)


def charge(usd_per_hour: Decimal, seconds: float, step: BillingStep, minimum_seconds: int = 0) -> Decimal:
    """US dollars for one uninterrupted stretch of `seconds` at `usd_per_hour` (all machines together)."""
    return usd_per_hour * billed_seconds(seconds, step, minimum_seconds) / 3600


def minimum_seconds_of(minimum_charge: str) -> int:
    """Smallest billed time in a provider's own words ("1 minute minimum"), 0 where none is stated as a time."""
    found = _SECONDS.search(minimum_charge)
    if not found:
        return 0
    return int(float(found.group(1)) * _UNIT_SECONDS[found.group(2).lower().strip()])


def cents(amount: Decimal) -> Decimal:
    """Rounded half up to a hundredth, as a bill shows it."""
    return amount.quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
