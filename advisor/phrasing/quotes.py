"""Sentences of the guide that answer the question, each with the marker of its passage."""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.phrasing.escape import plain
from advisor.phrasing.view import View
from tools.context import Passage

_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-ZÄÖÜ„\"`*(\d])")
_ABBREVIATION = re.compile(r"(?:\b(?:z|d|u|o|e|i|ca|bzw|etc|vs|approx|Mrd|Mio|Std|Nr|Abb|St)|\b[a-zA-Z])\.$")
_WORD = re.compile(r"[a-zäöüß0-9][a-zäöüß0-9.+-]{2,}", re.IGNORECASE)
PROSE = frozenset({"guide", "own"})
"""Kinds of passages that are written to be read; records have their own tables."""
LEAST_OVERLAP = 2
STEM = 6
"""Letters by which two word forms count as the same word; enough to tell topics apart in both languages."""
STOP = frozenset(
    word[:STEM]
    for words in (
        "the and for with that this from what which when how does have can are not you your will would should",
        "der die das und für mit dass ist ein eine einer eines einem auf bei was wie wenn kann sind nicht ich mein meine welche",
    )
    for word in words.split()
)


@dataclass(frozen=True, slots=True)
class Quote:
    """A sentence and where it stands."""

    sentence: str
    passage: Passage
    order: tuple[int, int]
    score: float


def guidance(view: View, *, words: int, passages: int = 2, beside: bool = False) -> str:
    """The sentences nearest to the question, at most `words` words from at most `passages` passages; empty where there are none.

    `beside` computed figures only sentences that share words with the question are worth the reader's time.
    """
    sources = [passage for passage in view.found.passages if passage.kind in PROSE and passage.language in (view.language, "")][:5]
    wanted = stems(view.question) | {topic.replace("_", " ")[:STEM] for topic in view.u.topics}
    quotes = [quote for rank, passage in enumerate(sources) for quote in _quotes(passage, rank, wanted, beside=beside)]
    best: dict[str, float] = {}
    for quote in quotes:
        best[quote.passage.id] = max(best.get(quote.passage.id, 0.0), quote.score)
    kept = set(sorted(best, key=lambda key: -best[key])[:passages])
    chosen: list[Quote] = []
    used = 0
    for quote in sorted((quote for quote in quotes if quote.passage.id in kept), key=lambda quote: -quote.score):
        length = len(quote.sentence.split())
        if used + length <= words or not chosen:
            chosen.append(quote)
            used += length
    return _together(view, sorted(chosen, key=lambda quote: quote.order))


def _together(view: View, chosen: list[Quote]) -> str:
    """Sentences in the order of their passages, each run of one passage closed by its marker."""
    parts: list[str] = []
    for quote in chosen:
        parts.append(f"{plain(quote.sentence)} {view.cites.passage(quote.passage, quote.sentence)}")
    return " ".join(parts)


def _quotes(passage: Passage, rank: int, wanted: set[str], *, beside: bool) -> list[Quote]:
    found = []
    for position, sentence in enumerate(sentences(passage.text)):
        own = stems(sentence)
        if len(sentence.split()) < 4 or len(sentence.split()) > 60:
            continue
        overlap = len(own & wanted)
        if beside and overlap < LEAST_OVERLAP:
            continue
        score = overlap / (len(own) + 6) ** 0.5 + (0.35 if position == 0 else 0.15 if position == 1 else 0.0) - 0.12 * rank
        found.append(Quote(sentence, passage, (rank, position), score))
    return found


def sentences(text: str) -> list[str]:
    """Sentences of a passage; headings, tables and code are left out, list items count as sentences."""
    lines: list[str] = []
    fenced = False
    for raw in text.splitlines():
        line = raw.strip()
        if line.startswith("```"):
            fenced = not fenced
        elif fenced or not line or line.startswith(("#", "|", "---")):
            lines.append("")
        elif line.startswith(("- ", "* ")):
            lines += ["", line[2:]]
        elif lines and lines[-1]:
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    found: list[str] = []
    for paragraph in filter(None, lines):
        for part in _SENTENCE.split(paragraph):
            if found and found[-1] is not None and _ABBREVIATION.search(found[-1]) and part:
                found[-1] += f" {part}"
            else:
                found.append(part)
        found = [sentence.strip() for sentence in found if sentence.strip()]
    return found


def stems(text: str) -> set[str]:
    """First letters of the words that carry meaning."""
    return {word.lower()[:STEM] for word in _WORD.findall(text)} - STOP
