"""Phrases that several results share: ranges, assumptions, sources."""

from __future__ import annotations

from collections.abc import Sequence

from tools.estimate import Assumption, Citation, Estimate
from tools.results import Bytes, FitVerdict
from tools.units import decimal_text, gib, hours_text
from ui.text_table import items, section
from ui.text_value import value_text


def gib_range(size: Bytes) -> str:
    """`18.2 GiB (17.0 to 20.1)`."""
    places = 1 if gib(size.expected) < 100 else 0
    low, expected, high = (decimal_text(gib(value), places) for value in (size.low, size.expected, size.high))
    return f"{expected} GiB ({low} to {high})"


def hours_range(hours: Estimate[float]) -> str:
    """`3.4 h (2.9 to 4.2 h)`."""
    return f"{hours_text(hours.expected)} ({hours_text(hours.low)} to {hours_text(hours.high)})"


def number_range(value: Estimate[float], places: int) -> str:
    """`1,234 (1,100 to 1,400)`."""
    low, expected, high = (decimal_text(figure, places) for figure in (value.low, value.expected, value.high))
    return f"{expected} ({low} to {high})"


def verdict_text(verdict: FitVerdict) -> str:
    """One sentence: fits, tight, only with what is missing, or not."""
    if verdict.fits is None or verdict.usable_bytes is None:
        return "No accelerator named, so nothing is said of the fit."
    cards = f"{verdict.accelerator_count} x {verdict.accelerator}" if verdict.accelerator_count > 1 else str(verdict.accelerator)
    usable = f"{decimal_text(gib(verdict.usable_bytes), 1)} GiB usable per card"
    room = gib(verdict.headroom_bytes or 0)
    if verdict.fits == "conditional":
        return f"It depends on {', '.join(verdict.missing) or 'what was not said'} whether it fits on {cards} ({usable})."
    if verdict.fits:
        tight = "; tight: the upper end of the range does not fit" if verdict.tight else ""
        return f"Fits on {cards} ({usable}, {decimal_text(room, 1)} GiB free{tight})."
    return f"Does not fit on {cards} ({usable}, {decimal_text(-room, 1)} GiB short)."


def closing(assumptions: Sequence[Assumption], citations: Sequence[Citation], warnings: Sequence[str]) -> list[str]:
    """What every estimate ends with: warnings, assumptions, sources."""
    assumed = [
        f"{entry.name} = {value_text(entry.value)}: {entry.reason}{' (decides the verdict)' if entry.decisive else ''}"
        for entry in assumptions
    ]
    return [
        *section("Warnings", items(warnings)),
        *section("Assumed (change any by the option of the same name)", items(assumed)),
        *sources(citations),
    ]


def sources(citations: Sequence[Citation]) -> list[str]:
    """Where figures come from."""
    return section("Sources", items(f"{entry.title}: {entry.source}{dated(entry.as_of)}" for entry in citations))


def dated(as_of: str) -> str:
    """` (2026-10-01)`, or nothing where the date is unknown."""
    return "" if as_of in ("", "unknown") else f" ({as_of})"
