"""Readers of data files: a row that does not hold what it must raises BrokenData naming file and line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from tools.errors import BrokenData
from tools.toolspec import fault_text

DATA = Path(__file__).parent / "data"
"""The tables that ship with the product."""

Row = TypeVar("Row", bound=BaseModel)


def read_jsonl(path: Path, model: type[Row]) -> tuple[Row, ...]:
    """One validated record per line; blank lines are skipped. Raises BrokenData."""
    rows = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if not line.strip():
            continue
        where = f"{path.name}:{number}"
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise BrokenData(where, f"not JSON: {error.msg} at column {error.colno}.") from error
        rows.append(_validated(model, record, where))
    return tuple(rows)


def read_csv(path: Path, model: type[Row], *, constant: Mapping[str, Any] | None = None) -> tuple[Row, ...]:
    """One validated record per row; an empty cell leaves the field at its default.

    `constant` fills fields that the file does not repeat in every row. Raises BrokenData.
    """
    return rows_of(read_text(path), path.name, model, constant=constant)


def rows_of(text: str, name: str, model: type[Row], *, constant: Mapping[str, Any] | None = None) -> tuple[Row, ...]:
    """As `read_csv`, of a text that is called `name` in messages. Raises BrokenData."""
    return tuple(row for _, row in placed_rows(text, name, model, constant=constant))


def placed_rows(text: str, name: str, model: type[Row], *, constant: Mapping[str, Any] | None = None) -> Iterator[tuple[str, Row]]:
    """(`name:line`, record) of each row, for faults that only show later. Raises BrokenData."""
    for number, cells in _cells(text, name):
        values: dict[str, Any] = dict(constant or {})
        values.update({column: cell for column, cell in cells.items() if cell != ""})
        yield f"{name}:{number}", _validated(model, values, f"{name}:{number}")


def _cells(text: str, name: str) -> Iterator[tuple[int, dict[str, str]]]:
    reader = csv.reader(text.splitlines())
    header = next(reader, None)
    if not header:
        raise BrokenData(f"{name}:1", "the header is missing.")
    if len(set(header)) != len(header):
        raise BrokenData(f"{name}:1", "a column is named twice.")
    for cells in reader:
        if not cells:
            continue
        if len(cells) != len(header):
            raise BrokenData(f"{name}:{reader.line_num}", f"{len(cells)} cells where the header names {len(header)}.")
        yield reader.line_num, dict(zip(header, cells, strict=True))


def read_text(path: Path) -> str:
    """Text of a data file. Raises BrokenData where it is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise BrokenData(path.name, "the file is missing.") from error
    except UnicodeDecodeError as error:
        raise BrokenData(path.name, f"not UTF-8 at byte {error.start}.") from error


def _validated(model: type[Row], values: Mapping[str, Any], where: str) -> Row:
    try:
        return model.model_validate(values)
    except ValidationError as error:
        raise BrokenData(where, f"{fault_text(error)}.") from error
