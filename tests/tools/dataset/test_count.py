from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.dataset.count import TURN_TOKENS, counted, packed, percentile, suggested_length
from tools.dataset.example import example_of
from tools.dataset.script import CHARACTERS_PER_TOKEN, script_of
from tools.dataset.summary import DatasetSummary
from tools.errors import InvalidArguments
from tools.job import JobArguments


def words(text: str) -> int:
    return len(text.split())


def count(*records: object, **options: object) -> DatasetSummary:
    return counted(((f"r{n}", record) for n, record in enumerate(records)), "some.jsonl", **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("record", "kind", "texts"),
    [
        ({"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}, "chat", ("a", "b")),
        ({"conversations": [{"from": "human", "value": "a"}, {"from": "gpt", "value": "b"}]}, "chat", ("a", "b")),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]}, "chat", ("a",)),
        ({"instruction": "a", "input": "", "output": "b"}, "instruction", ("a", "b")),
        ({"prompt": "a", "completion": "b"}, "pair", ("a", "b")),
        ({"prompt": "a", "chosen": "b", "rejected": "c"}, "preference", ("a", "b", "c")),
        ({"text": "a"}, "text", ("a",)),
        ("a", "text", ("a",)),
    ],
)
def test_known_shapes_of_records_are_read(record: object, kind: str, texts: tuple[str, ...]) -> None:
    example = example_of(record)
    assert example is not None
    assert (example.kind, example.texts) == (kind, texts)


@pytest.mark.parametrize("record", [{"id": 3}, {"text": "  "}, {"messages": []}, 7, None])
def test_records_without_text_are_skipped_and_told(record: object) -> None:
    assert example_of(record) is None
    summary = count({"text": "something"}, record, tokenizer=words)
    assert (summary.examples, summary.skipped) == (1, 1)
    assert summary.first_skipped.startswith("r1: ")
    assert summary.warnings


def test_a_tokenizer_counts_exactly_but_for_the_template() -> None:
    summary = count({"messages": [{"role": "user", "content": "one two three"}, {"role": "assistant", "content": "four"}]}, tokenizer=words)
    assert summary.tokens.low == summary.tokens.expected == summary.tokens.high == 4 + 2 * TURN_TOKENS
    assert summary.counted_by == "tokenizer"


def test_without_a_tokenizer_the_count_has_a_range_that_follows_the_script() -> None:
    english = count({"text": "The cost of the run is what it takes to be done with it. " * 40})
    chinese = count({"text": "微调一个模型需要多少显存取决于它的大小" * 40})
    for summary, script in ((english, "english"), (chinese, "cjk")):
        assert summary.tokens.low < summary.tokens.expected < summary.tokens.high
        assert summary.scripts == {script: 1.0}
    assert any(each.name == "tokenizer" for each in english.assumptions)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("Die Karte rechnet schneller als jede andere, braucht aber mehr Strom und kostet deshalb auch mehr.", "latin"),
        ("def f(x):\n    return {k: v[0] for (k, v) in g(x).items() if v != []}\n", "code"),
        ("Обучение модели занимает несколько часов", "cyrillic"),
        ("यह एक छोटा वाक्य है", "other"),
    ],
)
def test_scripts_are_told_apart(text: str, script: str) -> None:
    assert script_of(text) == script


def test_every_script_has_an_ordered_range() -> None:
    assert all(0 < span.low < span.expected < span.high for span in CHARACTERS_PER_TOKEN.values())


def test_percentiles_and_the_longest_by_hand() -> None:
    summary = count(*({"text": "w " * size} for size in (1, 2, 3, 4, 100)), tokenizer=words)
    assert summary.percentiles == {"p50": 3, "p90": 100, "p95": 100, "p99": 100, "longest": 100}
    assert summary.tokens_per_example == 22
    assert percentile([1, 2, 3, 4], 0.5) == 2


def test_packing_by_hand() -> None:
    found = packed([20, 30, 50, 70, 120], 100)  # 100 (cut) | 70+30 | 50+20
    assert (found.sequences, found.gain, found.truncated) == (3, 1.67, 1)
    assert found.filled == pytest.approx((20 + 30 + 50 + 70 + 100) / 500)


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=60), st.sampled_from([128, 1024, 4096]))
def test_packing_never_needs_more_sequences_than_examples_nor_fewer_than_tokens_fill(lengths: list[int], size: int) -> None:
    found = packed(sorted(lengths), size)
    held = sum(min(length, size) for length in lengths)
    assert held / size <= found.sequences <= len(lengths)
    assert found.gain >= 1


def test_the_suggested_length_is_round_and_holds_nearly_all() -> None:
    assert suggested_length([100] * 99 + [5000]) == 128
    assert suggested_length([700] * 100) == 1024


def test_the_arguments_are_arguments_of_a_job() -> None:
    summary = count({"text": "w " * 600}, tokenizer=words)
    job = JobArguments.model_validate({"model": "7B", **summary.arguments})
    assert (job.dataset_tokens, job.dataset_examples, job.sequence_length) == (600, 1, 1024)


def test_one_example_beyond_the_rest_is_told() -> None:
    summary = count(*({"text": "w " * 10} for _ in range(99)), {"text": "w " * 900}, tokenizer=words)
    assert any("decides the memory" in warning for warning in summary.warnings)


def test_a_file_without_text_names_the_columns_it_would_read() -> None:
    with pytest.raises(InvalidArguments, match=r"columns id.*messages"):
        count({"id": 1})
