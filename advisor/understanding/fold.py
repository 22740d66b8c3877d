"""The fold: turns in, one understanding out. Deterministic; a cache of single turns is all it remembers."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Any, Literal

from advisor.slots import Intent, Slots, Understanding
from advisor.understanding.intents import intent_of, topics_of
from advisor.understanding.language import language_of
from advisor.understanding.names import Names
from advisor.understanding.normalise import without_log_lines
from advisor.understanding.numbers import ANY, value_of
from advisor.understanding.premises import false_premises
from advisor.understanding.reading import TurnReading, read_turn
from advisor.understanding.refusals import refusal_of
from advisor.understanding.settings_line import read_settings

CACHED_TURNS = 4096
TIED: dict[str, tuple[str, ...]] = {
    "model": ("parameters_billion", "active_parameters_billion"),
    "parameters_billion": ("model", "active_parameters_billion"),
    "accelerator": ("vram_gib",),
    "vram_gib": ("accelerator",),
    "method": ("quantization", "lora_rank"),
    "dataset_tokens": ("dataset_examples", "tokens_per_example"),
    "dataset_examples": ("dataset_tokens",),
}
"""A slot that is set anew takes with it what belonged to its old value."""

_readings: OrderedDict[tuple[int, str], TurnReading] = OrderedDict()


def understand(turns: Sequence[str], names: Names, today: date) -> Understanding:
    """What all turns state and the last one asks. Raises nothing on any text."""
    del today  # deadlines stay the user's words; what they mean in hours depends on the clock of the answer
    slots: dict[str, Any] = {}
    language: Literal["en", "de"] = "en"
    question_language = "en"
    intent: Intent | None = None
    changed: frozenset[str] = frozenset()
    refusal = None
    turn = _read("", names)
    for position, text in enumerate(turns):
        settings = read_settings(text)
        if settings is not None:  # a control was moved: exact values, the question stays the one before
            turn, refusal = _read("", names), None
            changed = frozenset(name for name, value in settings.items() if slots.get(name) != _as_list(value))
            slots = _with_settings(slots, settings)
            intent = "memory_estimate" if intent in (None, "out_of_scope") else intent
            continue
        turn = _read(text, names)
        told = language_of(without_log_lines(turn.text) if turn.log else turn.text) or language_of(turn.text)
        if told is not None and not (position and len(turn.text.split()) < 3 and told not in ("de", "en")):
            question_language = told
            language = "de" if told == "de" else "en"
        refusal = refusal_of(turn, follows=intent not in (None, "out_of_scope") and bool(slots))
        if refusal is not None:
            changed = frozenset()
            if refusal in ("refuse_instruction", "out_of_scope"):  # it may name a subject, but it replaces nothing
                slots = {**{name: list(values) for name, values in turn.values.items()}, **slots}
            continue
        before = dict(slots)
        slots = merged(slots, with_short_answer(turn, slots, names))
        intent = intent_of(turn, slots, intent)
        changed = frozenset(name for name in {*before, *slots} if before.get(name) != slots.get(name))
    last: Intent = intent if intent is not None and refusal is None else _refused_intent(turn, refusal)
    return Understanding(
        slots=Slots.model_validate({name: _shaped(name, values) for name, values in slots.items()}),
        intent=last,
        language=language,
        question_language=question_language,
        refusal=refusal,
        changed=changed,
        unknown_names={name: list(near) for name, near in turn.unknown_names.items()} if refusal is None else {},
        false_premises=false_premises(turn, slots, names) if refusal is None else [],
        topics=topics_of(turn),
        pasted_log=turn.log,
    )


def _refused_intent(turn: TurnReading, refusal: str | None) -> Intent:
    """An instruction still has a subject; another subject has none of ours."""
    if refusal == "refuse_instruction":
        found = intent_of(turn, dict(turn.values), None)
        return "out_of_scope" if found == "general" else found
    return "out_of_scope"


def _read(text: str, names: Names) -> TurnReading:
    key = (id(names), text)
    if key in _readings:
        _readings.move_to_end(key)
        return _readings[key]
    reading = read_turn(text, names)
    _readings[key] = reading
    while len(_readings) > CACHED_TURNS:
        _readings.popitem(last=False)
    return reading


def _with_settings(slots: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    """The slots with exact values in place; what belonged to an old value goes with it, as in prose."""
    out = dict(slots)
    for name in settings:
        for tied in TIED.get(name, ()):
            if tied not in settings:
                out.pop(tied, None)
    out |= {name: _as_list(value) for name, value in settings.items()}
    return {name: values for name, values in out.items() if values}


def _as_list(value: Any) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list) else [value]


def merged(slots: dict[str, Any], turn: TurnReading) -> dict[str, Any]:
    """The slots after a turn: what it takes back is gone, what it sets replaces, what belonged to an old value goes with it."""
    out = dict(slots)
    for name, gone in turn.removed.items():
        left = [value for value in out.get(name, []) if value not in gone]
        if name in out:
            out[name] = left
        if name == "pricing_term" and "spot" in gone and name not in turn.values:
            out[name] = ["on_demand"]
    for name in turn.values:
        if name in out and out[name] == turn.values[name]:
            continue
        for tied in TIED.get(name, ()):
            if tied not in turn.values:
                out.pop(tied, None)
    if "method" in turn.values and "quantization" not in turn.values and turn.values["method"] != ["qlora"]:
        out.pop("quantization", None)
    if (
        "accelerator" in turn.values
        and "accelerator_count" not in turn.values
        and out.get("accelerator") not in (None, turn.values["accelerator"])
    ):
        out.pop("accelerator_count", None)
        out.pop("nodes", None)
    adds = re.search(r"(?i)^\s*(?:und|and|oder|or|also|auch)\b", turn.text) and "compare" in turn.words
    if turn.values.get("quantization") and "method" not in turn.values and out.get("method") == ["lora"]:
        out["method"] = ["qlora"]  # `und mit 4 Bit?` after LoRA
    if (
        out.get("nodes")
        and "nodes" in turn.values
        and "accelerator_count" not in turn.values
        and slots.get("nodes")
        and slots.get("accelerator_count")
    ):
        each = max(1, slots["accelerator_count"][0] // max(1, slots["nodes"][0]))
        out["accelerator_count"] = [each * turn.values["nodes"][0]]
    for name, values in turn.values.items():
        out[name] = [*out.get(name, []), *(value for value in values if value not in out.get(name, []))] if adds else list(values)
    return {name: values for name, values in out.items() if values}


SHORT_TURN = 8
"""Words of a turn that only changes what was said before."""
COUNT_ALONE = re.compile(
    rf"^\s*(?:und|and|oder|or|mit|with|what about|wie wäre es mit|dann|then|take|nimm|lieber)?\s*(?:mit|with)?\s*(?P<n>{ANY})"
    r"\s*(?:stück|davon|of (?:them|those)|instead|stattdessen|dann|then)?\s*(?:[?.!,;]|$|(?:aber|but|nur|only)\b)",
    re.IGNORECASE,
)
"""`zwei?`, `and with four`, `8, but only PCIe`: a number that can only count the cards spoken of."""
MOST_COUNTED = 64
BARE_LENGTH = re.compile(r"(?<![\w.,/-])(\d{3,6})(?![\w.,]*\w)(?!\s*(?:gi?b|€|\$|%|usd|eur|h\b))", re.IGNORECASE)


def with_short_answer(turn: TurnReading, slots: dict[str, Any], names: Names) -> TurnReading:
    """A short turn read in the light of the others: a bare number is another length, a bare size the sibling of the model."""
    values = dict(turn.values)
    if len(turn.text.split()) <= SHORT_TURN and "sequence_length" not in values and slots.get("sequence_length"):
        lengths = [int(found) for found in BARE_LENGTH.findall(turn.text) if int(found) % 64 == 0]
        if lengths:
            values["sequence_length"] = lengths
    alone = COUNT_ALONE.search(turn.text)
    if (
        alone
        and "accelerator_count" not in values
        and "sequence_length" not in values
        and (slots.get("accelerator") or slots.get("vram_gib"))
    ):
        count = value_of(alone["n"])
        if 1 <= count <= MOST_COUNTED and count == int(count):
            values["accelerator_count"] = [int(count)]
    sizes, before = values.get("parameters_billion", []), slots.get("model", [])
    if len(sizes) == 1 and len(before) == 1 and "model" not in values and (sibling := names.sibling(before[0], sizes[0])):
        values["model"] = [sibling]
    return replace(turn, values=values)


SINGLE = frozenset({"currency", "deadline", "cuda", "activation_checkpointing", "resume"})
LISTED = frozenset({"features"})


def _shaped(name: str, values: list[Any]) -> Any:
    """One value as itself, several as a list; some slots hold the last one."""
    if name in LISTED:
        return list(values)
    if name in SINGLE or len(values) == 1:
        return values[-1]
    return list(values)
