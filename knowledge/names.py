"""Names as people write them: one normal form, an index of aliases, did-you-mean."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

SUFFIXES = frozenset(
    [
        "instruct",
        "chat",
        "it",
        "hf",
        "base",
        "pt",
        "bnb",
        "4bit",
        "8bit",
        "unsloth",
        "gptq",
        "awq",
        "int4",
        "int8",
        "fp8",
        "fp16",
        "bf16",
        "gguf",
        "4bits",
        "8bits",
        "nf4",
        "q4",
        "mlx",
        "inst",
        "sft",
        "dynamic",
    ]
)
"""Endings that name a tuning or a storage format of the same network."""
PREFIXES = frozenset(("meta", "nvidia", "amd", "google"))
"""Words before a name that add nothing to it."""

_SEPARATORS = re.compile(r"(?:[^\w.]|_)+")
_PARENTHESES = re.compile(r"\([^)]*\)")
_NEAR = 70.0
"""Similarity from which a spelling is worth suggesting: two letters wrong in a short name, three in a long one."""
_SAME_START = 20.0
"""Similarity that the same first four letters add: who errs in a version does not err in the family."""


def normal(name: str) -> str:
    """Lower case without separators, except where one stands between two digits (`Llama 3 8B` -> `llama3-8b`)."""
    return _joined(_SEPARATORS.split(_folded(name).replace("×", "x").replace("+", "plus")))


def _joined(words: Iterable[str]) -> str:
    """Words as one, with a hyphen where two digits would meet."""
    text = ""
    for word in words:
        text += f"-{word}" if text[-1:].isdecimal() and word[:1].isdecimal() else word
    return text.strip(".")


def _folded(text: str) -> str:
    """Compatibility form without case; folding may undo the form, so it comes first and last."""
    if text.isascii():  # nearly every name; there both forms are the text itself
        return text.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def without_owner(name: str) -> str:
    """`meta-llama/Llama-3.1-8B` -> `Llama-3.1-8B`; the slash of `ViT-L/16` has no owner before it."""
    owner, _, rest = name.rpartition("/")
    return rest if owner and re.search(r"[a-zA-Z]", rest) else name


def stem(name: str) -> str:
    """The normal form without owner, PREFIXES and SUFFIXES: `unsloth/Meta-Llama-3-8B-Instruct` -> `llama3-8b`."""
    words = [word for word in _SEPARATORS.split(_folded(without_owner(name))) if word]
    while len(words) > 1 and words[-1] in SUFFIXES:
        words.pop()
    while len(words) > 1 and words[0] in PREFIXES:
        words.pop(0)
    return _joined(words)


class AliasIndex:
    """Which ids a name may mean. Exact spellings win over spellings without owner, those over spellings without suffix."""

    def __init__(self, entries: Iterable[tuple[str, Sequence[str]]]) -> None:
        """Build from (id, aliases); the id is an alias of itself and owns its own spelling."""
        self._levels: tuple[dict[str, list[str]], ...] = ({}, {}, {})
        self._shown: dict[str, str] = {}
        listed = [(id_, tuple(aliases)) for id_, aliases in entries]
        for id_, _ in listed:
            self._add(id_, id_)
        for id_, aliases in listed:
            for alias in aliases:
                self._add(alias, id_)

    def _add(self, alias: str, id_: str) -> None:
        name = without_owner(alias)
        full = normal(alias)
        bare = full if name == alias else normal(name)
        self._shown.setdefault(bare, name)
        for level, key in zip(self._levels, (full, bare, stem(alias)), strict=True):
            owners = level.setdefault(key, [])
            if id_ not in owners:
                owners.append(id_)

    def lookup(self, name: str) -> tuple[str, ...]:
        """Ids the name means, in the order they were added; empty where nobody has heard of it."""
        for spelling in dict.fromkeys((name, _PARENTHESES.sub(" ", name).strip())):
            bare = normal(without_owner(spelling))
            for key, levels in ((normal(spelling), (0,)), (bare, (0, 1, 2)), (stem(spelling), (0, 1, 2))):
                for level in levels:
                    if owners := self._levels[level].get(key):
                        return tuple(owners)
        return ()

    def spellings(self) -> Iterator[tuple[str, str]]:
        """(alias without owner, id) of every unambiguous alias."""
        for key, owners in self._levels[1].items():
            if len(owners) == 1:
                yield self._shown[key], owners[0]

    def suggest(self, name: str, limit: int = 3) -> tuple[str, ...]:
        """The nearest known spellings, one per id."""
        from rapidfuzz import fuzz, process  # only when a name was not found
        from rapidfuzz.distance import OSA

        wanted = normal(without_owner(name))
        hits = process.extract(wanted, list(self._shown), scorer=fuzz.ratio, limit=None, score_cutoff=_NEAR - _SAME_START)
        # two letters in the wrong order are one error; among equals that decides
        ranked = sorted((-score - _SAME_START * (key[:4] == wanted[:4]), OSA.distance(key, wanted), key) for key, score, _ in hits)
        found: dict[str, str] = {}
        for score, _, key in ranked:
            if -score >= _NEAR:
                found.setdefault(self._levels[1][key][0], self._shown[key])
        return tuple(found.values())[:limit]
