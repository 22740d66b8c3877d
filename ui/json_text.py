"""Values as JSON: money as numbers, dates as ISO text, never NaN."""

from __future__ import annotations

import json
from collections.abc import Mapping, Set
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Any

from pydantic import BaseModel


def to_json(value: Any, *, indent: int | None = None) -> str:
    """JSON text of a domain value or of plain containers holding some. Raises ValueError on NaN and infinity."""
    return json.dumps(plain(value), ensure_ascii=False, allow_nan=False, indent=indent)


def plain(value: Any) -> Any:
    """The value in JSON's own types; Decimal becomes a number wherever it sits."""
    if isinstance(value, BaseModel):
        return plain(value.model_dump(mode="python", by_alias=True))
    if isinstance(value, Mapping):
        return {_key(key): plain(item) for key, item in value.items()}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=str)
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _key(key: Any) -> str:
    return str(key.value) if isinstance(key, Enum) else str(key)
