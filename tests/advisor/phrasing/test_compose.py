"""Answers are composed from results: verdict first, the six parts, dated prices, assumptions, and no more words than allowed."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.phrasing.compose import compose
from advisor.phrasing.grounding import check
from tests.advisor.phrasing.samples import asked, memory, offered, passages, plan, planned

JOB = {"model": "example/Sample-8B", "method": "qlora", "accelerator": "RTX 4090 24GB"}


@pytest.mark.parametrize(
    ("language", "parts"),
    [
        pytest.param("en", ["weights", "gradients", "optimizer states", "activations", "logits", "overhead"], id="english"),
        pytest.param("de", ["Gewichte", "Gradienten", "Optimizer-Zustände", "Aktivierungen", "Logits", "Overhead"], id="german"),
    ],
)
def test_every_memory_answer_shows_the_six_parts_and_the_range(language: str, parts: list[str], today: date) -> None:
    draft = compose(asked("fit_check", language, model="Sample-8B", method="qlora"), [memory(JOB)], today=today)
    assert all(part in draft.text for part in parts)
    assert ("(8.1–11.2)" if language == "en" else "(8,1–11,2)") in draft.text
    assert draft.verdict is not None
    assert draft.verdict.fits is True


def test_the_verdict_comes_first_and_says_by_how_much_it_misses(today: date) -> None:
    draft = compose(
        asked("fit_check", model="Sample-8B", method="full"), [memory(JOB | {"method": "full"}, peak=(60, 70, 80))], today=today
    )
    assert draft.text.startswith(("**It does not fit.**", "**No, that does not fit:**"))
    assert "70.0 GiB (60.0–80.0)" in draft.text
    assert "23.6 GiB" in draft.text


def test_a_method_nobody_named_decides_only_where_the_usual_one_does_not_fit(today: date) -> None:
    u = asked("fit_check", model="Sample-70B")
    lora = memory(JOB | {"method": "lora"}, peak=(140, 150, 165), usable=79)
    qlora = memory(JOB, peak=(42, 46, 52), usable=79)
    draft = compose(u, [lora, qlora], today=today)
    assert draft.verdict is not None
    assert (draft.verdict.fits, draft.verdict.missing) == ("conditional", ["method"])
    assert draft.asks[0] == "method"
    small = compose(u, [memory(JOB | {"method": "lora"}), memory(JOB | {"method": "full"}, peak=(60, 70, 80))], today=today)
    assert small.verdict is not None
    assert small.verdict.fits is True


def test_every_price_has_provider_region_instance_term_and_date(today: date) -> None:
    draft = compose(asked("cost", model="Sample-8B", dataset_tokens=5_000_000), [memory(JOB), planned(JOB, [plan()])], today=today)
    for shown in ("SampleCloud", "eu-west", "gpu-1x", "on-demand", "2026-09-03", "0.69 USD/h", "3.98 USD", "VAT"):
        assert shown in draft.text


def test_a_price_without_a_job_names_what_is_not_known_of_it(today: date) -> None:
    draft = compose(asked("cost", accelerator="H100", accelerator_count=8), [offered({"accelerator": "H100"})], today=today)
    assert "2026-08-20" in draft.text
    assert "unknown" in draft.text
    assert draft.route == "answer"


def test_the_guide_answers_with_the_marker_of_its_passage(today: date) -> None:
    found = passages("Gradient checkpointing trades time for memory. It recomputes activations in the backward pass.")
    draft = compose(asked("general"), [found], today=today, question="what does recomputing activations trade")
    assert "[1]" in draft.text
    assert draft.citations[0].id == "guide:0"
    assert "trades time" in draft.citations[0].quote


def test_what_neither_tools_nor_guide_carry_is_not_answered(today: date) -> None:
    draft = compose(asked("general"), [passages()], today=today, question="which colour has the best loss")
    assert draft.route == "ask_back"
    assert not draft.citations


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("refusal", ["refuse", "out_of_scope"])
def test_a_refused_turn_gets_one_line_and_no_figure(language: str, refusal: str, today: date) -> None:
    draft = compose(asked("out_of_scope", language, refusal=refusal, model="Sample-8B"), [memory(JOB)], today=today)
    assert (draft.route, draft.memory, len(draft.text.split("\n"))) == (refusal, None, 1)
    assert not any(character.isdigit() for character in draft.text)


def test_an_instruction_in_the_question_changes_nothing_and_the_rest_is_answered(today: date) -> None:
    draft = compose(asked("memory_estimate", refusal="refuse_instruction", model="Sample-8B"), [memory(JOB)], today=today)
    assert draft.route == "refuse_instruction"
    assert "9.4 GiB" in draft.text


def test_an_answer_never_passes_the_word_limit(today: date) -> None:
    rows = [memory(JOB | {"method": name}) for name in ("lora", "qlora", "full", "dora", "ia3")]
    text = " ".join(f"Sentence {word} about memory that goes on for a while and says the same." for word in "abcdefgh")
    many = [plan(card) for card in ("RTX 4090 24GB", "L4 24GB", "A10 24GB", "RTX 3090 24GB")]
    draft = compose(asked("compare", model="Sample-8B"), [*rows, passages(text), planned(JOB, many)], today=today)
    assert len(draft.text.split()) <= 350


def test_unknown_names_are_said_escaped_and_with_suggestions(today: date) -> None:
    u = asked("fit_check", unknown_names={"<b>Lamma</b> 4111 1111 1111 1111": ["Llama-3.1-8B"]})
    text = compose(u, [], today=today).text
    assert "<b>" not in text
    assert "4111" not in text
    assert "Llama-3.1-8B" in text


@pytest.mark.parametrize(
    ("log", "said"),
    [
        pytest.param("rank 1 ended, launcher reports exitcode: -9 during load", "Host RAM", id="the-kernel-ended-it"),
        pytest.param(
            "Tried to allocate 1.10 GiB (GPU 0; 23.60 GiB total capacity; 12.00 GiB already allocated; 21.00 GiB reserved in total)",
            "expandable_segments",
            id="reserved-but-not-allocated",
        ),
        pytest.param(
            "GPU 0 has a total capacity of 47.5 GiB. Process 77 has 40.10 GiB memory in use. this process has 5.20 GiB memory in use.",
            "nvidia-smi",
            id="another-process",
        ),
        pytest.param("DataLoader worker killed: Bus error, out of shared memory", "--shm-size", id="shared-memory-of-the-container"),
        pytest.param("writing shard 2 of 4 failed: no space left on device", "save_total_limit", id="disk"),
    ],
)
def test_an_error_is_told_by_what_ran_out(log: str, said: str, today: date) -> None:
    assert said in compose(asked("oom_debug"), [], today=today, question=log).text


def test_composed_text_passes_its_own_guard(today: date) -> None:
    results = [memory(JOB), passages("A 24 GB card carries small models with QLoRA."), planned(JOB, [plan()])]
    draft = compose(asked("gpu_choice", model="Sample-8B"), results, today=today, question="which card")
    assert check(draft.text, results, draft.citations, "which card") == []
