"""Any record as lines `name: value`, nested records indented; unknown is printed as unknown."""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import BaseModel

from tools.estimate import Estimate
from ui.text_value import value_text


def card_text(record: BaseModel) -> list[str]:
    """Lines of the record, in the order of its fields."""
    return list(_lines(fields_of(record), ""))


def fields_of(record: BaseModel) -> dict[str, Any]:
    """Name -> value, computed fields included."""
    names = [*type(record).model_fields, *type(record).model_computed_fields]
    return {name: getattr(record, name) for name in names}


def _lines(fields: dict[str, Any], indent: str) -> list[str]:
    plain = {name: value for name, value in fields.items() if value not in (None, "", (), [], {})}
    width = max((len(str(name)) for name in plain), default=0) + 3
    lines: list[str] = []
    for name, value in plain.items():
        label = f"{name.value if isinstance(name, Enum) else name}".replace("_", " ") + ":"
        nested = _nested(value)
        if nested is None:
            lines.append(f"{indent}{label:<{width}}{value_text(value.value if isinstance(value, Enum) else value)}")
            continue
        lines.append(f"{indent}{label}")
        for entry in nested:
            lines.extend(_entry(entry, indent))
    return lines


def _entry(entry: Any, indent: str) -> list[str]:
    if isinstance(entry, BaseModel):
        inner = _lines(fields_of(entry), indent + "    ")
        return [f"{indent}  - {inner[0].strip()}", *inner[1:]] if inner else []
    if isinstance(entry, dict):
        return _lines(entry, indent + "  ")
    return [f"{indent}  - {value_text(entry)}"]


def _nested(value: Any) -> list[Any] | None:
    """Entries to print below the name, None for a value that goes beside it."""
    if isinstance(value, Estimate):
        return None
    if isinstance(value, dict):
        return [value]
    if isinstance(value, BaseModel):
        return [fields_of(value)]
    if isinstance(value, list | tuple) and any(
        isinstance(entry, BaseModel) or (isinstance(entry, str) and len(entry) > 40) for entry in value
    ):
        return list(value)
    return None
