"""The built-in brain: a chat model that needs no language model."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import ConfigDict, SkipValidation

from advisor.brain.turn import Turn, current_turn
from advisor.phrasing.compose import compose
from advisor.policy.decide import more_calls, plan_calls
from advisor.understanding.fold import understand
from advisor.understanding.names import Names
from tools.context import Context

MAX_ROUNDS = 4
"""Rounds of tool calls a turn may take; the policy asks for at most three."""


class BuiltinChatModel(BaseChatModel):
    """Understands the turns, calls tools, phrases their typed results. Deterministic; reads the turn in progress, not the messages."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    ctx: SkipValidation[Context]  # holds Protocols, which no isinstance can check
    names: SkipValidation[Names]
    today: Callable[[], date]

    @property
    def _llm_type(self) -> str:
        return "builtin"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[Any, AIMessage]:
        """The brain knows the tools already; their names are those of the toolbox."""
        del kwargs
        unknown = [tool.name for tool in tools if not isinstance(tool, BaseTool)]
        if unknown:
            raise TypeError(f"not tools: {unknown}")
        return self

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        del messages, stop, run_manager, kwargs
        return ChatResult(generations=[ChatGeneration(message=self.next_message(current_turn.get()))])

    def next_message(self, turn: Turn) -> AIMessage:
        """Tool calls while the policy asks for some, the composed answer then."""
        if turn.understanding is None:
            reading = understand(turn.questions, self.names, self.today())
            if turn.forced_language in ("en", "de"):
                reading = reading.model_copy(update={"language": turn.forced_language})
            turn.understanding = reading
            calls = plan_calls(reading, self.ctx, question=turn.questions[-1], currency=turn.currency)
        elif turn.rounds < MAX_ROUNDS:
            calls = more_calls(turn.understanding, turn.done(), self.ctx, question=turn.questions[-1], currency=turn.currency)
        else:
            calls = []
        if calls:
            turn.rounds += 1
            asked = [ToolCall(name=call.tool, args=dict(call.arguments), id=uuid.uuid4().hex, type="tool_call") for call in calls]
            turn.order.extend(str(call["id"]) for call in asked)
            return AIMessage(content="", tool_calls=asked)
        turn.draft = compose(turn.understanding, turn.done(), today=self.today(), currency=turn.currency, question=turn.questions[-1])
        return AIMessage(content=turn.draft.text)
