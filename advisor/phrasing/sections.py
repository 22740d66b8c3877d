"""An answer as sections with a rank: what must stay, and what gives way to the length limit."""

from __future__ import annotations

from dataclasses import dataclass

WORD_CAP = 340
"""Hard limit of an answer in whitespace-separated words, tables included; beyond, nobody reads it."""


@dataclass(frozen=True, slots=True)
class Section:
    """A piece of text in its place; a higher rank gives way first."""

    rank: int
    text: str


def fitted(sections: list[Section], cap: int = WORD_CAP) -> str:
    """The sections joined, shortened to the cap: table rows of the last-ranked sections go first, then whole sections."""
    kept = [section for section in sections if section.text]
    while length(kept) > cap:
        worst = max(range(len(kept)), key=lambda index: (kept[index].rank, index))
        shorter = _without_last_row(kept[worst].text)
        if kept[worst].rank == 0 and shorter is None:
            break
        kept[worst : worst + 1] = [Section(kept[worst].rank, shorter)] if shorter else []
    return "\n\n".join(section.text for section in kept)


def length(sections: list[Section]) -> int:
    """Words of the joined text."""
    return sum(len(section.text.split()) for section in sections)


def _without_last_row(text: str) -> str | None:
    """A table with one row less while two remain; None where there is no table to shorten."""
    lines = text.split("\n")
    rows = [index for index, line in enumerate(lines) if line.startswith("|")]
    if len(rows) < 5:  # head, rule and two rows stay
        return None
    return "\n".join(line for index, line in enumerate(lines) if index != rows[-1])
