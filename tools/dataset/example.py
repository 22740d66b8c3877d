"""What a record of a training file holds: the texts of a chat, an instruction, a pair or a plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

CHAT_COLUMNS = ("messages", "conversations", "conversation", "chat", "dialogue")
CONTENT_KEYS = ("content", "value", "text")
PREFERENCE = ("chosen", "rejected")
INSTRUCTION = ("system", "instruction", "input", "context", "output", "response")
PAIRS = (
    ("prompt", "completion"),
    ("prompt", "response"),
    ("question", "answer"),
    ("query", "response"),
    ("source", "target"),
    ("input", "output"),
)
PLAIN = ("text", "content", "body", "document")


class Example(NamedTuple):
    """One training example."""

    kind: str
    """chat, preference, instruction, pair or text."""
    texts: tuple[str, ...]
    """What is tokenised, in order."""
    turns: int
    """Messages, each of which a chat template wraps; 0 for plain text."""


def example_of(record: Any) -> Example | None:
    """The example a record holds; None where no known column carries text."""
    if isinstance(record, str):
        return Example("text", (record,), 0) if record.strip() else None
    if not isinstance(record, Mapping):
        return None
    for name in CHAT_COLUMNS:
        if isinstance(record.get(name), Sequence) and not isinstance(record[name], str):
            return _chat(record[name])
    if all(record.get(name) for name in PREFERENCE):
        texts = [text for name in ("prompt", *PREFERENCE) for text in _texts(record.get(name))]
        return Example("preference", tuple(texts), len(texts))
    if record.get("instruction"):
        texts = [str(record[name]) for name in INSTRUCTION if record.get(name)]
        return Example("instruction", tuple(texts), 2)
    for first, second in PAIRS:
        if first in record and second in record:
            texts = [str(record[name]) for name in (first, second) if record[name]]
            return Example("pair", tuple(texts), 2) if texts else None
    plain = next((record[name] for name in PLAIN if isinstance(record.get(name), str) and record[name].strip()), None)
    return Example("text", (plain,), 0) if plain else None


def _chat(messages: Sequence[Any]) -> Example | None:
    texts = [text for message in messages for text in _texts(message)]
    return Example("chat", tuple(texts), len(messages)) if texts else None


def _texts(value: Any) -> list[str]:
    """Texts of a message: a string, a mapping with its content, or a list of such."""
    if isinstance(value, str):
        return [value] if value else []
    if isinstance(value, Mapping):
        return next((_texts(value[key]) for key in CONTENT_KEYS if value.get(key)), [])
    if isinstance(value, Sequence):
        return [text for part in value for text in _texts(part)]
    return []
