"""From what a caller says of a model to an architecture."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.context import Context
from tools.errors import AdvisorError, InvalidArguments, MissingFact, UnknownName
from tools.model_lookup import find_model
from tools.parameters import explained_blocks, parameter_blocks
from tools.terms import ModelKind
from tools.typical_shape import size_in, typical_shape

CONFIG = {
    "model_type": "llama",
    "hidden_size": 2048,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 8192,
    "vocab_size": 128256,
    "tie_word_embeddings": True,
    "hidden_act": "silu",
}


def test_a_known_name_needs_no_assumption(ctx: Context) -> None:
    found, assumptions = find_model(ctx, model="gemma 2 9b it")
    assert (found.id, assumptions) == ("google/gemma-2-9b", ())


def test_a_known_name_wins_over_a_configuration(ctx: Context) -> None:
    assert find_model(ctx, model="gemma 2 9b", config=CONFIG)[0].id == "google/gemma-2-9b"


def test_a_configuration_describes_an_unknown_name(ctx: Context) -> None:
    found, assumptions = find_model(ctx, model="acme/secret-1b", config=CONFIG)
    assert (found.id, found.hidden_size, assumptions) == ("acme/secret-1b", 2048, ())
    assert parameter_blocks(found).total == pytest.approx(1_235_814_400, rel=0.001)


def test_a_configuration_with_a_count_takes_the_count(ctx: Context) -> None:
    found, _ = find_model(ctx, config=CONFIG, parameters_billion=1.3)
    assert parameter_blocks(found).total == 1_300_000_000


@pytest.mark.parametrize(
    ("name", "base"),
    [
        ("acme-llama-13b-legal", "huggyllama/llama-13b"),
        ("team/qwen2.5-14b-invoices-v3", "Qwen/Qwen2.5-14B"),
        ("whisper-small-swiss-german", "openai/whisper-small"),
        ("bert-large-uncased-contracts", "google-bert/bert-large-uncased"),
        ("Phi-3-mini-3.8B", "microsoft/Phi-3-mini-4k-instruct"),
    ],
)
def test_a_base_inside_the_name_is_taken_and_said(ctx: Context, name: str, base: str) -> None:
    found, (assumption,) = find_model(ctx, model=name)
    assert found.id == assumption.value == base
    assert assumption.name == "model"
    assert name in assumption.reason


@pytest.mark.parametrize(
    ("name", "total"), [("9B", 9e9), ("about 40B", 40e9), ("acme-6.5b", 6.5e9), ("a 350M model", 350e6), ("1,5B", 1.5e9)]
)
def test_only_a_size_gives_a_typical_shape_of_exactly_that_size(ctx: Context, name: str, total: float) -> None:
    found, (assumption,) = find_model(ctx, model=name)
    blocks = parameter_blocks(found)
    assert blocks.total == total
    assert explained_blocks(found).total == pytest.approx(total, rel=0.12), "the dimensions are of that size too"
    assert "typical" in assumption.reason


def test_an_active_size_gives_a_mixture_of_experts(ctx: Context) -> None:
    found, _ = find_model(ctx, model="acme-60b-a6b")
    blocks = parameter_blocks(found)
    assert found.kind is ModelKind.MOE
    assert (blocks.total, blocks.active) == (60_000_000_000, pytest.approx(6e9, rel=0.01))


def test_sizes_given_beside_win_over_the_name(ctx: Context) -> None:
    found, _ = find_model(ctx, model="acme-60b", parameters_billion=61.5, active_parameters_billion=5)
    assert parameter_blocks(found).total == 61_500_000_000
    assert found.kind is ModelKind.MOE


def test_an_unknown_name_without_a_size_is_said_with_the_nearest(ctx: Context) -> None:
    with pytest.raises(UnknownName) as caught:
        find_model(ctx, model="Lama Ultra Nine")
    assert caught.value.kind == "model"


def test_a_version_nobody_released_is_not_taken_for_its_family(ctx: Context) -> None:
    with pytest.raises(UnknownName):
        find_model(ctx, model="stable diffusion 77")


def test_nothing_said_is_a_missing_fact(ctx: Context) -> None:
    with pytest.raises(MissingFact) as caught:
        find_model(ctx)
    assert caught.value.slot == "model"


def test_an_unreadable_configuration_is_said(ctx: Context) -> None:
    with pytest.raises(InvalidArguments):
        find_model(ctx, config={"model_type": "mystery"})


@pytest.mark.parametrize(
    ("text", "total", "active"),
    [
        ("foo-30b-a3b", 30e9, 3e9),
        ("Foo 235B A22B", 235e9, 22e9),
        ("0.5b", 0.5e9, None),
        ("600M", 0.6e9, None),
        ("4x7b", 7e9 * 0.2 + 4 * 7e9 * 0.8, 7e9 * 0.2 + 2 * 7e9 * 0.8),
    ],
)
def test_sizes_in_names(text: str, total: float, active: float | None) -> None:
    found = size_in(text)
    assert found is not None
    assert found.total == round(total)
    assert found.active == (None if active is None else round(active))


@pytest.mark.parametrize("text", ["gpt2", "phi-4", "v1.5", "8bit", "80gb", "bert-base", "", "b"])
def test_no_size_is_read_where_none_is_named(text: str) -> None:
    assert size_in(text) is None


@settings(max_examples=40)
@given(total=st.integers(10**8, 2 * 10**12))
def test_a_typical_shape_has_the_size_that_was_asked_for(ctx: Context, total: int) -> None:
    shape = typical_shape(ctx.models.models(), total)
    assert parameter_blocks(shape).total == total
    assert shape.num_attention_heads
    assert shape.num_key_value_heads
    assert shape.num_attention_heads % shape.num_key_value_heads == 0


@settings(max_examples=60)
@given(st.text(max_size=60))
def test_no_text_escapes_the_error_tree(ctx: Context, text: str) -> None:
    try:
        found, _ = find_model(ctx, model=text)
    except AdvisorError:
        return
    assert parameter_blocks(found).total >= 0
