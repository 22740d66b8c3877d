"""The network that is tuned: dimensions as in a Hugging Face `config.json`, parameter counts derived from them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tools.base import Value
from tools.terms import ModelKind

CountStatus = Literal["verified", "rounded", "explained", "instantiated", "published", "size_only", "unknown"]


class LatentAttention(Value):
    """Ranks of multi-head latent attention (DeepSeek-V2, arXiv:2405.04434 section 2.1)."""

    q_lora_rank: int | None = None
    """Rank of the query compression; none where queries are projected directly."""
    kv_lora_rank: int = Field(gt=0)
    """Rank of the joint key-value compression."""
    qk_nope_head_dim: int = Field(gt=0)
    """Width per head without rotary position."""
    qk_rope_head_dim: int = Field(ge=0)
    """Width per head with rotary position."""
    v_head_dim: int = Field(gt=0)
    """Width of a value head."""


LEARNED_POSITIONS = frozenset(
    {"gpt2", "gpt_neo", "gpt_bigcode", "starcoder", "opt", "bert", "roberta", "xlm_roberta", "camembert"}
    | {"distilbert", "albert", "electra", "mpnet", "minilm"}
)
"""Families that add a learned table of absolute positions to the embedding (their model classes in transformers hold `wpe`,
`embed_positions` or `position_embeddings`)."""


class Component(Value):
    """One part of a pipeline: denoiser, text encoder, VAE, vision tower, ..."""

    role: str
    """What it does: denoiser, text_encoder, text_encoder_2, vae, image_tower, audio_tower, ..."""
    name: str
    """Class or checkpoint name."""
    parameters: int | None = Field(default=None, gt=0)
    """Parameters; none where no source states them."""


class ModelArchitecture(Value):
    """A network's shape. Dimensions that no source states are None; formulas then fall back to size alone and say so."""

    id: str
    """Hugging Face id where there is one."""
    family: str
    """Family of releases."""
    kind: ModelKind
    """Shape of the network."""
    aliases: tuple[str, ...] = ()
    """Ways people write the name."""
    published_parameters: int | None = Field(default=None, gt=0)
    """Unique parameters of the class people load, as published or instantiated; diffusion: the denoiser only."""
    published_active_parameters: int | None = Field(default=None, gt=0)
    """Parameters one token uses, as published (MoE)."""
    hidden_size: int | None = Field(default=None, gt=0)
    """Width of the residual stream."""
    num_hidden_layers: int | None = Field(default=None, gt=0)
    """Blocks; encoder plus decoder where there are both."""
    num_encoder_layers: int | None = Field(default=None, gt=0)
    """Encoder blocks of an encoder-decoder or audio model."""
    num_attention_heads: int | None = Field(default=None, gt=0)
    """Query heads."""
    num_key_value_heads: int | None = Field(default=None, gt=0)
    """Key-value heads."""
    head_dim: int | None = Field(default=None, gt=0)
    """Width of a head."""
    intermediate_size: int | None = Field(default=None, gt=0)
    """Width of one dense feed-forward matrix."""
    vocab_size: int | None = Field(default=None, gt=0)
    """Rows of the embedding."""
    tie_word_embeddings: bool | None = None
    """Whether embedding and head share one matrix; None where no source states it."""
    gated_mlp: bool | None = None
    """Three matrices (gate, up, down) instead of two."""
    activation: str = "unknown"
    """Activation of the feed-forward block: silu, gelu, relu, ..."""
    num_experts: int = Field(default=0, ge=0)
    """Routed experts a layer; 0 for a dense model."""
    num_experts_per_tok: int = Field(default=0, ge=0)
    """Routed experts a token uses."""
    moe_intermediate_size: int = Field(default=0, ge=0)
    """Width of one routed expert."""
    n_shared_experts: int = Field(default=0, ge=0)
    """Experts every token uses."""
    shared_expert_intermediate_size: int = Field(default=0, ge=0)
    """Width of one shared expert; 0 means that of a routed one."""
    first_k_dense_replace: int = Field(default=0, ge=0)
    """Leading layers with a dense feed-forward block."""
    latent_attention: LatentAttention | None = None
    """Ranks, where attention is latent."""
    sliding_window: int | None = Field(default=None, gt=0)
    """Window of the layers that use one."""
    num_sliding_layers: int = Field(default=0, ge=0)
    """Layers whose attention is windowed."""
    num_linear_layers: int = Field(default=0, ge=0)
    """Layers with linear attention, a state-space or a convolution mixer instead of softmax attention."""
    num_sparse_layers: int = Field(default=0, ge=0)
    """Layers with learned sparse attention (indexed, compressed)."""
    num_softmax_layers: int | None = Field(default=None, ge=0)
    """Layers with softmax attention; None means all that are not linear."""
    num_feed_forward_layers: int | None = Field(default=None, ge=0)
    """Layers with a dense feed-forward block; None means all that have no routed experts."""
    parallel_mixers: bool = False
    """State-space mixers beside or between attention, in a pattern no source states."""
    num_moe_layers: int | None = Field(default=None, ge=0)
    """Layers with routed experts; None means all but the leading dense ones."""
    attention_sharing: Literal["mha", "gqa", "mqa", "mla", "linear", "joint", "unknown"] = "unknown"
    """How heads share keys and values."""
    max_position_embeddings: int | None = Field(default=None, gt=0)
    """Longest context the released configuration allows, in tokens."""
    dtype: str = "unknown"
    """Precision of the released weights."""
    image_tower_parameters: int | None = Field(default=None, gt=0)
    """Parameters under the vision module of a VLM."""
    components: tuple[Component, ...] = ()
    """Parts of a pipeline."""
    latent_channels: int | None = Field(default=None, gt=0)
    """Channels of the latent space (diffusion)."""
    vae_spatial_downscale: int | None = Field(default=None, gt=0)
    """Pixels per latent cell along one side."""
    vae_temporal_downscale: int | None = Field(default=None, gt=0)
    """Frames per latent frame (video)."""
    stages: tuple[tuple[int, int], ...] = ()
    """(layers, width) per stage of a hierarchical network (UNet, Swin, ConvNeXt)."""
    stage_transformer_layers: tuple[int, ...] = ()
    """Transformer blocks per residual block and stage of a UNet; 0 where a stage has no attention."""
    cross_attention_dim: int | None = Field(default=None, gt=0)
    """Width of the text states a denoiser attends to."""
    native_resolution: int | None = Field(default=None, gt=0)
    """Side in pixels a diffusion model was trained at."""
    cross_attention: bool = False
    """Every block also attends to text states with projections of its own (PixArt, Wan, LTX)."""
    num_double_stream_layers: int = Field(default=0, ge=0)
    """Leading blocks with separate weights for image and text (FLUX-like denoisers)."""
    count_status: CountStatus = "unknown"
    """How sure the parameter count is."""
    notes: str = ""
    """What a reader should know."""
    source: str = "unknown"
    """Where the dimensions and the count come from."""
    released: str = "unknown"
    """Month of release."""
    licence: str = "unknown"
    """Licence of the weights."""

    @property
    def position_table(self) -> int | None:
        """Rows of a learned position table: no sample can be longer, tokenizers cut it. None where positions are rotated or biased."""
        if self.family.lower().replace("-", "_") in LEARNED_POSITIONS and self.kind is not ModelKind.AUDIO:
            return self.max_position_embeddings
        return None
