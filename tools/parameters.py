"""Parameters by block, derived from the dimensions and reconciled with the published count."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from pydantic import Field

from tools.architecture import ModelArchitecture
from tools.base import Value
from tools.linear_modules import LinearModule, linear_modules, moe_layers
from tools.terms import ModelKind

__all__ = ["LinearModule", "ParameterBlocks", "explained_blocks", "linear_modules", "parameter_blocks"]

_TYPICAL_ASPECT = 128
"""Hidden size over layers of dense decoders (LLaMA, arXiv:2302.13971, table 2: 128 at 7B to 102 at 65B)."""
_TYPICAL_VOCABULARY = 128_000

_ATTENTION = frozenset(("q_proj", "k_proj", "v_proj", "o_proj", "q_a_proj", "q_b_proj", "kv_a_proj_with_mqa", "kv_b_proj"))


class ParameterBlocks(Value):
    """Where the parameters of a network are. The blocks add up to `total`."""

    embedding: int = Field(default=0, ge=0)
    """All embedding tables."""
    head: int = Field(default=0, ge=0)
    """Output matrix; 0 where it shares the embedding's."""
    attention: int = Field(default=0, ge=0)
    """Projections of softmax attention, cross-attention included."""
    mlp: int = Field(default=0, ge=0)
    """Dense feed-forward blocks and shared experts."""
    experts: int = Field(default=0, ge=0)
    """Routed experts, all of them."""
    router: int = Field(default=0, ge=0)
    """Gates of the experts."""
    norms: int = Field(default=0, ge=0)
    """Normalisation weights."""
    image_tower: int = Field(default=0, ge=0)
    """Vision module."""
    other_linear: int = Field(default=0, ge=0)
    """Further linear layers inside blocks: state-space and linear-attention mixers, modulation of diffusion transformers."""
    other: int = Field(default=0, ge=0)
    """Published total minus what the dimensions explain: biases, convolutions, projectors, position tables."""
    experts_per_token_share: float = Field(default=1.0, ge=0, le=1)
    """Part of the routed experts one token uses."""

    @property
    def total(self) -> int:
        """All parameters."""
        return (
            self.embedding
            + self.head
            + self.attention
            + self.mlp
            + self.experts
            + self.router
            + self.norms
            + self.image_tower
            + self.other_linear
            + self.other
        )

    @property
    def active(self) -> int:
        """Parameters one token uses: all but the routed experts it passes by."""
        return self.total - self.experts + round(self.experts * self.experts_per_token_share)

    @property
    def linear(self) -> int:
        """Weights of linear layers inside blocks, which 4-bit loading quantises; embedding, head and norms are not."""
        return self.attention + self.mlp + self.experts + self.router + self.other_linear


@lru_cache(maxsize=128)
def parameter_blocks(a: ModelArchitecture) -> ParameterBlocks:
    """Blocks that add up to the published count where there is one, to the explained count elsewhere. Never raises.

    What the published count leaves over goes to `other` (to `other_linear` where the blocks hold linear layers whose
    dimensions no source states); where the dimensions explain more than was published (weights shared across layers),
    all blocks shrink in proportion.
    """
    explained = explained_blocks(a)
    published = a.published_parameters
    if published is None:
        return explained
    experts = _published_experts(a, published)
    if experts is not None:
        explained = explained.model_copy(update={"experts": experts})
    rest = published - explained.total
    if rest < 0:
        return _scaled(explained, published, keep_experts=experts is not None)
    name = "other_linear" if _rest_is_linear(a) else "other"
    return explained.model_copy(update={name: getattr(explained, name) + rest})


def _published_experts(a: ModelArchitecture, published: int) -> int | None:
    """Routed experts from the two published counts: one token passes by `experts x (1 - k/E)`."""
    active, used = a.published_active_parameters, a.num_experts_per_tok
    if not a.num_experts or not active or not 0 < used < a.num_experts or active >= published:
        return None
    return min(published, round((published - active) / (1 - used / a.num_experts)))


def explained_blocks(a: ModelArchitecture) -> ParameterBlocks:
    """What the dimensions alone explain; proportions of a typical decoder where there are none."""
    if not a.stages and not (a.hidden_size and a.num_hidden_layers):
        return _typical(a)
    modules = linear_modules(a)
    hidden, layers = a.hidden_size or 0, a.num_hidden_layers or 0
    table = hidden * (a.vocab_size or 0)
    has_head = a.kind in (ModelKind.DECODER, ModelKind.MOE, ModelKind.VLM, ModelKind.ENCODER_DECODER, ModelKind.AUDIO)
    routed = moe_layers(a)
    share = a.num_experts_per_tok / a.num_experts if a.num_experts else 1.0
    return ParameterBlocks(
        embedding=table,
        head=table if has_head and a.tie_word_embeddings is False else 0,
        attention=_weights(m for m in modules if m.name in _ATTENTION),
        mlp=_weights(m for m in modules if m.name not in _ATTENTION and not m.routed),
        experts=_weights(m for m in modules if m.routed),
        router=routed * hidden * a.num_experts,
        norms=(2 * layers + 1) * hidden,
        image_tower=a.image_tower_parameters or 0,
        experts_per_token_share=min(1.0, share),
    )


def _weights(modules: Iterable[LinearModule]) -> int:
    return sum(module.weights for module in modules)


def _rest_is_linear(a: ModelArchitecture) -> bool:
    """Hybrid mixers and the modulation of diffusion transformers are linear layers the tables give no dimensions for."""
    return (
        bool(a.num_linear_layers)
        or a.parallel_mixers
        or a.attention_sharing == "linear"
        or (a.kind is ModelKind.DIFFUSION and not a.stages)
    )


def _scaled(blocks: ParameterBlocks, total: int, *, keep_experts: bool) -> ParameterBlocks:
    fixed = blocks.experts if keep_experts else 0
    counts = {name: value for name, value in blocks.model_dump().items() if isinstance(value, int)}
    if keep_experts:
        del counts["experts"]
    factor = (total - fixed) / sum(counts.values())
    shrunk = {name: int(value * factor) for name, value in counts.items()}
    shrunk["other"] += total - fixed - sum(shrunk.values())
    return blocks.model_copy(update=shrunk)


def _typical(a: ModelArchitecture) -> ParameterBlocks:
    """Proportions of a dense transformer of that size: `P = 12 L H^2`, of which a third is attention, `H = 128 L`."""
    total = a.published_parameters or 0
    tower = min(a.image_tower_parameters or 0, total)
    body = total - tower
    layers = max(1, round((body / (12 * _TYPICAL_ASPECT**2)) ** (1 / 3)))
    hidden = _TYPICAL_ASPECT * layers
    has_words = a.kind not in (ModelKind.DIFFUSION, ModelKind.VISION)
    table = min(body // 3, hidden * (a.vocab_size or _TYPICAL_VOCABULARY)) if has_words else 0
    norms = min(body - table, (2 * layers + 1) * hidden)
    blocks = body - table - norms
    attention = blocks // 3
    return ParameterBlocks(embedding=table, attention=attention, mlp=blocks - attention, norms=norms, image_tower=tower)
