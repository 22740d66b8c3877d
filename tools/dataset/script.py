"""How many characters make a token, by script: what tells of a text's length where its tokenizer is not at hand."""

from __future__ import annotations

import re
from collections import Counter

from tools.cost.span import Span

CHARACTERS_PER_TOKEN: dict[str, Span] = {
    "english": Span(3.2, 3.94, 4.6),
    "latin": Span(2.4, 3.1, 3.8),
    "code": Span(2.3, 3.1, 3.9),
    "cyrillic": Span(1.8, 2.6, 3.3),
    "cjk": Span(0.9, 1.4, 1.9),
    "other": Span(0.8, 1.7, 2.8),
}
"""Characters a token: few with vocabularies of 32,000 entries, many with those of 128,000 and more. English: 3.17 of Llama 2 and
3.94 of Llama 3 (The Llama 3 Herd of Models, arXiv:2407.21783, section 3.2). The others are planning assumptions that follow the
order of arXiv:2305.15425 (the same sentences take more tokens in other languages and scripts)."""

ENGLISH = frozenset("the of and to in is that for it with as are this be on".split())  # noqa: SIM905  # one line reads better
ENGLISH_SHARE = 0.12
"""Share of those words from which a text counts as English; in English prose they make a fifth to a quarter."""
CODE_SHARE = 0.08
"""Share of brackets, operators and semicolons from which it counts as code."""
SAMPLE = 4000
"""Characters of a text that are looked at."""

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_CYRILLIC = re.compile(r"[\u0370-\u052f]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_LETTER = re.compile(r"[^\W\d_]")
_CODE = re.compile(r"[{}()\[\];=<>_/\\]")
_WORD = re.compile(r"[A-Za-z']+")


def script_of(text: str) -> str:
    """The kind of a text, a key of `CHARACTERS_PER_TOKEN`."""
    sample = text[:SAMPLE]
    letters = len(_LETTER.findall(sample))
    if not letters:
        return "other" if sample.strip() else "latin"
    counts = {
        "cjk": len(_CJK.findall(sample)),
        "cyrillic": len(_CYRILLIC.findall(sample)),
        "latin": len(_LATIN.findall(sample)),
    }
    kind = max(counts, key=lambda name: counts[name])
    if counts[kind] < letters / 2:
        return "other"
    if kind != "latin":
        return kind
    if len(_CODE.findall(sample)) > CODE_SHARE * len(sample):
        return "code"
    words = [word.lower() for word in _WORD.findall(sample)]
    return "english" if sum(word in ENGLISH for word in words) >= ENGLISH_SHARE * max(1, len(words)) else "latin"


def estimated_tokens(text: str) -> tuple[float, str]:
    """(expected tokens, script) of a text."""
    script = script_of(text)
    return len(text) / CHARACTERS_PER_TOKEN[script].expected, script


def spread_of(scripts: Counter[str]) -> tuple[float, float]:
    """(low, high) of a count over the expected one, for a mixture of scripts weighted by their tokens."""
    total = sum(scripts.values()) or 1
    low = sum(share * CHARACTERS_PER_TOKEN[name].expected / CHARACTERS_PER_TOKEN[name].high for name, share in scripts.items()) / total
    high = sum(share * CHARACTERS_PER_TOKEN[name].expected / CHARACTERS_PER_TOKEN[name].low for name, share in scripts.items()) / total
    return (low or 1.0), (high or 1.0)
