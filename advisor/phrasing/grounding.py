"""The guard: no figure from nowhere, no verdict turned round, no marker that points to nothing."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from advisor.answer import ToolResult
from tools.estimate import Citation
from tools.units import GB, GIB, TIB

UNITS: dict[str, tuple[tuple[float, ...], tuple[str, ...]]] = {
    "GiB": ((GIB, 1.0), ("bytes", "gib", "parts", "breakdown", "phases", "memory")),
    "TiB": ((TIB, 1024.0), ("bytes", "gib", "parts", "breakdown", "phases", "memory")),
    "GB": ((GB, 1.0), ("bytes", "gb", "memory", "storage", "note")),
    "TB": ((1e12, 1000.0, 1.0), ("bytes", "gb", "storage", "note", "gib")),
    "min": ((1 / 60, 60.0, 1.0), ("hours", "minutes", "seconds", "interval", "loss")),
    "h": ((1.0, 1 / 60, 3600.0), ("hours", "minutes", "seconds", "deadline", "interval", "loss")),
    "%": ((0.01, 1.0), ()),
    "money": ((1.0,), ("usd", "cost", "price", "saving", "budget", "charge", "eur")),
}
"""Unit -> factors by which a known number may be divided, and words of the keys it may stand under (none: any key)."""

_NUMBER = r"\d{1,3}(?:[.,]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?"
_FIGURE = re.compile(
    rf"(?<![\w.,/^:=#+-])({_NUMBER})(?![\w:/-]|[.,]\d)\s?(GiB|TiB|GB|TB|min|h\b|Std|Stunden|hours?|%|USD|EUR|CHF|GBP|\$|€)?"
)
_RANGE = re.compile(rf"({_NUMBER})(?: (?:GiB|TiB|h|min|USD|EUR|CHF|GBP|tokens/s|Token/s))?(?:\*\*)? \(({_NUMBER})(?: \w+)?–({_NUMBER})")
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_MARKER = re.compile(r"\[\d+\]")
_CODE = re.compile(r"`[^`]*`")
_LINK = re.compile(r"https?://\S+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?![\[(])|\n")
_STATED = re.compile(
    r"\byou(?:r| say| state| said| stated)?\b|\bas (?:given|stated)\b|\bgenannt|\bangegeben|\bIhre?[mnrs]?\b|\bwie gefragt\b", re.IGNORECASE
)
_FITS = re.compile(r"^\W*(?:it fits|yes, that fits|das passt\.|das passt:|ja, das passt)", re.IGNORECASE)
_FITS_NOT = re.compile(
    r"^\W*(?:it does not fit|no, that does not fit|none of it fits|das passt nicht|nein, das passt nicht|nichts davon passt)", re.IGNORECASE
)

Known = list[tuple[str, float]]


def check(text: str, results: Sequence[ToolResult], citations: Sequence[Citation], question: str) -> list[str]:
    """Faults of an answer; empty where every figure, verdict and marker holds.

    A figure must stand in a result, in the quote of a marker of its own sentence, or, where the sentence says that the user
    stated it, in the question. Names, versions, dates that a source carries, and code are no figures.
    """
    known = [pair for result in results for pair in _numbers("", _of_interest(result))]
    faults = _markers(text, citations) + _dates(text, results, citations) + _verdicts(text, results)
    names = _names(results)
    asked = list(_numbers("", question))
    for line in text.splitlines():
        here = [citation for citation in citations if citation.marker and citation.marker in line]
        for sentence in _SENTENCE.split(line):
            quotes = " ".join(citation.quote for citation in here if citation.marker in sentence or _quoted(sentence, citation))
            passages = list(_numbers("", quotes))
            stated = asked if _STATED.search(sentence) else []
            for number, unit in _FIGURE.findall(_stripped(sentence, names)):
                if not any(_matches(number, unit, key, value) for key, value in known) and not any(
                    _matches(number, "", key, value) for key, value in [*passages, *stated]
                ):
                    faults.append(f"figure from nowhere: {number} {unit}".strip())
    return faults + _ranges(text, results)


def _quoted(sentence: str, citation: Citation) -> bool:
    """Whether a sentence stands word for word in a citation's quote; its marker then closes the run of sentences."""
    words = " ".join(_MARKER.sub(" ", html.unescape(sentence)).split())
    return bool(words) and words in " ".join(citation.quote.split())


def _of_interest(result: ToolResult) -> dict[str, Any]:
    """Arguments and result; passages of the guide count only through their markers."""
    if result.tool == "search_knowledge":
        return {}
    return {"arguments": result.arguments, "result": result.result}


def _numbers(path: str, value: Any) -> Iterable[tuple[str, float]]:
    """(path of keys, number) of every number in a JSON value and in its strings."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield path, float(value)
    elif isinstance(value, str):
        for found in re.findall(_NUMBER, value):
            for reading in _readings(found):
                yield path, reading[0]
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield from _numbers(f"{path}.{key}", part)
    else:
        for part in value:
            yield from _numbers(path, part)


def _readings(number: str) -> list[tuple[float, int]]:
    """(value, decimals) of a printed number in the German and the English form."""
    found = []
    for group, point in ((",", "."), (".", ",")):
        whole, _, decimals = number.partition(point)
        if re.fullmatch(rf"\d{{1,3}}(?:\{group}\d{{3}})+|\d+", whole) and (decimals.isdigit() or not decimals):
            digits = whole.replace(group, "")
            found.append((float(f"{digits}.{decimals}" if decimals else digits), len(decimals)))
    return found


def _matches(number: str, unit: str, key: str, value: float) -> bool:
    factors, words = _unit(unit)
    if words and "error" not in key and not any(word in key.lower() for word in words):
        return False
    return any(abs(abs(value) / factor - shown) <= 0.5 * 10.0**-places + 1e-9 for shown, places in _readings(number) for factor in factors)


def _unit(unit: str) -> tuple[tuple[float, ...], tuple[str, ...]]:
    if unit in ("Std", "Stunden", "hour", "hours"):
        return UNITS["h"]
    if unit in ("USD", "EUR", "CHF", "GBP", "$", "€"):
        return UNITS["money"]
    if unit:
        return UNITS[unit]
    return (1.0, GIB, TIB, 1e6, 1e9, 1e12), ()


def _stripped(sentence: str, names: Sequence[str]) -> str:
    """A sentence without code, links, markers, dates and the names in the results."""
    for pattern in (_CODE, _LINK, _MARKER, _DATE):
        sentence = pattern.sub(" ", sentence)
    for name in names:
        if name in sentence:
            sentence = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", sentence)
    return re.sub(r"\bCUDA \d+(?:\.\d+)?|\b[A-Z][A-Za-z]*[ -]\d+(?:\.\d+)?(?=[A-Za-z])|\d+× ", " ", sentence)


def _names(results: Sequence[ToolResult]) -> list[str]:
    """Strings of the results that are names with digits in them, longest first."""
    found: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, str):
            if 1 < len(value) <= 80 and any(char.isdigit() for char in value) and any(char.isalpha() for char in value):
                found.update((value, value.rsplit("/", 1)[-1]))
        elif isinstance(value, Mapping):
            for part in value.values():
                collect(part)
        elif isinstance(value, (list, tuple)):
            for part in value:
                collect(part)

    for result in results:
        if result.tool != "search_knowledge":
            collect({"arguments": result.arguments, "result": result.result})
    return sorted(found, key=len, reverse=True)


def _markers(text: str, citations: Sequence[Citation]) -> list[str]:
    known = {citation.marker for citation in citations}
    return [f"marker without a citation: {marker}" for marker in dict.fromkeys(_MARKER.findall(text)) if marker not in known]


def _dates(text: str, results: Sequence[ToolResult], citations: Sequence[Citation]) -> list[str]:
    known = str([(result.arguments, result.result) for result in results]) + str(
        [(citation.as_of, citation.quote) for citation in citations]
    )
    return [f"date from nowhere: {found}" for found in dict.fromkeys(_DATE.findall(text)) if found not in known]


def _verdicts(text: str, results: Sequence[ToolResult]) -> list[str]:
    """An opening that says *fits* needs a result that says so, and one that says it does not needs one that does not."""
    verdicts = [result.result.get("verdict") or {} for result in results if result.tool == "estimate_memory"]
    plans = any(result.tool == "plan_job" and result.result.get("plans") for result in results)
    said = {verdict.get("fits") for verdict in verdicts}
    faults = []
    for line in text.splitlines():
        if _FITS_NOT.search(line) and False not in said and "conditional" not in said:
            faults.append("says that it does not fit, and no result says so")
        elif _FITS.search(line) and not _FITS_NOT.search(line) and not said & {True, "conditional"} and not plans:
            faults.append("says that it fits, and no result says so")
    return faults


def _ranges(text: str, results: Sequence[ToolResult]) -> list[str]:
    """`9.4 GiB (8.1–11.2)` must be the low, expected and high of one estimate."""
    triples = [triple for result in results for triple in _triples(result.result)]
    faults = []
    for middle, low, high in _RANGE.findall(text):
        if not any(
            all(
                _matches(shown, "", "", value) or _matches(shown, "min", "hours", value)
                for shown, value in zip((low, middle, high), triple, strict=True)
            )
            for triple in triples
        ):
            faults.append(f"not a range of any estimate: {middle} ({low}–{high})")
    return faults


def _triples(value: Any) -> Iterable[tuple[float, float, float]]:
    if isinstance(value, Mapping):
        if {"low", "expected", "high"} <= set(value):
            yield float(value["low"]), float(value["expected"]), float(value["high"])
        for part in value.values():
            yield from _triples(part)
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _triples(part)
