"""Aligned columns and indented lists, for terminals and pipes alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ui.text_value import value_text

GAP = "  "


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, right: Iterable[int] = ()) -> list[str]:
    """Lines of a table; the columns numbered in `right` align to the right."""
    to_right = set(right)
    widths = [max(len(cell) for cell in column) for column in zip(headers, *rows, strict=True)]

    def line(cells: Sequence[str]) -> str:
        padded = (
            cell.rjust(width) if index in to_right else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(cells, widths, strict=True))
        )
        return GAP.join(padded).rstrip()

    return [line(headers), line(["-" * width for width in widths]), *(line(row) for row in rows)]


def section(title: str, lines: Sequence[str]) -> list[str]:
    """A titled, indented block after an empty line; nothing where there are no lines."""
    return ["", title, *(f"  {line}" if line else "" for line in lines)] if lines else []


def items(entries: Iterable[str]) -> list[str]:
    """A list with a dash before each entry."""
    return [f"- {entry}" for entry in entries]


def pairs(facts: Mapping[str, object]) -> list[str]:
    """Lines `name: value` with the values aligned; facts without a value are left out."""
    shown = {name: text for name, value in facts.items() if (text := _fact(value))}
    width = max((len(name) for name in shown), default=0) + 3
    return [f"{name + ':':<{width}}{text}" for name, text in shown.items()]


def _fact(value: object) -> str:
    return "" if value in ("", (), []) else value_text(value)
