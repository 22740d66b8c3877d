"""Sentences of the guide that answer the question, each with the marker of its passage."""

from __future__ import annotations

import math
import re

from advisor.phrasing.escape import plain
from advisor.phrasing.view import View
from tools.context import Passage

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ„\"`*(\d])")
_ABBREVIATION = re.compile(r"(?:\b(?:z|d|u|o|e|i|ca|bzw|etc|vs|approx|Mrd|Mio|Std|Nr|Abb|St)|\b[a-zA-Z])\.$")
_WORD = re.compile(r"[a-zäöüß0-9][a-zäöüß0-9.+-]{2,}", re.IGNORECASE)
PROSE = frozenset({"guide", "own"})
"""Kinds of passages that are written to be read; records have their own tables."""
LEAST_OVERLAP = 2
NEARLY = 0.75
"""A passage whose score is at least this part of the best one's joins it."""
_DIGIT = re.compile(r"\d")
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


def guidance(view: View, *, words: int, passages: int = 2, beside: bool = False) -> str:
    """The passages nearest to the question, at most `words` words: the first whole where there is room, else its nearest sentences.

    A further passage joins only where the retriever holds it for nearly as good. `beside` computed figures, only sentences
    that share words with the question are worth the reader's time. Empty where there is no passage.
    """
    sources = [passage for passage in view.found.passages if passage.kind in PROSE and passage.language in (view.language, "")]
    near = [passage for passage in sources if passage.score >= NEARLY * sources[0].score][:passages]
    wanted = stems(view.question) | {topic.replace("_", " ")[:STEM] for topic in view.u.topics}
    parts: list[str] = []
    for passage in near:
        left = words - sum(len(part.split()) for part in parts)
        chosen = _chosen(passage, wanted, left, beside=beside, first=not parts)
        if chosen:
            parts.append(_marked(view, passage, chosen))
    return "\n\n".join(parts)


def _chosen(passage: Passage, wanted: set[str], words: int, *, beside: bool, first: bool) -> list[str]:
    """Sentences of one passage in their order, within a number of words."""
    found = sentences(passage.text)
    if beside:
        found = [sentence for sentence in found if len(stems(sentence) & wanted) >= LEAST_OVERLAP]
    elif sum(len(sentence.split()) for sentence in found) <= words:
        return found
    nearest = sorted(range(len(found)), key=lambda index: (-_nearness(found[index], wanted), index))
    kept: list[int] = []
    for index in nearest:
        length = len(found[index].split())
        if length <= words or (first and not kept and not beside):
            kept.append(index)
            words -= length
    return [found[index] for index in sorted(kept)]


def _nearness(sentence: str, wanted: set[str]) -> float:
    own = stems(sentence)
    return len(own & wanted) / math.sqrt(len(own) + 6)


def _marked(view: View, passage: Passage, chosen: list[str]) -> str:
    """The sentences with the marker of their passage: at the end, and at each sentence that holds a figure."""
    mark = view.cites.passage(passage, " ".join(chosen))
    last = len(chosen) - 1
    return " ".join(f"{plain(text)} {mark}" if index == last or _DIGIT.search(text) else plain(text) for index, text in enumerate(chosen))


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
