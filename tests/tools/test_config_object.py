"""Configuration objects of several families, as their config.json writes them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.config_names import NAMES
from tools.config_object import architecture_of
from tools.errors import InvalidArguments
from tools.parameters import parameter_blocks
from tools.terms import ModelKind

LLAMA = {
    "model_type": "llama",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "vocab_size": 128256,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
    "max_position_embeddings": 131072,
    "torch_dtype": "bfloat16",
}
QWEN_MOE = {
    "model_type": "qwen3_moe",
    "hidden_size": 2048,
    "num_hidden_layers": 48,
    "num_attention_heads": 32,
    "num_key_value_heads": 4,
    "head_dim": 128,
    "intermediate_size": 6144,
    "moe_intermediate_size": 768,
    "num_experts": 128,
    "num_experts_per_tok": 8,
    "decoder_sparse_step": 1,
    "mlp_only_layers": [],
    "vocab_size": 151936,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
}
MIXTRAL = {
    "model_type": "mixtral",
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "intermediate_size": 14336,
    "num_local_experts": 8,
    "num_experts_per_tok": 2,
    "vocab_size": 32000,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
}
DEEPSEEK = {
    "model_type": "deepseek_v3",
    "hidden_size": 7168,
    "num_hidden_layers": 61,
    "num_attention_heads": 128,
    "num_key_value_heads": 128,
    "intermediate_size": 18432,
    "moe_intermediate_size": 2048,
    "n_routed_experts": 256,
    "n_shared_experts": 1,
    "num_experts_per_tok": 8,
    "first_k_dense_replace": 3,
    "q_lora_rank": 1536,
    "kv_lora_rank": 512,
    "qk_nope_head_dim": 128,
    "qk_rope_head_dim": 64,
    "v_head_dim": 128,
    "vocab_size": 129280,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
}
GPT2 = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12, "n_head": 12, "vocab_size": 50257, "n_positions": 1024, "n_inner": None}
T5 = {
    "model_type": "t5",
    "d_model": 768,
    "num_layers": 12,
    "num_decoder_layers": 12,
    "num_heads": 12,
    "d_kv": 64,
    "d_ff": 3072,
    "vocab_size": 32128,
    "feed_forward_proj": "relu",
    "is_encoder_decoder": True,
}
WHISPER = {
    "model_type": "whisper",
    "d_model": 1280,
    "encoder_layers": 32,
    "decoder_layers": 32,
    "num_hidden_layers": 32,
    "encoder_attention_heads": 20,
    "decoder_attention_heads": 20,
    "encoder_ffn_dim": 5120,
    "decoder_ffn_dim": 5120,
    "vocab_size": 51866,
    "activation_function": "gelu",
    "is_encoder_decoder": True,
    "max_target_positions": 448,
}
FALCON = {"model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71, "multi_query": True} | {
    "vocab_size": 65024
}
BERT = {"model_type": "bert", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12, "intermediate_size": 3072} | {
    "vocab_size": 30522,
    "hidden_act": "gelu",
}
GEMMA_VLM = {
    "model_type": "gemma3",
    "text_config": {
        "model_type": "gemma3_text",
        "hidden_size": 2560,
        "num_hidden_layers": 34,
        "num_attention_heads": 8,
        "num_key_value_heads": 4,
        "head_dim": 256,
        "intermediate_size": 10240,
        "vocab_size": 262208,
        "sliding_window": 1024,
        "sliding_window_pattern": 6,
        "hidden_activation": "gelu_pytorch_tanh",
    },
    "vision_config": {"hidden_size": 1152, "num_hidden_layers": 27, "intermediate_size": 4304},
}
DBRX = {
    "model_type": "dbrx",
    "d_model": 6144,
    "n_layers": 40,
    "n_heads": 48,
    "vocab_size": 100352,
    "max_seq_len": 32768,
    "attn_config": {"kv_n_heads": 8},
    "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16, "moe_top_k": 4, "ffn_act_fn": {"name": "silu"}},
    "tie_word_embeddings": False,
}

COUNTS: list[tuple[str, dict[str, Any], float, float]] = [
    ("llama", LLAMA, 8_030_261_248, 8_030_261_248),
    ("mixture of experts", QWEN_MOE, 30_532_122_624, 3_353_032_704),
    ("experts under another name", MIXTRAL, 46_702_792_704, 12_879_925_248),
    ("latent attention and shared experts", DEEPSEEK, 671_026_404_352, 37_552_282_624),
    ("experts in a sub-object", DBRX, 131_596_523_520, 36_469_377_024),
    ("gpt-2", GPT2, 124_439_808, 124_439_808),
    ("encoder-decoder", T5, 222_903_552, 222_903_552),
    ("speech", WHISPER, 1_543_490_560, 1_543_490_560),
    ("multi-query without a feed-forward width", FALCON, 6_921_720_704, 6_921_720_704),
    ("encoder", BERT, 109_482_240, 109_482_240),
    ("image and text", GEMMA_VLM, 4_300_079_472, 4_300_079_472),
]


@pytest.mark.parametrize(("config", "total", "active"), [row[1:] for row in COUNTS], ids=[row[0] for row in COUNTS])
def test_the_count_follows_from_the_dimensions(config: dict[str, Any], total: float, active: float) -> None:
    """Published totals; biases and position tables may be missing."""
    blocks = parameter_blocks(architecture_of(config))
    assert blocks.total == pytest.approx(total, rel=0.012)
    assert blocks.active == pytest.approx(active, rel=0.02)


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        (LLAMA, ModelKind.DECODER),
        (QWEN_MOE, ModelKind.MOE),
        (T5, ModelKind.ENCODER_DECODER),
        (WHISPER, ModelKind.AUDIO),
        (BERT, ModelKind.ENCODER),
        (GEMMA_VLM, ModelKind.VLM),
    ],
    ids=lambda value: value.value if isinstance(value, ModelKind) else "",
)
def test_the_kind_is_read(config: dict[str, Any], kind: ModelKind) -> None:
    assert architecture_of(config).kind is kind


def test_windows_gates_and_ties_are_read() -> None:
    gemma = architecture_of(GEMMA_VLM)
    assert (gemma.sliding_window, gemma.num_sliding_layers) == (1024, 29)
    assert gemma.gated_mlp is True
    assert gemma.tie_word_embeddings is True, "the family's default where the flag is missing"
    assert architecture_of(GPT2).gated_mlp is False
    assert architecture_of(FALCON).num_key_value_heads == 1
    assert architecture_of(LLAMA).dtype == "bfloat16"


def test_a_window_that_is_switched_off_is_no_window() -> None:
    read = architecture_of(LLAMA | {"sliding_window": 4096, "use_sliding_window": False})
    assert (read.sliding_window, read.num_sliding_layers) == (None, 0)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ({"layer_types": ["linear_attention"] * 24 + ["full_attention"] * 8}, (24, 0)),
        ({"layer_types": ["sliding_attention"] * 16 + ["full_attention"] * 16, "sliding_window": 128}, (0, 16)),
        ({"full_attention_interval": 4}, (24, 0)),
        ({"attn_layer_period": 8}, (28, 0)),
    ],
    ids=["listed", "windows listed", "an interval", "a period"],
)
def test_the_mix_of_layers_is_read(pattern: dict[str, Any], expected: tuple[int, int]) -> None:
    read = architecture_of(LLAMA | pattern)
    assert (read.num_linear_layers, read.num_sliding_layers) == expected


def test_experts_in_every_second_layer() -> None:
    assert architecture_of(QWEN_MOE | {"interleave_moe_layer_step": 2}).num_moe_layers == 24
    assert architecture_of(QWEN_MOE | {"decoder_sparse_step": 2}).num_moe_layers == 24
    assert architecture_of(QWEN_MOE | {"mlp_layer_types": ["dense"] * 8 + ["sparse"] * 40}).num_moe_layers == 40


@pytest.mark.parametrize("config", [{}, {"model_type": "llama"}, {"hidden_size": 64}, {"hidden_size": "wide", "num_hidden_layers": 2}])
def test_an_unknown_shape_is_a_clear_error(config: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments, match="states no"):
        architecture_of(config)


ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-5, 10**12),
    st.floats(),
    st.text(max_size=5),
    st.lists(st.one_of(st.integers(), st.text(max_size=3)), max_size=3),
    st.dictionaries(st.sampled_from(["hidden_size", "depth", "kv_n_heads"]), st.integers(-1, 10**6), max_size=2),
)
PATTERNS = {"layer_types", "mlp_only_layers", "decoder_sparse_step", "expert_layer_period", "expert_layer_offset", "moe_layer_freq"} | {
    "hybrid_override_pattern",
    "sliding_window_pattern",
    "full_attention_interval",
    "multi_query",
    "expansion_ratio",
    "mlp_ratio",
}
KEYS = sorted({name for names in NAMES.values() for name in names if "." not in name} | set(DEEPSEEK) | set(GEMMA_VLM) | PATTERNS)


@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=12), st.sampled_from([{}, LLAMA, DEEPSEEK, GEMMA_VLM, T5]))
def test_no_object_escapes_the_error_tree(config: dict[str, Any], base: dict[str, Any]) -> None:
    try:
        read = architecture_of(base | config)
    except InvalidArguments:
        return
    assert parameter_blocks(read).total >= 0
