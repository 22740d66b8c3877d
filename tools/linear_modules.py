"""The linear layers of a network by name, from its dimensions: what adapters attach to and what 4-bit loading quantises."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pydantic import Field

from tools.architecture import ModelArchitecture
from tools.base import Value
from tools.terms import ModelKind

FUSED_ATTENTION = ("c_attn", "qkv_proj", "query_key_value", "W_pack", "Wqkv", "in_proj", "qkv", "in_proj_qkv")
"""Names under which some families keep query, key and value in one matrix."""
FUSED_MLP = ("gate_up_proj", "w12", "gate_up")
"""Names under which some families keep gate and up in one matrix."""

SPELLINGS: dict[str, tuple[str, ...]] = {
    "q_proj": ("q", "query", "to_q", "wq", "q_lin", *FUSED_ATTENTION),
    "k_proj": ("k", "key", "to_k", "wk", "k_lin", *FUSED_ATTENTION),
    "v_proj": ("v", "value", "to_v", "wv", "v_lin", *FUSED_ATTENTION),
    "o_proj": ("o", "out_proj", "to_out.0", "wo", "c_proj", "out_lin", "attention.dense", "dense"),
    "q_a_proj": (),
    "q_b_proj": (),
    "kv_a_proj_with_mqa": ("kv_a_proj",),
    "kv_b_proj": (),
    "gate_proj": ("wi_0", "w1", "gate", "linear_fc1", *FUSED_MLP),
    "up_proj": ("wi", "wi_1", "w3", "fc1", "c_fc", "dense_h_to_4h", "lin1", "intermediate.dense", "ff.net.0.proj", *FUSED_MLP),
    "down_proj": ("w2", "fc2", "dense_4h_to_h", "lin2", "output.dense", "ff.net.2", "linear_fc2"),
    "proj_in": (),
    "proj_out": (),
    "mixer": ("in_proj", "out_proj", "x_proj", "dt_proj", "in_proj_qkvz", "in_proj_ba"),
}
"""Other names of the same layer across families."""


class LinearModule(Value):
    """One kind of linear layer."""

    name: str
    """Llama-like name: q_proj, k_proj, v_proj, o_proj, gate_proj, up_proj, down_proj, ..."""
    in_features: int = Field(gt=0)
    """Width of its input."""
    out_features: int = Field(gt=0)
    """Width of its output."""
    layers: int = Field(gt=0)
    """Blocks that have it."""
    per_layer: int = Field(default=1, gt=0)
    """Copies in one block: number of routed or shared experts, else 1."""
    routed: bool = False
    """Whether it belongs to a routed expert."""

    @property
    def count(self) -> int:
        """Copies in the whole network."""
        return self.layers * self.per_layer

    @property
    def weights(self) -> int:
        """Weights of all copies."""
        return self.in_features * self.out_features * self.count

    def matches(self, target: str) -> bool:
        """Whether a target name of an adapter configuration means this layer."""
        wanted = target.strip()
        return wanted == self.name or wanted in SPELLINGS.get(self.name, ())


@lru_cache(maxsize=128)
def linear_modules(a: ModelArchitecture) -> tuple[LinearModule, ...]:
    """Every kind of linear layer inside the blocks that the dimensions tell, empty where they tell none. Never raises.

    Shapes as in the reference implementations of the families (Hugging Face transformers and diffusers): attention
    `2 H h d + 2 H k d` weights a layer, gated feed-forward `3 H I`, ungated `2 H I`.
    """
    if a.stages:
        return tuple(_stage_modules(a))
    if not a.hidden_size or not a.num_hidden_layers:
        return ()
    return tuple(_block_modules(a, a.hidden_size, a.num_hidden_layers))


def attention_layers(a: ModelArchitecture) -> int:
    """Blocks with softmax attention; cross-attention not counted."""
    if a.num_softmax_layers is not None:
        return a.num_softmax_layers
    return max(0, (a.num_hidden_layers or 0) - a.num_linear_layers)


def moe_layers(a: ModelArchitecture) -> int:
    """Blocks with routed experts."""
    if not a.num_experts:
        return 0
    layers = a.num_hidden_layers or 0
    return min(layers, a.num_moe_layers) if a.num_moe_layers is not None else max(0, layers - a.first_k_dense_replace)


def cross_attention_layers(a: ModelArchitecture) -> int:
    """Blocks that also attend to an encoder's output."""
    if a.cross_attention:
        return a.num_hidden_layers or 0
    if a.kind in (ModelKind.ENCODER_DECODER, ModelKind.AUDIO) and a.num_encoder_layers and a.num_hidden_layers:
        return max(0, a.num_hidden_layers - a.num_encoder_layers)
    return 0


def _block_modules(a: ModelArchitecture, hidden: int, layers: int) -> Iterator[LinearModule]:
    heads = a.num_attention_heads or max(1, hidden // 128)
    kv_heads = a.num_key_value_heads or heads
    head = a.head_dim or max(1, hidden // heads)
    double = a.num_double_stream_layers
    # a double-stream block keeps its own weights for image and text
    streams = attention_layers(a) + cross_attention_layers(a) + double
    if streams and a.latent_attention:
        yield from _latent_modules(a, hidden, heads, streams)
    elif streams and a.attention_sharing != "linear":
        yield LinearModule(name="q_proj", in_features=hidden, out_features=heads * head, layers=streams)
        yield LinearModule(name="k_proj", in_features=hidden, out_features=kv_heads * head, layers=streams)
        yield LinearModule(name="v_proj", in_features=hidden, out_features=kv_heads * head, layers=streams)
        yield LinearModule(name="o_proj", in_features=heads * head, out_features=hidden, layers=streams)
    routed_layers = moe_layers(a)
    dense_layers = (layers - routed_layers if a.num_feed_forward_layers is None else a.num_feed_forward_layers) + double
    if dense_layers > 0 and a.intermediate_size:
        yield from _feed_forward(a, hidden, a.intermediate_size, dense_layers)
    if routed_layers and a.moe_intermediate_size:
        yield from _feed_forward(a, hidden, a.moe_intermediate_size, routed_layers, a.num_experts, routed=True)
        shared = a.shared_expert_intermediate_size or a.moe_intermediate_size
        if a.n_shared_experts:
            yield from _feed_forward(a, hidden, shared, routed_layers, a.n_shared_experts)


def _latent_modules(a: ModelArchitecture, hidden: int, heads: int, layers: int) -> Iterator[LinearModule]:
    """Multi-head latent attention (arXiv:2405.04434, section 2.1)."""
    ranks = a.latent_attention
    assert ranks is not None
    query = heads * (ranks.qk_nope_head_dim + ranks.qk_rope_head_dim)
    if ranks.q_lora_rank:
        yield LinearModule(name="q_a_proj", in_features=hidden, out_features=ranks.q_lora_rank, layers=layers)
        yield LinearModule(name="q_b_proj", in_features=ranks.q_lora_rank, out_features=query, layers=layers)
    else:
        yield LinearModule(name="q_proj", in_features=hidden, out_features=query, layers=layers)
    compressed = ranks.kv_lora_rank + ranks.qk_rope_head_dim
    yield LinearModule(name="kv_a_proj_with_mqa", in_features=hidden, out_features=compressed, layers=layers)
    expanded = heads * (ranks.qk_nope_head_dim + ranks.v_head_dim)
    yield LinearModule(name="kv_b_proj", in_features=ranks.kv_lora_rank, out_features=expanded, layers=layers)
    yield LinearModule(name="o_proj", in_features=heads * ranks.v_head_dim, out_features=hidden, layers=layers)


def _feed_forward(
    a: ModelArchitecture, hidden: int, width: int, layers: int, copies: int = 1, *, routed: bool = False
) -> Iterator[LinearModule]:
    names = ("gate_proj", "up_proj") if a.gated_mlp is not False else ("up_proj",)
    for name in names:
        yield LinearModule(name=name, in_features=hidden, out_features=width, layers=layers, per_layer=copies, routed=routed)
    yield LinearModule(name="down_proj", in_features=width, out_features=hidden, layers=layers, per_layer=copies, routed=routed)


def _stage_modules(a: ModelArchitecture) -> Iterator[LinearModule]:
    """UNet: two residual blocks down and three up per stage, one in the middle, each followed by its transformer blocks."""
    unet = bool(a.stage_transformer_layers)
    for index, (depth, width) in enumerate(a.stages):
        if unet:
            each = a.stage_transformer_layers[index] if index < len(a.stage_transformer_layers) else 0
            blocks = (2 * depth + 1) * each
            if index == len(a.stages) - 1:
                # the block in the middle has attention even where the last stage has none
                blocks += each or 1
            if blocks:
                yield from _unet_modules(a, width, blocks)
        elif a.gated_mlp is not None:
            if a.attention_sharing != "unknown":
                for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
                    yield LinearModule(name=name, in_features=width, out_features=width, layers=depth)
            yield from _feed_forward(a, width, 4 * width, depth)


def _unet_modules(a: ModelArchitecture, width: int, blocks: int) -> Iterator[LinearModule]:
    text = a.cross_attention_dim or width
    yield LinearModule(name="q_proj", in_features=width, out_features=width, layers=blocks, per_layer=2)
    yield LinearModule(name="o_proj", in_features=width, out_features=width, layers=blocks, per_layer=2)
    for name in ("k_proj", "v_proj"):
        yield LinearModule(name=name, in_features=width, out_features=width, layers=blocks)
        yield LinearModule(name=name, in_features=text, out_features=width, layers=blocks)
    yield from _feed_forward(a, width, 4 * width, blocks)
