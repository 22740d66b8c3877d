"""One definition of a tool, from which every surface is generated.

A tool is a function `(ctx: Context, arguments: A) -> R` with pydantic models A and R and a docstring whose first line
is the summary. Command line, HTTP endpoint, LangChain tool, MCP tool and `docs/tools.md` are made from its `ToolSpec`.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from tools.context import Context
from tools.errors import InvalidArguments


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool and everything a surface needs to know of it."""

    name: str
    function: Callable[[Context, Any], BaseModel]
    arguments: type[BaseModel]
    result: type[BaseModel]
    summary: str
    description: str

    @classmethod
    def of(cls, function: Callable[[Context, Any], BaseModel]) -> ToolSpec:
        """Read name, docstring, arguments and result model off a function. Raises TypeError on any other shape."""
        hints = get_type_hints(function)
        parameters = list(inspect.signature(function).parameters)
        if len(parameters) != 2 or hints.get(parameters[0]) is not Context:
            raise TypeError(f"{function.__name__} must take (ctx: Context, arguments)")
        arguments, result = hints[parameters[1]], hints["return"]
        description = inspect.getdoc(function) or ""
        if not description:
            raise TypeError(f"{function.__name__} needs a docstring")
        return cls(function.__name__, function, arguments, result, description.splitlines()[0], description)

    def run(self, ctx: Context, arguments: Mapping[str, Any]) -> BaseModel:
        """Validate and call. Raises InvalidArguments, or whatever AdvisorError the tool raises."""
        return self.function(ctx, self.parse(arguments))

    def parse(self, arguments: Mapping[str, Any]) -> BaseModel:
        """Arguments as the tool's own model. Raises InvalidArguments naming every fault."""
        try:
            return self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            raise InvalidArguments(fault_text(error), f"`advisor {self.name.replace('_', '-')} --help` lists the arguments.") from error


def fault_text(error: ValidationError) -> str:
    """Every fault of a validation as one line a person can act on; values are cut, so that no log is echoed."""
    lines = []
    for fault in error.errors(include_url=False):
        where = ".".join(str(part) for part in fault["loc"] if not str(part).startswith(("function-", "list[", "dict[")))
        given = "" if fault["type"] == "missing" else f" (got {str(fault.get('input'))[:40]!r})"
        lines.append(f"{where or 'arguments'}: {fault['msg']}{given}")
    return "; ".join(dict.fromkeys(lines))


def option_fields(model: type[BaseModel]) -> Iterator[tuple[str, str, Any, str]]:
    """(public name, field name, annotation without None, help) of every argument."""
    for field_name, field in model.model_fields.items():
        yield field.alias or field_name, field_name, without_none(field.annotation), (field.description or "").strip()


def without_none(annotation: Any) -> Any:
    """`int | None` -> `int`; anything else unchanged."""
    if get_origin(annotation) in (Union, types.UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        if len(members) == 1:
            return members[0]
    return annotation
