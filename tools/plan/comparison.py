"""The caller's own alternatives side by side."""

from __future__ import annotations

from pydantic import Field

from tools.base import Value
from tools.estimate import Assumption, Citation
from tools.results import Plan


class ComparedPlan(Value):
    """One alternative."""

    name: str
    """What the caller calls it, else its cards."""
    plan: Plan | None
    """Its best plan; None where it cannot run."""
    problem: str = ""
    """Why it cannot run, with what it misses."""
    cost_ratio: float | None = Field(default=None, ge=0)
    """Cost of the run over that of the cheapest alternative; price per token where nothing was said of the data."""
    time_ratio: float | None = Field(default=None, ge=0)
    """Time over that of the fastest alternative."""


class Comparison(Value):
    """Alternatives in the caller's order, with who is cheapest and fastest per finished run."""

    model: str | None
    """Architecture id; None where no alternative could be worked out."""
    rows: list[ComparedPlan]
    """In the order in which they were given."""
    cheapest: str | None
    """Name of the alternative whose finished run costs least."""
    fastest: str | None
    """Name of the alternative that is done first."""
    alike: bool
    """The two cheapest differ by less than prices drift."""
    assumptions: list[Assumption] = []
    """What nobody said, shared by all."""
    citations: list[Citation] = []
    """Sources of the prices."""
    warnings: list[str] = []
    """Given once for the list."""
