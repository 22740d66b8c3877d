"""Quantities: reading suffixes, rounding, and printing numbers by language."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

from tools.errors import InvalidArguments

KIB, MIB, GIB, TIB = 2**10, 2**20, 2**30, 2**40
GB = 10**9
SECONDS_PER_HOUR = 3600.0
HOURS_PER_MONTH = 730.0
"""365 x 24 / 12, the month that storage prices use."""

Language = Literal["en", "de"]

_GERMAN = str.maketrans(",.", ".,")
_GERMAN_SCALES = {"T": "Bio.", "B": "Mrd.", "M": "Mio."}
_SCALE = {"": 1, "k": 10**3, "m": 10**6, "mio": 10**6, "b": 10**9, "g": 10**9, "bn": 10**9, "mrd": 10**9, "t": 10**12}
_COUNT = re.compile(r"^\s*(\d[\d_,]*(?:\.\d+)?)\s*(k|mio|m|bn|b|g|mrd|t)?\.?\s*$", re.IGNORECASE)


def parse_count(text: str, *, binary: bool = False) -> int:
    """`5M` -> 5_000_000; with `binary`, `8k` -> 8192, as context lengths are written. Raises InvalidArguments."""
    found = _COUNT.match(text)
    if not found:
        raise InvalidArguments(f"'{text[:40]}' is not a count.", "Write a number, or one with k, M, B or T: 5M, 20k.")
    scale = _SCALE[(found.group(2) or "").lower()]
    if binary and scale == 1000:
        scale = 1024
    value = Decimal(found.group(1).replace(",", "").replace("_", "")) * scale
    return int(value.to_integral_value(rounding=ROUND_HALF_UP))


def gib(size_bytes: float) -> float:
    """Bytes as GiB."""
    return size_bytes / GIB


def decimal_text(value: float | Decimal, places: int, language: Language = "en", *, grouped: bool = True) -> str:
    """`1234.5` -> `1,234.5` or `1.234,5`; ungrouped `1234.5` or `1234,5`."""
    text = f"{value:{',' if grouped else ''}.{places}f}"
    return text.translate(_GERMAN) if language == "de" else text


def gib_text(size_bytes: float, language: Language = "en") -> str:
    """Bytes for people: one decimal below 100 GiB, none above, TiB from 1,024 GiB."""
    value = gib(size_bytes)
    if value >= 1024:
        return f"{decimal_text(value / 1024, 2, language)} TiB"
    return f"{decimal_text(value, 1 if value < 100 else 0, language)} GiB"


def hours_text(hours: float, language: Language = "en") -> str:
    """Hours for people: minutes below one hour and a half. Not grouped: `1.234 h` reads as one hour and a bit."""
    if hours < 1.5:
        return f"{decimal_text(hours * 60, 0, language)} min"
    return f"{decimal_text(hours, 1 if hours < 100 else 0, language, grouped=False)} h"


def money_text(amount: float | Decimal, currency: str, language: Language = "en") -> str:
    """An amount with its currency code: two decimals below 1,000, none above. Not grouped, for the same reason as hours."""
    return f"{decimal_text(amount, 2 if amount < 1000 else 0, language, grouped=False)} {currency}"


def count_text(value: float, language: Language = "en") -> str:
    """A count for people: `7.6B`, `5M`, `2,048`."""
    for scale, suffix in ((10**12, "T"), (10**9, "B"), (10**6, "M")):
        if value >= scale:
            short = value / scale
            text = decimal_text(short, 0 if short == int(short) else 1 if short < 100 else 0, language)
            return f"{text}{suffix}" if language == "en" else f"{text} {_GERMAN_SCALES[suffix]}"
    return decimal_text(value, 0, language)
