"""Parameters by block and linear modules."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.architecture import ModelArchitecture
from tools.context import Context
from tools.linear_modules import LinearModule, linear_modules
from tools.parameters import parameter_blocks
from tools.terms import ModelKind


def decoder(**changes: object) -> ModelArchitecture:
    values: dict[str, object] = {
        "id": "test/decoder",
        "family": "test",
        "kind": ModelKind.DECODER,
        "hidden_size": 1024,
        "num_hidden_layers": 8,
        "num_attention_heads": 16,
        "num_key_value_heads": 4,
        "head_dim": 64,
        "intermediate_size": 2816,
        "vocab_size": 32000,
        "tie_word_embeddings": False,
        "gated_mlp": True,
    }
    return ModelArchitecture.model_validate(values | changes)


def test_a_decoder_by_hand() -> None:
    """V H twice, L (2 H h d + 2 H k d + 3 H I), (2 L + 1) H."""
    blocks = parameter_blocks(decoder())
    assert blocks.embedding == blocks.head == 32000 * 1024
    assert blocks.attention == 8 * (2 * 1024 * 1024 + 2 * 1024 * 256)
    assert blocks.mlp == 8 * 3 * 1024 * 2816
    assert blocks.norms == 17 * 1024
    assert blocks.linear == blocks.attention + blocks.mlp
    assert blocks.total == blocks.active == blocks.embedding + blocks.head + blocks.linear + blocks.norms


def test_a_tied_head_counts_once() -> None:
    assert parameter_blocks(decoder(tie_word_embeddings=True)).head == 0


def test_an_ungated_block_has_two_matrices() -> None:
    assert parameter_blocks(decoder(gated_mlp=False)).mlp == 8 * 2 * 1024 * 2816


def test_what_the_published_count_leaves_over_is_other() -> None:
    plain = parameter_blocks(decoder())
    more = parameter_blocks(decoder(published_parameters=plain.total + 5_000))
    assert (more.other, more.linear) == (5_000, plain.linear)


def test_the_rest_of_a_hybrid_is_linear() -> None:
    plain = parameter_blocks(decoder(num_linear_layers=6))
    more = parameter_blocks(decoder(num_linear_layers=6, published_parameters=plain.total + 10**7))
    assert (more.other, more.other_linear) == (0, 10**7)


def test_a_count_smaller_than_the_dimensions_shrinks_all_blocks() -> None:
    plain = parameter_blocks(decoder())
    half = parameter_blocks(decoder(published_parameters=plain.total // 2))
    assert half.total == plain.total // 2
    assert half.mlp == pytest.approx(plain.mlp / 2, rel=1e-3)


def test_experts_by_hand() -> None:
    moe = decoder(
        kind=ModelKind.MOE, num_experts=8, num_experts_per_tok=2, moe_intermediate_size=512, first_k_dense_replace=1, n_shared_experts=1
    )
    blocks = parameter_blocks(moe)
    assert blocks.experts == 7 * 8 * 3 * 1024 * 512
    assert blocks.mlp == 3 * 1024 * 2816 + 7 * 3 * 1024 * 512
    assert blocks.router == 7 * 8 * 1024
    assert blocks.active == blocks.total - blocks.experts * 3 // 4


def test_adapter_targets_match_by_family_names() -> None:
    query = LinearModule(name="q_proj", in_features=8, out_features=8, layers=1)
    assert all(query.matches(name) for name in ("q_proj", "query", "q", "to_q", "c_attn", "query_key_value"))
    assert not query.matches("k_proj")


def test_a_unet_has_a_transformer_block_for_every_stage_and_the_middle(ctx: Context) -> None:
    """SD 1.5 has 16 transformer blocks, SDXL 70 (arXiv:2307.01952, table 1)."""
    for name, blocks in (("sd 1.5", 16), ("sdxl", 70)):
        down = [module for module in linear_modules(ctx.models.model(name)) if module.name == "down_proj"]
        assert sum(module.count for module in down) == blocks


def test_experts_are_routed_modules(ctx: Context) -> None:
    routed = {module.name for module in linear_modules(ctx.models.model("mixtral")) if module.routed}
    assert routed == {"gate_proj", "up_proj", "down_proj"}


def test_a_model_without_dimensions_gets_typical_proportions(ctx: Context) -> None:
    bare = ModelArchitecture(id="test/bare", family="test", kind=ModelKind.DECODER, published_parameters=7_000_000_000)
    blocks = parameter_blocks(bare)
    assert blocks.total == 7_000_000_000
    assert 0.8 < blocks.linear / blocks.total < 0.98
    assert linear_modules(bare) == ()


def test_a_model_without_anything_is_empty_but_no_error() -> None:
    assert parameter_blocks(ModelArchitecture(id="x", family="x", kind=ModelKind.AUDIO)).total == 0


@given(
    hidden=st.integers(1, 200).map(lambda n: n * 64),
    layers=st.integers(1, 130),
    width=st.integers(1, 400).map(lambda n: n * 64),
    experts=st.integers(0, 64),
    published=st.one_of(st.none(), st.integers(1, 10**13)),
)
def test_blocks_always_add_up(hidden: int, layers: int, width: int, experts: int, published: int | None) -> None:
    model = decoder(
        hidden_size=hidden,
        num_hidden_layers=layers,
        intermediate_size=width,
        num_experts=experts,
        num_experts_per_tok=min(2, experts),
        moe_intermediate_size=width if experts else 0,
        published_parameters=published,
    )
    blocks = parameter_blocks(model)
    assert blocks.total == (published or blocks.total)
    assert 0 <= blocks.linear <= blocks.total
    assert 0 < blocks.active <= blocks.total
    if published is None:
        assert blocks.linear == sum(module.weights for module in linear_modules(model)) + blocks.router


@given(layers=st.integers(1, 80))
def test_more_layers_never_mean_fewer_parameters(layers: int) -> None:
    assert parameter_blocks(decoder(num_hidden_layers=layers + 1)).total > parameter_blocks(decoder(num_hidden_layers=layers)).total
