"""BM25 over stems of both languages (Robertson and Zaragoza 2009), small enough to live in memory."""

from __future__ import annotations

import math
import re
import threading
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

K1, B = 1.4, 0.6
"""Saturation and length normalisation; passages here are of similar length, so length counts little."""
TOPIC_WEIGHT = 2
"""A word of title or topics counts this often: they name the subject."""
WORD = re.compile(r"[a-zäöüß0-9][a-zäöüß0-9.+-]*[a-zäöüß0-9+]|[a-z0-9]", re.IGNORECASE)
STOP = frozenset(
    [
        "the",
        "a",
        "an",
        "and",
        "or",
        "of",
        "to",
        "in",
        "on",
        "for",
        "with",
        "is",
        "are",
        "be",
        "it",
        "its",
        "this",
        "that",
        "as",
        "at",
        "by",
        "from",
        "not",
        "no",
        "can",
        "does",
        "do",
        "if",
        "which",
        "what",
        "how",
        "when",
        "than",
        "then",
        "also",
        "only",
        "one",
        "i",
        "my",
        "me",
        "you",
        "your",
        "we",
        "our",
        "der",
        "die",
        "das",
        "den",
        "dem",
        "des",
        "ein",
        "eine",
        "einen",
        "einem",
        "einer",
        "und",
        "oder",
        "nicht",
        "mit",
        "für",
        "ist",
        "sind",
        "von",
        "zu",
        "zum",
        "zur",
        "im",
        "in",
        "auf",
        "an",
        "als",
        "es",
        "sich",
        "wie",
        "was",
        "wenn",
        "dass",
        "ich",
        "wir",
        "sie",
        "man",
        "kann",
        "auch",
        "nur",
        "noch",
        "bei",
        "aus",
        "nach",
        "mein",
        "meine",
        "einer",
        "wird",
        "werden",
        "hat",
        "haben",
    ]
)


_STEMMING = threading.Lock()
"""A stemmer keeps the word it works on; two threads in it read past its end."""


@cache
def _stemmers() -> tuple[Any, Any]:
    import snowballstemmer

    return snowballstemmer.stemmer("english"), snowballstemmer.stemmer("german")


@lru_cache(maxsize=50_000)
def _stems(word: str, language: str) -> tuple[str, ...]:
    english, german = _stemmers()
    with _STEMMING:
        stem = (german if language == "de" else english).stemWord(word)
    parts = [part for part in re.split(r"[-+.]", word) if len(part) > 2] if re.search(r"[-+]", word) else []
    return (stem, *parts) if parts else (stem,)


def terms(text: str, language: str) -> list[str]:
    """Stems of a text without stop words; parts of a hyphenated compound count beside the whole."""
    return [stem for word in WORD.findall(text.lower()) if word not in STOP for stem in _stems(word, language)]


class Bm25:
    """An index over documents given as (key, text, weighted text)."""

    def __init__(self, documents: Sequence[tuple[str, str, str]], language: str) -> None:
        """Count terms of every document."""
        self._language = language
        self._keys = [key for key, _, _ in documents]
        self._postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        self._lengths: list[int] = []
        for position, (_, text, topics) in enumerate(documents):
            counts = Counter(terms(text, language))
            for term in terms(topics, language):
                counts[term] += TOPIC_WEIGHT
            self._lengths.append(sum(counts.values()))
            for term, count in counts.items():
                self._postings[term].append((position, count))
        self._mean = sum(self._lengths) / max(1, len(self._lengths))

    def search(self, query: str, limit: int) -> list[tuple[str, float, float]]:
        """(key, score, share of the query's weight that matched), best first."""
        total = len(self._keys)
        scores: dict[int, float] = defaultdict(float)
        matched: dict[int, float] = defaultdict(float)
        weights = 0.0
        for term in dict.fromkeys(terms(query, self._language)):
            postings = self._postings.get(term, [])
            idf = math.log(1 + (total - len(postings) + 0.5) / (len(postings) + 0.5))
            weights += idf
            for position, count in postings:
                norm = K1 * (1 - B + B * self._lengths[position] / self._mean)
                scores[position] += idf * count * (K1 + 1) / (count + norm)
                matched[position] += idf
        best = sorted(scores, key=lambda position: (-scores[position], position))[:limit]
        return [(self._keys[position], scores[position], matched[position] / weights if weights else 0.0) for position in best]
