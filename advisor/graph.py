"""The graph: a brain, the tools, a checkpointer. The same graph whichever brain speaks."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import AgentMiddleware, ModelCallLimitMiddleware
from langchain.agents.middleware.types import AgentState
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, RemoveMessage, ToolMessage
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command

from advisor.brain.builtin import MAX_ROUNDS
from advisor.brain.turn import current_turn
from advisor.failures import error_record
from advisor.langchain_tools import langchain_tools
from tools.context import Context
from tools.toolbox import tool


class TypedResults(AgentMiddleware):
    """Runs each tool call through its own definition and keeps the typed result outside the graph's state.

    The message in the state carries a reference only: results of sixty rows in every checkpoint cost a megabyte a turn.
    """

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Synchronous twin."""
        del handler
        return self._run(request)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """Asynchronous twin; tools are arithmetic over memory and take milliseconds, a thread would cost more."""
        del handler
        return self._run(request)

    def __init__(self, ctx: Callable[[], Context]) -> None:
        super().__init__()
        self._ctx = ctx

    def _run(self, request: ToolCallRequest) -> ToolMessage:
        call = request.tool_call
        call_id, name, arguments = str(call["id"]), call["name"], dict(call["args"])
        failed = False
        try:
            result = tool(name).run(self._ctx(), arguments).model_dump(mode="json")
        except Exception as error:  # told to the brain as text; a bug is logged under an id, and the turn goes on without its figure
            failed, result = True, {"error": error_record(error)}
        current_turn.get().record(call_id, name, arguments, result)
        content = json.dumps({"result": call_id} | ({"error": result["error"]} if failed else {}), ensure_ascii=False)
        return ToolMessage(content=content, tool_call_id=call_id, name=name, status="error" if failed else "success")


class LeanState(AgentMiddleware):
    """After a turn the state keeps what was asked and answered of the last turns, nothing else."""

    def __init__(self, kept_turns: int) -> None:
        super().__init__()
        self._kept_turns = kept_turns

    def after_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Messages to remove: tool calls, tool results, and turns older than those kept."""
        del runtime
        messages = state["messages"]
        talk = [
            message
            for message in messages
            if not isinstance(message, ToolMessage) and not (isinstance(message, AIMessage) and message.tool_calls)
        ]
        keep = {message.id for message in talk[-2 * self._kept_turns :]}
        removed = [RemoveMessage(id=str(message.id)) for message in messages if message.id not in keep]
        return {"messages": removed} if removed else None

    async def aafter_agent(self, state: AgentState[Any], runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Asynchronous twin."""
        return self.after_agent(state, runtime)


def build_graph(
    brain: BaseChatModel, ctx: Callable[[], Context], checkpointer: BaseCheckpointSaver[Any], kept_turns: int
) -> CompiledStateGraph[Any, Any, Any, Any]:
    """Brain and tools as one agent. The call limit is a stop for brains that loop; the built-in one never reaches it."""
    # middlewares of different states in one list: its element type is invariant in them
    middleware: list[AgentMiddleware[Any, Any, Any]] = [
        ModelCallLimitMiddleware(run_limit=MAX_ROUNDS + 2),
        TypedResults(ctx),
        LeanState(kept_turns),
    ]
    return create_agent(
        brain,
        langchain_tools(ctx()),
        middleware=middleware,
        checkpointer=checkpointer,
        name="finetune-advisor",
    )
