"""The turn in progress: what the graph's nodes share and no checkpoint holds."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

from advisor.answer import ToolResult
from advisor.phrasing.draft import Draft
from advisor.slots import Understanding


@dataclass(slots=True)
class Turn:
    """One question being answered."""

    questions: Sequence[str]
    """The user's turns, this one last."""
    currency: str
    """Currency of costs where the question names none."""
    forced_language: str | None = None
    """Language the caller asked for, whatever the question's."""
    understanding: Understanding | None = None
    """Reading of the questions, once made."""
    rounds: int = 0
    """Rounds of tool calls asked for."""
    results: dict[str, ToolResult] = field(default_factory=dict)
    """Results by tool call id; the graph's state holds only their ids."""
    order: list[str] = field(default_factory=list)
    """Tool call ids in the order in which they were asked for."""
    draft: Draft | None = None
    """The composed answer, once made."""

    def record(self, call_id: str, tool: str, arguments: dict[str, Any], result: dict[str, Any]) -> None:
        """Keep a result."""
        self.results[call_id] = ToolResult(tool=tool, arguments=arguments, result=result)

    def done(self) -> list[ToolResult]:
        """Results in the order of their calls; a call without a result is left out."""
        return [self.results[call_id] for call_id in self.order if call_id in self.results]


current_turn: ContextVar[Turn] = ContextVar("current_turn")
"""Set around a run of the graph; tasks and threads of the run inherit it."""
