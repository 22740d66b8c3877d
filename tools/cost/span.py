"""An uncertain figure while it is being computed: `tools.estimate.Estimate` without its checks, since planning makes thousands."""

from __future__ import annotations

from typing import NamedTuple

from tools.estimate import Estimate


class Span(NamedTuple):
    """Low, expected and high end, in the unit of the name that holds it."""

    low: float
    expected: float
    high: float

    @property
    def estimate(self) -> Estimate[float]:
        """The checked figure that leaves a tool."""
        return Estimate[float](low=self.low, expected=self.expected, high=self.high)


NOTHING = Span(0.0, 0.0, 0.0)
