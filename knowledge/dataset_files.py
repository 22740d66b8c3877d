"""Records of a training file: JSON lines, JSON, CSV, Parquet, plain text."""

from __future__ import annotations

import csv
import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tools.errors import InvalidArguments

LONGEST_CELL = 1 << 30
KINDS = ".jsonl, .ndjson, .json, .csv, .tsv, .parquet, .txt, .md"


def records_of(path: Path) -> Iterator[tuple[str, Any]]:
    """(where, record) of each record. Raises InvalidArguments naming file and line; nothing of a file's text is echoed."""
    if not path.is_file():
        raise InvalidArguments(f"{path} is no file.", f"Name a file of one of these kinds: {KINDS}.")
    readers: dict[str, Callable[[Path], Iterator[tuple[str, Any]]]] = {
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
        ".json": _json,
        ".csv": _csv,
        ".tsv": _csv,
        ".parquet": _parquet,
        ".txt": _text,
        ".md": _text,
    }
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise InvalidArguments(f"{path.name} is of no kind that can be counted.", f"Known are {KINDS}.")
    try:
        yield from reader(path)
    except UnicodeDecodeError as error:
        raise InvalidArguments(f"{path.name} is not UTF-8 text (byte {error.start}).", "Save it as UTF-8.") from None


def _json_lines(path: Path) -> Iterator[tuple[str, Any]]:
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if not line.strip():
                continue
            try:
                yield f"{path.name}:{number}", json.loads(line)
            except json.JSONDecodeError as error:
                raise InvalidArguments(f"{path.name}:{number} is no JSON ({error.msg}).", "Mend or remove the line.") from None


def _json(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InvalidArguments(f"{path.name}:{error.lineno} is no JSON ({error.msg}).", "JSON lines end in .jsonl.") from None
    if isinstance(content, dict):  # the records under a key, as exports write them
        content = next((value for value in content.values() if isinstance(value, list)), [content])
    for number, record in enumerate(content if isinstance(content, list) else [content], 1):
        yield f"{path.name} record {number}", record


def _csv(path: Path) -> Iterator[tuple[str, Any]]:
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
        if not rows.fieldnames:
            raise InvalidArguments(f"{path.name}:1: the header is missing.", "The first line names the columns.")
        try:
            for row in rows:
                yield f"{path.name}:{rows.line_num}", {(name or "").strip().lower(): cell for name, cell in row.items() if name}
        except csv.Error as error:
            raise InvalidArguments(f"{path.name}:{rows.line_num}: {error}.", "Mend the line.") from None


def _parquet(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ImportError:
        raise InvalidArguments(
            "Reading Parquet needs the pyarrow library, which is not installed.",
            "Install finetune-advisor[parquet], or export the data as JSON lines.",
        ) from None
    errors: Any = importlib.import_module("pyarrow").ArrowException
    try:
        number = 0
        for batch in parquet.ParquetFile(path).iter_batches():
            for record in batch.to_pylist():
                number += 1
                yield f"{path.name} row {number}", record
    except (errors, OSError) as error:
        raise InvalidArguments(f"{path.name} is no Parquet file ({type(error).__name__}).", "Write it anew.") from None


def _text(path: Path) -> Iterator[tuple[str, Any]]:
    """Paragraphs, parted by blank lines, are the examples."""
    with path.open(encoding="utf-8-sig") as file:
        start, lines = 1, list[str]()
        for number, line in enumerate(file, 1):
            if line.strip():
                lines.append(line)
                continue
            if lines:
                yield f"{path.name}:{start}", "".join(lines)
            start, lines = number + 1, []
        if lines:
            yield f"{path.name}:{start}", "".join(lines)


def open_tokenizer(path: Path) -> Callable[[str], int]:
    """Counts the tokens of a text by a `tokenizer.json`. Raises InvalidArguments."""
    library: Any = importlib.import_module("tokenizers")
    file = path / "tokenizer.json" if path.is_dir() else path
    try:
        tokenizer = library.Tokenizer.from_file(str(file))
    except Exception as error:  # the library raises plain Exception
        raise InvalidArguments(f"{file} is no tokenizer ({str(error)[:80]}).", "Name the tokenizer.json of the model.") from None
    tokenizer.no_truncation()
    tokenizer.no_padding()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count
