"""One turn by itself: names, quantities and terms, what is taken back, what is a log."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from advisor.understanding.names import Found, Names
from advisor.understanding.normalise import is_log, normalise, without_log_lines
from advisor.understanding.numbers import ANY, value_of
from advisor.understanding.quantities import read_quantities
from advisor.understanding.quantity_actions import Reading, context_length
from advisor.understanding.terms import GENERAL_METHODS, TABLES, negated

COUNT_BEFORE = re.compile(
    rf"(?i)(?:(?P<m>\d{{1,3}})\s*(?:nodes?|knoten|servers?|machines?|maschinen)?\s*(?:[x*à]|with|mit|je)\s*)?(?<![\d.,])(?P<n>{ANY}|a|an)(?:\s*[x*]|\s+stück|\s+(?:rented|gemietete[rn]?|nvidia|cards? of|张|块))?\s*[张块]?\s*$"
)
SIZE_BARE = re.compile(r"^ (?P<n>40|80|16|32|94|96|141)(?![\w.,]*[\w])")
SIZE_BEFORE = re.compile(r"(?i)(?P<n>\d{1,3})(?:er|[- ]?gi?b?)[- 的]$")
SIZE_INSIDE = re.compile(r"(?i)(?<![\d.])(?P<n>\d{1,3})\s*gi?b?$")
COUNT_AFTER = re.compile(
    r"(?i)^\s*(?:(?:gb|g|gib)\s*)?(?:\(?\s*[x*]\s*(?P<n>\d{1,3})\b|[,:]?\s*(?P<n2>\d{1,3})\s*(?:stück|cards?|gpus?|karten)\b)"
)
SIZE_AFTER = re.compile(r"(?i)^\s*(?:\(|-|de |with |mit |à )?\s*(?P<n>\d{1,3})\s*(?:gib|gb|g)\b")
CARDS = re.compile(
    rf"(?i)(?<![\w.])(?P<n>{ANY})\s*(?:[x*]\s*)?(?:separate |einzelne |such |of (?:those|these|the) |of them|davon|dieser |gpus?\b|karten\b|cards?\b|grafikkarten\b|stück\b|张)"
)
OF_THEM = re.compile(
    rf"(?i)(?:\b(?:und|and|what about|wenn ich|mit|with|take|nehme|use)\s+)(?P<n>(?!ein|one|a\b){ANY})(?:\s+(?:nehme|davon|of (?:them|those|these)|instead|stattdessen|nutze|use|take))?\s*(?:[?.!,]|$)"
)
CHECKPOINTING = re.compile(
    r"(?i)(?P<off>(?:no|ohne|without|kein\w*)\s+)?(?:(?:gradient|activation)[_ -]?(?:checkpoint\w*)|grad[_ -]?ckpt|aktivierungs-?checkpoint\w*|gradienten-?checkpoint\w*)"
    r"(?P<tail>\s*[:=]?\s*(?:false|off|aus|disabled|no\b))?"
)
RESUME = re.compile(
    r"(?i)(?P<off>(?:no|not|ohne|without|kein\w*|cannot|can't|nicht|never)\s+(?:\w+\s+){0,2})?(?P<word>resum\w*|resume_from_checkpoint|fortsetz\w*|wiederaufnehm\w*|wiederaufnahme|weitermach\w*)"
    r"(?P<tail>\s*(?:=\s*false|geht nicht|nicht|doesn't work|is broken))?"
)
BARE_CONTEXT = re.compile(
    r"(?:^|[\s,;(/])(?:(?P<n>2048|4096|8192|16384|32768|65536|131072)|(?<=[,;(/ ])(?P<k>\d{1,3})k)(?=\s*(?:[,;)/?!]|$))", re.IGNORECASE
)
"""A length without its word: a power of two from 2,048 on, or `2k` between commas."""
SLOT_OF = {
    "accelerator": "accelerator",
    "instance": "accelerator",
    "model": "model",
    "family": "model",
    "unknown": "model",
    "provider": "provider",
}


@dataclass(frozen=True)
class TurnReading:
    """What one turn says."""

    text: str
    values: Mapping[str, list[Any]]
    removed: Mapping[str, frozenset[str]]
    """Slot -> words taken back (`*` for all)."""
    unknown_names: Mapping[str, list[str]]
    log: bool
    premises: tuple[str, ...] = ()
    words: frozenset[str] = field(default=frozenset())


def read_turn(text: str, names: Names) -> TurnReading:
    """Read one turn; never raises on any text."""
    plain = normalise(text)
    log = is_log(plain)
    reading = Reading(without_log_lines(plain) if log else plain)
    removed: dict[str, set[str]] = {}
    unknown: dict[str, list[str]] = {}
    _read_frameworks(reading)
    found = [*names.find(_without_frameworks(plain) if log else reading.text), *names.provider_like(reading.text)]
    _read_names(reading, found, plain, removed, unknown)
    read_quantities(reading)
    _read_counts(reading)
    _read_switches(reading)
    _read_terms(reading, removed)
    for name, taken in reading.removed.items():
        removed.setdefault(name, set()).update(taken)
    _settle(reading)
    _settle_memory(reading, names)
    premises = tuple(reading.values.pop("german_billion", []) and ["german_billion"])
    words = frozenset(re.findall(r"[a-zäöüß][a-zäöüß-]*", plain.lower()))
    return TurnReading(plain, reading.values, {name: frozenset(gone) for name, gone in removed.items()}, unknown, log, premises, words)


def _read_frameworks(reading: Reading) -> None:
    """Trainers first: some carry the name of a model family."""
    for pattern, word in TABLES["framework"]:
        for match in pattern.finditer(reading.text):
            reading.put("framework", word)
            reading.blank(*match.span())


def _without_frameworks(text: str) -> str:
    for pattern, _ in TABLES["framework"]:
        text = pattern.sub(lambda match: " " * len(match.group()), text)
    return text


def _read_names(reading: Reading, found: list[Found], plain: str, removed: dict[str, set[str]], unknown: dict[str, list[str]]) -> None:
    same = len(reading.text) == len(plain)
    for hit in found:
        slot = SLOT_OF[hit.kind]
        if negated(plain, hit.start):
            removed.setdefault(slot, set()).add(hit.value)
        else:
            value = hit.value
            if slot == "accelerator":
                value = _card(reading, hit, plain)
            reading.put(slot, value)
            if hit.quantised:
                reading.put("quantization", "nf4")
            if hit.suggestions and hit.kind in ("unknown", "provider"):
                unknown[hit.value] = [near for near in hit.suggestions if near != "?"]
        if same:
            reading.blank(hit.start, hit.end)
    if not same:
        for hit in found:
            position = reading.text.find(plain[hit.start : hit.end])
            if position >= 0:
                reading.blank(position, position + hit.end - hit.start)


def _card(reading: Reading, hit: Found, plain: str) -> str:
    """The card with what stands around it: its count before or after, its memory after."""
    if hit.count:
        reading.put("accelerator_count", hit.count)
    before, after = plain[max(0, hit.start - 24) : hit.start], plain[hit.end : hit.end + 24]
    if match := COUNT_BEFORE.search(before):
        word = match["n"].lower()
        number = 1 if word in ("a", "an") else value_of(match["n"])
        if 1 <= number <= 4096 and number == int(number):
            if match["m"]:
                reading.put("nodes", int(match["m"]))
            if word not in ("a", "an", "ein", "eine", "einer", "einem", "einen", "una", "une", "uma", "one") or "one" in word:
                reading.put("accelerator_count", int(number) * int(match["m"] or 1))
            elif word in ("eine", "einer", "ein", "a", "an") and re.search(r"(?i)\b(?:nur|only|single|just|reicht|passt|fit)\b", plain):
                reading.put("accelerator_count", 1)
            if len(plain) == len(reading.text):
                start = max(0, hit.start - 24) + match.start()
                reading.blank(start, hit.start)
    elif match := COUNT_AFTER.search(after):
        reading.put("accelerator_count", int(match["n"] or match["n2"]))
    if inside := SIZE_INSIDE.search(plain[hit.start : hit.end]):
        reading.put("vram_gib", int(inside["n"]))
    if match := SIZE_AFTER.search(after) or SIZE_BARE.search(after) or SIZE_BEFORE.search(before):
        if match.re is not SIZE_BARE:
            reading.put("vram_gib", int(match["n"]))
        if hit.value == plain[hit.start : hit.end] and not re.search(r"\d\s*gb$", hit.value, re.IGNORECASE):
            if len(plain) == len(reading.text) and match.re is not SIZE_BEFORE:
                reading.blank(hit.end, hit.end + match.end())
            return f"{hit.value} {match['n']}GB"
    return hit.value


def _read_counts(reading: Reading) -> None:
    """Cards without a name: `four GPUs`, `und wenn ich vier nehme`."""
    if "accelerator_count" in reading.values:
        return
    for pattern in (CARDS, OF_THEM):
        for match in pattern.finditer(reading.text):
            number = value_of(match["n"])
            if 1 <= number <= 4096 and number == int(number):
                reading.put("accelerator_count", int(number))
                reading.blank(*match.span("n"))


def _read_switches(reading: Reading) -> None:
    for match in CHECKPOINTING.finditer(reading.text):
        reading.put("activation_checkpointing", "none" if match["off"] or match["tail"] else "full")
        reading.blank(*match.span())
    for match in RESUME.finditer(reading.text):
        reading.put("resume", not (match["off"] or match["tail"]))


def _read_terms(reading: Reading, removed: dict[str, set[str]]) -> None:
    for slot, table in TABLES.items():
        if slot == "framework":
            continue
        for pattern, word in table:
            for match in pattern.finditer(reading.text):
                value = _term(match, word)
                if negated(reading.text, match.start()):
                    removed.setdefault(slot, set()).add(value)
                else:
                    reading.put(slot, value)
                if slot != "features":
                    reading.blank(*match.span())


LABEL_TOLERANCE = 0.12
"""Share by which a size people write differs from a card's label: 44.4 of 48, 79 of 80."""


def _settle_memory(reading: Reading, names: Names) -> None:
    """Beside a named card only its own size is the card's; other sizes are needs, readings or sums."""
    sizes, labels = reading.values.get("vram_gib", []), names.labels(reading.values.get("accelerator", []))
    if not sizes or not labels:
        return
    own = [size for size in sizes if any(abs(size / label - 1) <= LABEL_TOLERANCE for label in labels)]
    if own or len(sizes) > 1 or not CLAIMED.search(reading.text):
        reading.values["vram_gib"] = own
        if not own:
            del reading.values["vram_gib"]


CLAIMED = re.compile(r"(?i)\b(?:has|have|hat|haben)\b")
"""A size that a card is said to have stays, right or wrong: a wrong one is corrected in the answer."""


def _term(match: re.Match[str], word: str) -> str:
    """The word of the contract; some tables pass on what was written."""
    if word == "=":
        return match.group().strip().replace(" ", "")
    if word == "gbe":
        return f"{match['gbps']}GbE"
    if word == "stage":
        return f"zero{match['stage']}"
    return match["place"] if word == "place" else word


def _settle(reading: Reading) -> None:
    """What follows inside one turn: quantised LoRA is QLoRA, exact methods beat general words."""
    values = reading.values
    methods = values.get("method", [])
    if {"lora", "qlora", "dora"} & set(methods):
        methods = [word for word in methods if word not in GENERAL_METHODS]
    if "price_per_hour" in values and "budget" in values and not re.search(r"(?i)budget|presupuesto|höchstens|at most|max", reading.text):
        # `0.20 or 0.40 an hour`: the unit stands once
        values["price_per_hour"] = [*values.pop("budget"), *values["price_per_hour"]]
    stored = values.get("quantization", [])
    if stored and ("lora" in methods or not methods) and "full" not in methods and not {"qlora"} & set(methods):
        four = [word for word in stored if word in ("nf4", "int4")]
        if four and (methods or "model" in values or "parameters_billion" in values):
            methods = ["qlora" if word == "lora" else word for word in methods] or ["qlora"]
    if "qlora" in methods and "lora" in methods and not re.search(r"(?i)\bvs\b|versus|oder|\bor\b|vergleich|compare|statt|,", reading.text):
        methods = [word for word in methods if word != "lora"]
    if methods:
        values["method"] = methods
    if "save_steps" in values and "resume" not in values:
        values["resume"] = [True]  # a trainer that saves by steps resumes from what it saved
    if "sequence_length" not in values and (bare := BARE_CONTEXT.search(reading.text)):
        values["sequence_length"] = [context_length(bare["n"] or bare["k"], "k" if bare["k"] else None)]
