"""Every tool as a subcommand, generated from its ToolSpec: options from the arguments model, text or JSON out."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, Literal, Union, get_args, get_origin

import click
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from tools.context import Context
from tools.toolspec import ToolSpec, option_fields
from ui.completed_names import NAMES, CatalogName
from ui.json_text import to_json
from ui.option_types import JsonObject, Record, WordList

OpenContext = Callable[[], Context]


def command_name(tool_name: str) -> str:
    """`plan_job` -> `plan-job`."""
    return tool_name.replace("_", "-")


def tool_command(spec: ToolSpec) -> click.Command:
    """The subcommand of a tool. Its click context's `obj` is a function that opens the Context."""
    return click.Command(
        command_name(spec.name),
        params=[*parameters(spec), click.Option(["--json", "as_json"], is_flag=True, help="Print the result as JSON.")],
        callback=_callback(spec),
        help=spec.description,
        short_help=spec.summary,
    )


def parameters(spec: ToolSpec) -> list[click.Parameter]:
    """One option per argument; a name or a query may also stand alone."""
    fields = list(option_fields(spec.arguments))
    options = [option(spec, name, field, annotation, text) for name, field, annotation, text in fields]
    first = standing_alone(spec)
    if first is None:
        return [*options]
    kind = CatalogName(first) if first in NAMES else None
    return [click.Argument([f"{first}_alone"], required=False, type=kind, metavar=f"[{first.upper()}]"), *options]


def standing_alone(spec: ToolSpec) -> str | None:
    """The argument that needs no option name: the first one, where it is a text."""
    name, _, annotation, _ = next(option_fields(spec.arguments))
    return name if annotation is str else None


def option(spec: ToolSpec, name: str, field: str, annotation: Any, text: str) -> click.Option:
    """The option of one argument. Numbers stay text: the arguments model reads them (`5M`) and judges them."""
    info = spec.arguments.model_fields[field]
    default = info.default
    if default is not None and default is not PydanticUndefined:
        shown = {True: "yes", False: "no"}.get(default, default) if isinstance(default, bool) else default
        text = f"{text} [default: {shown}]"
    flag = f"--{name.replace('_', '-')}"
    if annotation is bool:
        return click.Option([f"{flag}/--no-{name.replace('_', '-')}", name], default=None, help=text)
    if record := record_type(annotation):
        form = f"{text} Once for each: {', '.join(record.model_fields)}."
        return click.Option([flag, name], type=Record(record.model_fields), multiple=True, help=form)
    kind = CatalogName(name) if name in NAMES and annotation is str else parameter_type(annotation)
    return click.Option([flag, name], type=kind, default=None, help=text)


def record_type(annotation: Any) -> type[BaseModel] | None:
    """The record of a list of records, None for everything else."""
    member = get_args(annotation)[0] if get_origin(annotation) is list else None
    return member if isinstance(member, type) and issubclass(member, BaseModel) else None


def parameter_type(annotation: Any) -> click.ParamType[Any, Any]:
    """How a value of this type is written."""
    origin, members = get_origin(annotation), get_args(annotation)
    if origin is Union or type(annotation).__name__ == "UnionType":  # `str | list[str]`
        return WordList()
    if origin is list:
        return WordList(choices(members[0]))
    if origin is dict:
        return JsonObject()
    words = choices(annotation)
    return click.Choice(words) if words else Written(annotation)


def choices(annotation: Any) -> tuple[str, ...]:
    """The words of an enumeration or a Literal, nothing for other types."""
    if isinstance(annotation, type) and issubclass(annotation, Enum):
        return tuple(str(member.value) for member in annotation)
    if get_origin(annotation) is Literal:
        return tuple(str(word) for word in get_args(annotation))
    return ()


class Written(click.ParamType[str, str]):
    """Text that the arguments model reads; the type only shows in the help."""

    def __init__(self, annotation: Any) -> None:
        self.name = "text" if annotation is str else "integer" if annotation is int else "number"


def _callback(spec: ToolSpec) -> Callable[..., None]:
    first = standing_alone(spec)
    single_or_list = {
        name
        for name, _, annotation, _ in option_fields(spec.arguments)
        if isinstance(parameter_type(annotation), WordList) and get_origin(annotation) is not list
    }

    @click.pass_context
    def run(click_context: click.Context, /, as_json: bool, **given: Any) -> None:
        alone = given.pop(f"{first}_alone", None)
        if first is not None and alone is not None:
            if given[first] is not None:
                raise click.UsageError(f"{first} is given twice: {alone!r} and --{first} {given[first]!r}.")
            given[first] = alone
        arguments = {name: value for name, value in given.items() if value not in (None, ())}
        for name in single_or_list & arguments.keys():
            if len(arguments[name]) == 1:
                arguments[name] = arguments[name][0]
        spec.parse(arguments)  # a bad argument is told before any data is loaded
        result = spec.run(click_context.obj(), arguments)
        if as_json:
            click.echo(to_json(result, indent=2))
        else:
            from ui.text import text_of

            click.echo(text_of(result))

    return run
