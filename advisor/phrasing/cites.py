"""Markers of an answer and what they point to."""

from __future__ import annotations

from tools.context import Passage
from tools.estimate import Citation


class Cites:
    """Numbers citations in the order in which the text needs them; the same source keeps its number."""

    def __init__(self) -> None:
        self._known: dict[str, Citation] = {}

    def mark(self, citation: Citation) -> str:
        """`[1]` for a citation; quotes of the same source are joined."""
        known = self._known.get(citation.id)
        if known is None:
            known = citation.model_copy(update={"marker": f"[{len(self._known) + 1}]"})
        elif citation.quote and citation.quote not in known.quote:
            known = known.model_copy(update={"quote": f"{known.quote} {citation.quote}".strip()})
        self._known[citation.id] = known
        return known.marker

    def passage(self, passage: Passage, quote: str) -> str:
        """Marker of a passage with the words taken from it."""
        return self.mark(Citation(id=passage.id, title=passage.title, source=passage.source, as_of=passage.as_of, quote=quote))

    def used_in(self, text: str) -> list[Citation]:
        """The citations whose markers the text still holds."""
        return [citation for citation in self._known.values() if citation.marker in text]
