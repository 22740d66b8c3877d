"""Everything the parts of an answer look at."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import Any

from advisor.phrasing.cites import Cites
from advisor.phrasing.found import Found
from advisor.phrasing.reading import Reading
from advisor.slots import Understanding
from tools.units import Language


@dataclass(slots=True)
class View:
    """A turn about to be phrased."""

    u: Understanding
    found: Found
    reading: Reading | None
    question: str
    today: date
    currency: str
    cites: Cites = field(default_factory=Cites)

    @property
    def language(self) -> Language:
        """Language of the answer."""
        return self.u.language

    @property
    def card(self) -> dict[str, Any]:
        """Card of the accelerator in question (`AcceleratorCard`); empty where none was named."""
        return self.found.cards[0] if self.found.cards else {}

    @property
    def architecture(self) -> dict[str, Any]:
        """Card of the model in question (`ModelCard`); empty where none is known."""
        return self.found.models[0] if self.found.models else {}

    @property
    def variant(self) -> int:
        """A number that depends on the figures, so that two answers of one kind need not open alike."""
        if self.reading is None:
            return len(self.question)
        return self.reading.estimate.peak_device_bytes.expected // 2**26


def pick(view: View, *variants: tuple[str, str]) -> tuple[str, str]:
    """One of several ways to say the same, by the figures of the answer."""
    return variants[view.variant % len(variants)]
