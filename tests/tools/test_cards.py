"""Cards of models, accelerators and providers."""

from __future__ import annotations

import pytest

from tools.arguments import ModelArguments
from tools.cards import accelerator_card, model_card, provider_card
from tools.context import Context
from tools.errors import AmbiguousName, UnknownName
from tools.terms import Precision


def cannot(ctx: Context, name: str) -> str:
    return " ".join(accelerator_card(ctx, name).cannot)


def test_a_model_card_adds_up(ctx: Context) -> None:
    card = model_card(ctx, ModelArguments(model="gemma 2 9b"))
    assert sum(card.parameters.values()) == card.total_parameters == 9_241_705_984
    assert card.weight_bytes[Precision.BF16] == 2 * card.total_parameters
    assert card.linear_parameters * 4.127 / 8 < card.weight_bytes[Precision.NF4] < card.weight_bytes[Precision.INT8]
    assert "published count" in card.count
    assert card.citations[0].source


def test_a_model_card_of_a_mixture_tells_both_counts(ctx: Context) -> None:
    card = model_card(ctx, ModelArguments(model="mixtral"))
    assert card.active_parameters < card.total_parameters
    assert card.parameters["experts"] > card.parameters["attention"]


def test_a_model_card_of_a_pipeline_lists_its_parts(ctx: Context) -> None:
    assert {"denoiser", "text_encoder", "vae"} <= set(model_card(ctx, ModelArguments(model="sdxl")).components)


def test_a_model_card_of_a_size_says_what_it_assumes(ctx: Context) -> None:
    (assumption,) = model_card(ctx, ModelArguments(model="11B")).assumptions
    assert assumption.name == "model"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("T4", ["bf16", "FlashAttention-2", "TF32", "fp8", "NVLink"]),
        ("V100 32GB", ["bf16", "FlashAttention-2", "fp8"]),
        ("P100", ["tensor cores", "bf16"]),
        ("A100 SXM 80GB", ["fp8"]),
        ("RTX 4090", ["NVLink", "half the tensor rate", "nvfp4"]),
        ("RTX 3090", ["bridge", "fp8"]),
        ("K80", ["do not rent it"]),
    ],
)
def test_an_accelerator_card_says_what_the_card_cannot_do(ctx: Context, name: str, words: list[str]) -> None:
    assert all(word in cannot(ctx, name) for word in words)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("5090", "CUDA 12.8"),
        ("B200", "CUDA 12.8"),
        ("V100S", "CUDA 12"),
        ("MI300X", "ROCm"),
        ("Gaudi2", "optimum-habana"),
        ("TPU-v5e", "XLA"),
        ("Trainium2", "Neuron"),
        ("GH200", "aarch64"),
    ],
)
def test_an_accelerator_card_says_what_the_card_needs(ctx: Context, name: str, word: str) -> None:
    assert word in " ".join(accelerator_card(ctx, name).needs)


def test_an_h100_can_what_it_can(ctx: Context) -> None:
    card = accelerator_card(ctx, "H100 SXM")
    assert card.supports_bf16
    assert card.supports_fp8
    assert "bf16" not in " ".join(card.cannot)
    assert card.needs == []


def test_a_name_of_several_forms_shows_all_and_counts_with_the_slower(ctx: Context) -> None:
    card = accelerator_card(ctx, "A100")
    assert len(card.variants) == 6
    assert card.memory_label_gb == min(variant.memory_label_gb for variant in card.variants)
    assert card.memory_bandwidth_gb_per_s == min(variant.memory_bandwidth_gb_per_s or 1e9 for variant in card.variants)


def test_a_name_of_several_generations_is_asked_back(ctx: Context) -> None:
    with pytest.raises(AmbiguousName):
        accelerator_card(ctx, "RTX 6000")


def test_a_machine_type_tells_how_many_cards_it_has(ctx: Context) -> None:
    card = accelerator_card(ctx, "g5.48xlarge")
    assert (card.accelerator, card.instance) == ("A10G", "8x A10G")


def test_usable_memory_is_marked_where_it_is_assumed(ctx: Context) -> None:
    assert not accelerator_card(ctx, "L4").usable_is_assumed
    assert accelerator_card(ctx, "MI210").usable_is_assumed


def test_a_provider_card_says_unknown(ctx: Context) -> None:
    card = provider_card(ctx, "RunPod")
    assert "network between nodes" in card.unknown
    assert "SSH" not in card.unknown
    assert card.offers > 10
    assert card.oldest_price <= card.newest_price
    assert card.citations[0].source.startswith("https://")


def test_a_provider_without_offers_says_so(ctx: Context) -> None:
    card = provider_card(ctx, "Genesis Cloud")
    assert (card.offers, card.oldest_price) == (0, None)
    assert "no offer" in card.warnings[0]


def test_prices_of_unknown_currency_are_said(ctx: Context) -> None:
    assert any("currency" in warning for warning in provider_card(ctx, "seeweb").warnings)


@pytest.mark.parametrize("describe", [accelerator_card, provider_card], ids=["accelerator", "provider"])
def test_an_unknown_name_is_said(ctx: Context, describe) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(UnknownName):
        describe(ctx, "Wombat 9000 Cloud")
