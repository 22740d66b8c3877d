"""The parts of the page that need no browser: controls, texts around an answer, files, cut logs."""

from __future__ import annotations

import csv
import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from advisor.answer import Answer, Understood
from advisor.service import open_advisor
from advisor.understanding.settings_line import settings_line
from tools.estimate import Citation
from ui.chat_reply import change_line, reply, sources_html, user_text
from ui.chat_words import PAGE, STARTERS, as_language, word
from ui.controls import CONTROLS, changes, shown_values, undone
from ui.takeaway import plan_csv, write_files
from ui.uploads import excerpt, read_files

TODAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def answers() -> list[Answer]:
    """A plan, and the same with another context length."""
    with open_advisor(ephemeral=True, today=lambda: TODAY) as advisor:
        question = "Which GPU for QLoRA of Qwen2.5 14B, 4M tokens, 2k context?"
        first = advisor.ask(question, conversation_id="parts")
        return [first, advisor.ask(settings_line({"sequence_length": 8192}), conversation_id="parts")]


def _values(understood: Understood, **changed: Any) -> list[Any]:
    shown = shown_values(understood) | changed
    return [shown[control.slot] for control in CONTROLS]


def test_what_is_shown_is_no_change(answers: list[Answer]) -> None:
    for answer in answers:
        assert changes(answer.understood, _values(answer.understood)) == {}


def test_a_value_set_and_a_value_cleared_are_changes(answers: list[Answer]) -> None:
    understood = answers[0].understood
    found = changes(understood, _values(understood, lora_rank=64, dataset_tokens=None, region="EU", kbit_preparation=False))
    assert found == {"lora_rank": 64, "dataset_tokens": None, "region": "EU", "kbit_preparation": False}


@pytest.mark.parametrize("wrong", [{"accelerator_count": -1}, {"sequence_length": 2.5}, {"epochs": -2.0}])
def test_an_impossible_value_names_its_control(answers: list[Answer], wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        changes(answers[0].understood, _values(answers[0].understood, **wrong))


def test_undoing_brings_back_what_was_said(answers: list[Answer]) -> None:
    assert undone(answers[0].understood, answers[1].understood) == {"sequence_length": 2048}


def test_a_change_says_what_it_moved(answers: list[Answer]) -> None:
    line = change_line(answers[0], answers[1], {"sequence_length": 8192})
    assert line.startswith("**Changed:** Context length, tokens: 2,048 → 8,192. memory ")
    assert "cost" in line


def test_markers_link_to_the_passage_of_their_turn_and_unknown_ones_stay_text() -> None:
    citation = Citation(marker="[1]", id="x", title="<b>T</b>", source="https://example.org/a?b=1;c, more", as_of="2026-01", quote="q")
    answer = Answer.model_construct(
        language="en", text="Yes [1], no [2].", citations=[citation], follow_ups=[], memory=None, plans=[], verdict=None
    )
    assert reply(answer, 3).content == "Yes [[1]](#source-3-1), no [2]."
    shown = sources_html([(3, answer)], "en")
    assert 'id="source-3-1"' in shown
    assert "&lt;b&gt;T&lt;/b&gt;" in shown
    assert 'href="https://example.org/a?b=1"' in shown


def test_a_question_is_shown_as_typed_and_a_control_as_words() -> None:
    assert user_text("<b>7B</b>?", "en") == "&lt;b&gt;7B&lt;/b&gt;?"
    assert user_text(settings_line({"sequence_length": 4096, "region": None}), "de") == "⚙ Kontextlänge, Token: 4096; Region: –"


def test_the_plan_as_files(answers: list[Answer], tmp_path: Path) -> None:
    paths = write_files(answers[0], tmp_path)
    assert {path.name for path in paths.values()} == {"plan-Qwen2.5-14B.json", "plan-Qwen2.5-14B.csv", "plan-Qwen2.5-14B.md"}
    record = json.loads(paths["json"].read_text(encoding="utf-8"))
    rows = list(csv.DictReader(paths["csv"].read_text(encoding="utf-8").splitlines()))
    assert len(rows) == len(record["plans"]) > 0
    assert "[1] " in paths["markdown"].read_text(encoding="utf-8")


def test_a_cell_that_would_run_as_a_formula_is_text(answers: list[Answer]) -> None:
    plan = answers[0].plans[0]
    bad = plan.model_copy(update={"offer": plan.offer.model_copy(update={"instance": "=HYPERLINK(1)"})})
    assert "'=HYPERLINK(1)" in plan_csv(answers[0].model_copy(update={"plans": [bad]}))


def test_a_long_log_keeps_its_head_and_its_last_error() -> None:
    log = "per_device_train_batch_size: 4\n" + "step\n" * 9000 + "error: cudaErrorMemoryAllocation in backward\n" + "tail\n" * 9000
    cut = excerpt(log)
    assert len(cut) <= 16_000
    assert "per_device_train_batch_size" in cut
    assert "cudaErrorMemoryAllocation" in cut


def test_a_file_of_another_kind_is_named_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    (tmp_path / "run.log").write_bytes(b"CUDA out of memory\x00\xff")
    read = read_files([tmp_path / "photo.png", tmp_path / "run.log"], "de")
    assert "CUDA out of memory" in read.text
    assert "photo.png" in read.faults[0]


def test_every_text_has_both_languages_and_the_same_names() -> None:
    for key, (english, german) in PAGE.items():
        assert english, key
        assert german, key
        assert sorted(part for part in english.split("{")[1:]) != [] or "{" not in german, key
    assert len(STARTERS["en"]) == len(STARTERS["de"])
    assert as_language("Deutsch") == as_language("de-AT,en;q=0.5") == "de"
    assert word("send", "de") == "Senden"
