"""Everything of an answer that is not bookkeeping."""

from __future__ import annotations

from typing import Any

from advisor.slots import Route
from tools.base import Value
from tools.estimate import Citation
from tools.results import FitVerdict, MemoryEstimate, Plan


class Draft(Value):
    """A composed answer; the fields are those of `Answer` with the same names."""

    text: str
    """Markdown, verdict first, with [1]-style markers."""
    route: Route
    """What was done with the question."""
    verdict: FitVerdict | None = None
    """Fit over all readings of the question, where a card is in question."""
    memory: MemoryEstimate | None = None
    """The estimate behind the verdict."""
    plans: list[Plan] = []
    """Ranked ways to run the job."""
    citations: list[Citation] = []
    """What the markers point to, in order of their numbers."""
    asks: list[str] = []
    """Slots that would change the answer."""
    warnings: list[str] = []
    """What a user should know before paying."""
    follow_ups: list[str] = []
    """Questions that make sense next."""
    assumed: dict[str, Any] = {}
    """What nobody said, name -> value, over the results shown."""
