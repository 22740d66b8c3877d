"""Write `docs/tools.md` from the definitions of the tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from tools.toolbox import toolbox
from tools.toolspec import ToolSpec

TARGET = Path(__file__).parent.parent / "docs" / "tools.md"
INTRODUCTION = """\
# Tools

Made from the tools' definitions by `make docs`; do not edit. Each tool is a subcommand (`advisor plan-job --json`), a line
of `advisor batch` (`{"id": "1", "tool": "plan_job", "arguments": {...}}`), an HTTP endpoint (`POST /v1/tools/plan_job`
with the arguments as body) and a tool of the agent. Every figure is computed by them and by nothing else.

A fault comes back as `{"code", "message", "hint"}`; the codes are listed at the end.
"""


def document() -> str:
    """The whole file."""
    specs = toolbox()
    contents = [f"- [`{spec.name}`](#{spec.name}): {spec.summary}" for spec in specs]
    schemas = [schema for spec in specs for schema in (argument_schema(spec), result_schema(spec))]
    records = {name: part for schema in schemas for name, part in schema.get("$defs", {}).items()}
    shown = [section for name, schema in sorted(records.items()) if (section := record(name, schema))]
    parts = [INTRODUCTION, "\n".join(contents), *(tool(spec) for spec in specs), "## Records and words", *shown, errors()]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def tool(spec: ToolSpec) -> str:
    """The section of one tool."""
    arguments = table(argument_schema(spec), ("argument", "type", "default", "meaning"))
    result = table(result_schema(spec), ("field", "type", "meaning"))
    head = f"## {spec.name}\n\n{spec.description}\n\nOn the command line: `advisor {spec.name.replace('_', '-')}`."
    return f"{head}\n\n### Arguments of {spec.name}\n\n{arguments}\n\n### Result of {spec.name}: {spec.result.__name__}\n\n{result}"


def argument_schema(spec: ToolSpec) -> dict[str, Any]:
    """JSON schema of the arguments as they are written."""
    return spec.arguments.model_json_schema(by_alias=True)


def result_schema(spec: ToolSpec) -> dict[str, Any]:
    """JSON schema of a result as it is sent."""
    model: type[BaseModel] = spec.result
    return model.model_json_schema(mode="serialization")


def shown_name(definition: str) -> str:
    """`Estimate_int_`, as schemas write it, is `Estimate[int]`."""
    return re.sub(r"^(\w+?)_(\w+)_$", r"\1[\2]", definition)


def record(name: str, schema: dict[str, Any]) -> str:
    """The section of a record that results hold; a line for an enumeration."""
    if "enum" in schema:
        return f"### {shown_name(name)}\n\n{schema.get('description', '')}\n\nOne of {words(schema['enum'])}."
    if "properties" not in schema:
        return ""
    return f"### {shown_name(name)}\n\n{schema.get('description', '')}\n\n{table(schema, ('field', 'type', 'meaning'))}"


def table(schema: dict[str, Any], columns: tuple[str, ...]) -> str:
    """A Markdown table of the properties of a schema."""
    required = set(schema.get("required", ()))
    lines = [f"| {' | '.join(columns)} |", f"|{'|'.join(' --- ' for _ in columns)}|"]
    for name, part in schema.get("properties", {}).items():
        cells = {
            columns[0]: f"`{name}`",
            "type": type_text(part),
            "default": "required" if name in required else default_text(part),
            "meaning": f"{part.get('description', '')}{''.join(bounds(part))}",
        }
        lines.append("| " + " | ".join(cells[column].replace("|", "\\|").replace("\n", " ") for column in columns) + " |")
    return "\n".join(lines)


def default_text(part: dict[str, Any]) -> str:
    """The default, or that there is none."""
    value = part.get("default")
    return "" if value is None else f"`{str(value).lower() if isinstance(value, bool) else value}`"


def bounds(part: dict[str, Any]) -> Iterator[str]:
    """` (at least 1, at most 500)`."""
    options = [part, *part.get("anyOf", ())]
    phrases = {"minimum": "at least", "exclusiveMinimum": "more than", "maximum": "at most", "exclusiveMaximum": "less than"}
    found = [
        f"{phrase} {option[key]:g}"
        for option in options
        if option.get("type") in ("integer", "number")
        for key, phrase in phrases.items()
        if key in option
    ]
    if found:
        yield f" ({', '.join(found)})"


def type_text(part: dict[str, Any]) -> str:
    """A schema as a word."""
    if "$ref" in part:
        name = shown_name(str(part["$ref"]).rpartition("/")[2])
        anchor = re.sub(r"[^\w-]", "", name.lower())
        return f"[{name}](#{anchor})"
    if "const" in part:
        return f"`{part['const']}`"
    if "enum" in part:
        return words(part["enum"])
    if "anyOf" in part:
        return " or ".join(dict.fromkeys(type_text(option) for option in part["anyOf"] if option.get("type") != "null"))
    if part.get("type") == "array":
        return f"list of {type_text(part.get('items', {}))}"
    if part.get("type") == "object" and isinstance(part.get("additionalProperties"), dict):
        return f"object of {type_text(part['additionalProperties'])}"
    kind = part.get("type", "any")
    return str({"string": part.get("format", "text"), "boolean": "true or false"}.get(kind, kind))


def words(values: list[Any]) -> str:
    """Literal values, separated by commas."""
    return ", ".join(f"`{str(value).lower() if isinstance(value, bool) else value}`" for value in values)


def errors() -> str:
    """The table of error codes, from the tree of errors."""
    from tools.errors import AdvisorError

    rows = [
        f"| `{kind.code}` | {(kind.__doc__ or '').splitlines()[0]} |"
        for kind in AdvisorError.__subclasses__()
        if kind.__module__ == "tools.errors"
    ]
    internal = "| `internal` | A fault of the program; the message names the id of its log entry. |"
    return "\n".join(["## Errors", "", "| code | meaning |", "| --- | --- |", *rows, internal])


def main() -> None:
    """Write the file."""
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(document(), encoding="utf-8")
    print(f"wrote {TARGET.relative_to(Path.cwd()) if TARGET.is_relative_to(Path.cwd()) else TARGET}")


if __name__ == "__main__":
    main()
