"""The line of a control: exact values in and out, the rest of the conversation untouched."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.understanding.fold import understand
from advisor.understanding.names import Names
from advisor.understanding.settings_line import read_settings, settings_line
from knowledge.context import open_context

TODAY = date(2026, 12, 1)


@pytest.fixture(scope="module")
def names() -> Names:
    """Names of the shipped data."""
    return Names.of(open_context(today=TODAY))


@given(
    model=st.none() | st.text(min_size=1, max_size=30),
    sequence_length=st.none() | st.integers(1, 10**7),
    resume=st.none() | st.booleans(),
    features=st.none() | st.lists(st.text(min_size=1, max_size=10), min_size=1, max_size=3),
)
def test_what_is_written_is_read_back(**changes: Any) -> None:
    assert read_settings(settings_line(changes)) == changes


@pytest.mark.parametrize("text", ["/set", "/set nonsense=3", "/set sequence_length=many", "/set a", "please /set epochs=2", ""])
def test_what_is_no_such_line_is_read_as_prose(text: str) -> None:
    assert read_settings(text) is None


def test_a_control_changes_its_value_and_nothing_else(names: Names) -> None:
    turns = ["Passt QLoRA von Qwen2.5 14B mit Rang 64 auf zwei A40 in der EU?"]
    before = understand(turns, names, TODAY)
    after = understand([*turns, settings_line({"sequence_length": 4096, "region": None})], names, TODAY)
    expected = {**before.slots.stated(), "sequence_length": 4096}
    del expected["region"]
    assert after.slots.stated() == expected
    assert after.changed == {"sequence_length", "region"}
    assert (after.intent, after.language) == (before.intent, before.language)


def test_another_model_takes_the_size_of_the_old_one_along(names: Names) -> None:
    after = understand(["LoRA on a 13B", settings_line({"model": "Qwen/Qwen2.5-7B"})], names, TODAY)
    assert after.slots.parameters_billion is None
    assert after.slots.model == "Qwen/Qwen2.5-7B"


def test_a_first_turn_may_be_a_control(names: Names) -> None:
    after = understand([settings_line({"model": "Qwen/Qwen2.5-7B", "method": "lora"})], names, TODAY)
    assert after.intent == "memory_estimate"
