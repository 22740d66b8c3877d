"""The tools as other agents see them over MCP, generated from their definitions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from anyio import to_thread
from fastmcp.tools import Tool, ToolResult
from mcp_types import ToolAnnotations
from pydantic import PrivateAttr
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from advisor.failures import error_record
from tools.context import Context
from tools.toolbox import toolbox
from tools.toolspec import ToolSpec
from ui.json_text import plain
from ui.text import text_of

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Every tool computes from the catalog and changes nothing."""


class NumbersSchema(GenerateJsonSchema):
    """Schema of what is sent: money leaves as a number, and a client checks the reply against this."""

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchemaValue:
        """A plain number."""
        del schema
        return {"type": "number"}


class McpTool(Tool):
    """One definition as an MCP tool: the result as text for people, and whole as structured content."""

    _spec: ToolSpec = PrivateAttr()
    _open_context: Callable[[], Context] = PrivateAttr()

    @classmethod
    def of(cls, spec: ToolSpec, open_context: Callable[[], Context]) -> McpTool:
        """The tool of a definition; `open_context` gives the Context of a call."""
        made = cls(
            name=spec.name,
            title=spec.name.replace("_", " ").capitalize(),
            description=spec.description,
            parameters=spec.arguments.model_json_schema(by_alias=True),
            output_schema=spec.result.model_json_schema(mode="serialization", schema_generator=NumbersSchema),
            annotations=READ_ONLY,
        )
        made._spec, made._open_context = spec, open_context
        return made

    async def run(self, arguments: dict[str, Any]) -> ToolResult:
        """The result; a fault comes back as an error with code, message and hint, which an agent can act on."""
        return await to_thread.run_sync(self._answer, arguments)

    def _answer(self, arguments: dict[str, Any]) -> ToolResult:
        try:
            result = self._spec.run(self._open_context(), arguments)
            return ToolResult(content=text_of(result), structured_content=plain(result))
        except Exception as error:  # an AdvisorError is told, a bug is logged under an id
            record = error_record(error)
            return ToolResult(content=f"Error ({record['code']}): {record['message']} {record['hint']}".strip(), is_error=True)


def mcp_tools(open_context: Callable[[], Context]) -> list[McpTool]:
    """All tools, in the toolbox's order."""
    return [McpTool.of(spec, open_context) for spec in toolbox()]
