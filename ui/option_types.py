"""How an argument of a tool is written on the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

MAX_FILE_BYTES = 1_000_000
"""Largest JSON file an option reads; a model's configuration has a few kilobytes."""


class WordList(click.ParamType[list[str], str | list[str]]):
    """Words separated by commas, optionally from a fixed set."""

    name = "list"

    def __init__(self, words: Iterable[str] = ()) -> None:
        self.words = tuple(words)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The words in the help text."""
        return f"[{'|'.join(self.words)}],..." if self.words else "LIST"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> list[str]:
        """Text as a list; a word outside the set is a usage error that lists the set."""
        given = [word.strip() for word in value.split(",")] if isinstance(value, str) else list(value)
        unknown = [word for word in given if self.words and word not in self.words]
        if unknown:
            self.fail(f"{', '.join(map(repr, unknown))} is not one of {', '.join(self.words)}.", param, ctx)
        return [word for word in given if word]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Completes the last word of the list."""
        head, comma, last = incomplete.rpartition(",")
        return [CompletionItem(head + comma + word) for word in self.words if word.startswith(last)]


class Record(click.ParamType[dict[str, Any], str | dict[str, Any]]):
    """A small record: `name=value,name=value`, or a JSON object."""

    name = "record"

    def __init__(self, fields: Iterable[str]) -> None:
        self.fields = tuple(fields)

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """The form in the help text."""
        return "NAME=VALUE,..."

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        """Text as a record; a name outside the fields is a usage error that lists them."""
        if isinstance(value, dict):
            return value
        if value.lstrip().startswith("{"):
            return JsonObject().convert(value, param, ctx)
        found: dict[str, Any] = {}
        for part in value.split(","):
            name, sign, text = part.partition("=")
            key = name.strip().replace("-", "_")
            if not sign or key not in self.fields:
                self.fail(f"{part.strip()!r} is not NAME=VALUE with a name of {', '.join(self.fields)}.", param, ctx)
            found[key] = text.strip()
        return found

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Completes the name after the last comma."""
        head, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{head}{comma}{field}=") for field in self.fields if field.startswith(last)]


class JsonObject(click.ParamType[dict[str, Any], str | dict[str, Any]]):
    """A JSON object: as text, as `@FILE`, or as the path of a file."""

    name = "json"

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        """What may stand there."""
        return "JSON|FILE"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, Any]:
        """Text or file as an object; anything else is a usage error."""
        if isinstance(value, dict):
            return value
        text = value if value.lstrip().startswith("{") else self._file_text(value.removeprefix("@"), param, ctx)
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError):
            self.fail(f"{value[:60]!r} does not hold JSON.", param, ctx)
        if not isinstance(loaded, dict):
            self.fail(f"{value[:60]!r} holds JSON, but no object.", param, ctx)
        return loaded

    def _file_text(self, name: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        path = Path(name)
        try:
            if path.stat().st_size > MAX_FILE_BYTES:
                self.fail(f"{name} is larger than {MAX_FILE_BYTES:,} bytes.", param, ctx)
            return path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else "it is no text file"
            self.fail(f"cannot read {name!r}: {reason}.", param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Leaves completion to the shell's file names."""
        return [CompletionItem(incomplete, type="file")]
