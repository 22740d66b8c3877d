"""What the policy asks the tools to do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from tools.base import Value


class ToolCall(Value):
    """One call: name of a tool of the toolbox, and arguments its model accepts."""

    tool: str
    """Name as in the toolbox."""
    arguments: dict[str, Any]
    """Arguments in their public names (`model_config`, not the field's)."""

    @property
    def key(self) -> str:
        """Equal for equal calls; tells a repeated call from a new one."""
        return f"{self.tool} {json.dumps(self.arguments, sort_keys=True, default=str)}"


def once(calls: Iterable[ToolCall]) -> list[ToolCall]:
    """The calls in their order, equal ones once."""
    seen: dict[str, ToolCall] = {}
    for call in calls:
        seen.setdefault(call.key, call)
    return list(seen.values())
