"""The tools as LangChain sees them, generated from their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from langchain_core.tools import BaseTool, StructuredTool

from advisor.failures import error_record
from tools.context import Context
from tools.toolbox import toolbox
from tools.toolspec import ToolSpec


def langchain_tools(ctx: Context) -> list[BaseTool]:
    """One tool for each definition, its Context bound and hidden from the schema.

    A tool never raises: whatever goes wrong comes back as a text with code, message and hint, which a chat model can
    act on, since an exception inside a tool would end the run.
    """
    return [langchain_tool(spec, ctx) for spec in toolbox()]


def langchain_tool(spec: ToolSpec, ctx: Context) -> BaseTool:
    """The LangChain tool of one definition; its content is the result as JSON."""
    return StructuredTool(
        name=spec.name,
        description=spec.description,
        args_schema=spec.arguments.model_json_schema(by_alias=True),
        func=_runner(spec, ctx),
        handle_tool_error=True,
        handle_validation_error=True,
    )


def _runner(spec: ToolSpec, ctx: Context) -> Callable[..., str]:
    def run(**arguments: Any) -> str:
        try:
            return spec.run(ctx, arguments).model_dump_json()
        except Exception as error:  # the contract above: the fault as text, a bug logged under an id
            record = error_record(error)
            return f"Error ({record['code']}): {record['message']} {record['hint']}".strip()

    run.__name__ = spec.name
    return run
