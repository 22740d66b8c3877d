"""The line a control sends: `/set sequence_length=8192; region=` states values exactly, without being read as prose."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from advisor.slots import Slots

PREFIX = "/set"
_PAIR = re.compile(r"\s*([a-z_0-9]+)\s*=\s*(.*?)\s*$", re.DOTALL)


def settings_line(changes: Mapping[str, Any]) -> str:
    """Slot names and values as one line; None takes a value back. Inverse of `read_settings`."""
    parts = [f"{name}={'' if value is None else _written(value)}" for name, value in changes.items()]
    return f"{PREFIX} {'; '.join(parts)}"


def read_settings(text: str) -> dict[str, Any] | None:
    """Name -> value (None: taken back), or None where the text is no such line or names a slot or value there is not."""
    if not text.startswith(PREFIX + " "):
        return None
    changes: dict[str, Any] = {}
    for part in text.removeprefix(PREFIX).split(";"):
        found = _PAIR.match(part)
        if found is None or found[1] not in Slots.model_fields:
            return None
        changes[found[1]] = _read(found[2]) if found[2] else None
    try:
        Slots.model_validate({name: value for name, value in changes.items() if value is not None})
    except ValidationError:
        return None
    return changes


def _written(value: Any) -> str:
    if isinstance(value, str) and re.fullmatch(r"[\w.+/-]+( [\w.+/-]+)*", value) and _read(value) == value:
        return value
    return json.dumps(value, ensure_ascii=True).replace(";", "\\u003b")


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
