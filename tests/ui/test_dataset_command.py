from __future__ import annotations

import json
from pathlib import Path

import pytest

from ui.cli import main

ANSWER = "The amount of the bill, to be paid in the month of its date. "


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "train.jsonl"
    rows = [{"prompt": "What is due?", "completion": ANSWER * n} for n in range(1, 30)]
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


def test_the_last_line_hands_the_figures_to_other_commands(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", str(file)]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[0].startswith("train.jsonl: 29 examples (29 pair)")
    options = lines[-1].split(": ")[1].split()
    assert main(["estimate-memory", "--model", "7B", "--method", "qlora", *options]) == 0


def test_json_carries_arguments(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["dataset", str(file), "--json", "--sequence-length", "1024"]) == 0
    summary = json.loads(capsys.readouterr().out)
    assert summary["arguments"]["sequence_length"] == 1024
    assert summary["packing"]["gain"] > 1


def test_a_fault_is_told_without_the_text_of_the_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text('{"secret": "hf_abc"}\n', encoding="utf-8")
    assert main(["dataset", str(path)]) == 3
    told = capsys.readouterr().err
    assert "known column" in told and "hf_abc" not in told
