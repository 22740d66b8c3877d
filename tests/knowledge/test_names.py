"""Names as people write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.names import AliasIndex, normal, stem, without_owner
from tools.context import Context
from tools.errors import AmbiguousName, UnknownName

MODELS = [
    ("LLAMA-3.1 8b", "meta-llama/Llama-3.1-8B"),
    ("llama 3.1 8B Instruct", "meta-llama/Llama-3.1-8B"),
    ("unsloth/Meta-Llama-3.1-8B-bnb-4bit", "meta-llama/Llama-3.1-8B"),
    ("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", "meta-llama/Llama-3.1-8B"),
    ("L3-8b", "meta-llama/Meta-Llama-3-8B"),
    ("llama2 13b chat", "meta-llama/Llama-2-13b-hf"),
    ("TheBloke/Llama-2-13B-chat-GPTQ", "meta-llama/Llama-2-13b-hf"),
    ("decapoda-research/llama-7b-hf", "huggyllama/llama-7b"),
    ("Qwen 2.5 14b", "Qwen/Qwen2.5-14B"),
    ("qwen2.5-14b-instruct-gptq-int4", "Qwen/Qwen2.5-14B"),
    ("QWEN3 30B A3B", "Qwen/Qwen3-30B-A3B"),
    ("gemma2-9b-it", "google/gemma-2-9b"),
    ("8×7B", "mistralai/Mixtral-8x7B-v0.1"),
    ("mixtral", "mistralai/Mixtral-8x7B-v0.1"),
    ("M7B", "mistralai/Mistral-7B-v0.3"),
    ("deepseek 671b", "deepseek-ai/DeepSeek-V3"),
    ("r1 distill qwen 14b", "deepseek-ai/DeepSeek-R1-Distill-Qwen-14B"),
    ("gpt oss 20b", "openai/gpt-oss-20b"),
    ("flux dev", "black-forest-labs/FLUX.1-dev"),
    ("sdxl", "stabilityai/stable-diffusion-xl-base-1.0"),
    ("whisper large v2", "openai/whisper-large-v2"),
    ("command r+", "CohereLabs/c4ai-command-r-plus"),
    ("command-r", "CohereLabs/c4ai-command-r-v01"),
    ("bert-large-uncased (question answering)", "google-bert/bert-large-uncased"),
]


@pytest.mark.parametrize(("written", "id_"), MODELS, ids=[written for written, _ in MODELS])
def test_a_model_is_found_however_it_is_written(ctx: Context, written: str, id_: str) -> None:
    assert ctx.models.model(written).id == id_


@pytest.mark.parametrize("name", ["Lamma-3.1-8B", "Qwenn2.5-14B", "gemma 2 9 bee"])
def test_a_misspelt_name_is_not_guessed_but_suggested(ctx: Context, name: str) -> None:
    with pytest.raises(UnknownName) as caught:
        ctx.models.model(name)
    assert caught.value.suggestions
    assert len(caught.value.suggestions) <= 3


@pytest.mark.parametrize(("written", "meant"), [("RTX 4900", "RTX 4090"), ("H100 sxn", "H100-SXM"), ("MI3000X", "MI300X")])
def test_the_likeliest_card_is_suggested_first(ctx: Context, written: str, meant: str) -> None:
    with pytest.raises(UnknownName) as caught:
        ctx.catalog.accelerator(written)
    assert caught.value.suggestions[0] == meant


def test_nothing_is_suggested_for_a_name_like_no_other() -> None:
    index = AliasIndex([("a/Known-7B", ())])
    assert index.suggest("zzzzqqq") == ()


def test_the_exact_spelling_wins_over_the_stem() -> None:
    index = AliasIndex([("a/Base-7B", ()), ("b/Base-7B-Instruct", ())])
    assert index.lookup("Base-7B-Instruct") == ("b/Base-7B-Instruct",)
    assert index.lookup("Base-7B") == ("a/Base-7B",)


def test_a_name_of_two_models_is_given_as_two() -> None:
    assert AliasIndex([("a/x", ("twin 7b",)), ("b/y", ("twin-7b",))]).lookup("Twin 7B") == ("a/x", "b/y")


def test_the_registry_says_which_two(ctx: Context) -> None:
    from knowledge.registry import Registry

    one, two = ctx.models.models()[:2]
    registry = Registry([one.model_copy(update={"aliases": ("twin",)}), two.model_copy(update={"aliases": ("twin",)})])
    with pytest.raises(AmbiguousName) as caught:
        registry.model("twin")
    assert set(caught.value.candidates) == {one.id, two.id}


@pytest.mark.parametrize(
    ("written", "expected"),
    [("Llama 3 8B", "llama3-8b"), ("Llama-3_8b", "llama3-8b"), ("qwen 2.5  72B", "qwen2.5-72b"), ("RTX 4090", "rtx4090"), ("R+", "rplus")],
)
def test_the_normal_form_keeps_a_separator_only_between_digits(written: str, expected: str) -> None:
    assert normal(written) == expected


@pytest.mark.parametrize(
    ("written", "expected"), [("x/Foo-7B-Instruct-GPTQ-Int4", "foo7b"), ("instruct", "instruct"), ("Chat-Base", "chat")]
)
def test_the_stem_keeps_at_least_one_word(written: str, expected: str) -> None:
    assert stem(written) == expected


def test_a_slash_inside_a_name_is_no_owner() -> None:
    assert without_owner("ViT-B/16") == "ViT-B/16"
    assert without_owner("google/vit-base-patch16-224") == "vit-base-patch16-224"


@given(st.text(max_size=80))
def test_the_normal_form_is_stable_and_no_text_breaks_a_look_up(text: str) -> None:
    assert normal(normal(text)) == normal(text)
    AliasIndex([("a/Known-7B", ("known",))]).lookup(text)


@given(st.sampled_from(["Llama-3.1-8B", "Qwen2.5-14B", "gemma-2-9b", "gpt-oss-20b"]), st.sampled_from([" ", "-", "_", "  "]), st.booleans())
def test_case_and_separators_do_not_matter(name: str, separator: str, upper: bool) -> None:
    written = name.replace("-", separator)
    assert normal(written.upper() if upper else written) == normal(name)
