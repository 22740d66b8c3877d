from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from knowledge.dataset_files import open_tokenizer, records_of
from tools.errors import InvalidArguments

ROWS = [{"instruction": "add", "output": "2"}, {"instruction": "sub, then add", "output": "3\nand a line"}]


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def content(path: Path) -> list[Any]:
    return [record for _, record in records_of(path)]


def test_every_kind_of_file_gives_the_same_records(tmp_path: Path) -> None:
    import pyarrow
    import pyarrow.parquet

    lines = written(tmp_path, "a.jsonl", "\n".join(map(json.dumps, ROWS)) + "\n\n")
    whole = written(tmp_path, "a.json", json.dumps(ROWS))
    keyed = written(tmp_path, "b.json", json.dumps({"data": ROWS}))
    table = written(tmp_path, "a.csv", 'Instruction,output\nadd,2\n"sub, then add","3\nand a line"\n')
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    assert all(content(path) == ROWS for path in (lines, whole, keyed, table, tmp_path / "a.parquet"))


def test_paragraphs_of_a_text_are_examples(tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "one\ntwo\n\n\nthree\n")
    assert list(records_of(path)) == [("a.txt:1", "one\ntwo\n"), ("a.txt:5", "three\n")]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.jsonl", '{"text": "fine"}\n{"text": \n', "a.jsonl:2"),
        ("a.json", "[1, 2", "a.json:1"),
        ("a.csv", "", "header"),
        ("a.parquet", "not one", "a.parquet is no Parquet file"),
        ("a.xlsx", "x", r"Known are \.jsonl"),
    ],
)
def test_a_broken_file_is_told_with_its_place(tmp_path: Path, name: str, text: str, told: str) -> None:
    with pytest.raises(InvalidArguments, match=told):
        content(written(tmp_path, name, text))


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xff\xfe{}")
    with pytest.raises(InvalidArguments, match="UTF-8"):
        content(path)


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(InvalidArguments, match="no file"):
        content(tmp_path / "gone.jsonl")


def test_a_tokenizer_counts(tmp_path: Path) -> None:
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    tokenizer = Tokenizer(WordLevel({"a": 0, "[UNK]": 1}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    assert open_tokenizer(tmp_path)("a b a") == 3
    with pytest.raises(InvalidArguments, match="no tokenizer"):
        open_tokenizer(written(tmp_path, "other.json", "{}"))
