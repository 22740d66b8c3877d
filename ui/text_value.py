"""Plain values for people."""

from __future__ import annotations

from datetime import date

from tools.estimate import Estimate
from tools.units import decimal_text


def value_text(value: object) -> str:
    """A plain value for people."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return decimal_text(value, 0)
    if isinstance(value, float):
        return f"{value:,.4g}" if abs(value) < 10_000 else decimal_text(value, 0)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Estimate):
        return f"{value_text(value.expected)} ({value_text(value.low)} to {value_text(value.high)})"
    if isinstance(value, list | tuple):
        return ", ".join(value_text(entry) for entry in value) or "none"
    return str(value)
