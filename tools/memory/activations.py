"""What the forward pass keeps for the backward pass, block by block, for transformers over tokens."""

from __future__ import annotations

from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.linear_modules import attention_layers, moe_layers
from tools.memory.weights import element_bytes
from tools.terms import Attention, Framework, ModelKind
from tools.trainable import targeted, trains_base

LSE_BYTES = 4
"""fp32 log-sum-exp per head and token of a flash kernel (arXiv:2307.08691)."""
EAGER_SAVED = 8
"""Bytes a score kept: fp32 softmax output, its 16-bit copy, the masked 16-bit scores."""
EAGER_PEAK = 16
"""Bytes a score at the peak of one layer: those, their gradients, and the fp32 working copy."""


@dataclass(frozen=True, slots=True)
class Block:
    """Bytes per token of one transformer block, and bytes per pair of positions where scores are held."""

    saved: float
    """Kept until the block's backward pass."""
    transient: float
    """Needed on top while the block's backward pass runs."""
    boundary: float
    """The residual stream that enters the block."""
    scores_saved: float = 0.0
    """Per pair of positions (all heads): kept."""
    scores_peak: float = 0.0
    """Per pair of positions (all heads): at the peak of the block."""


def block_of(job: FineTuneJob) -> Block:
    """Bytes of one average block from the tensors autograd saves.

    A frozen linear layer keeps no input; a trained one keeps it, an adapter keeps it in the adapter's compute precision.
    RMSNorm keeps an fp32 copy of its input (the reference implementation casts), LayerNorm the input itself. A gated
    block keeps gate, up and activated gate, and the product where the down projection needs it; an ungated one keeps the
    input of its activation, and its output likewise.
    """
    a = job.architecture
    e = element_bytes(job.compute_precision)
    hidden = a.hidden_size or 1024
    layers = max(1, a.num_hidden_layers or 1)
    heads = a.num_attention_heads or max(1, hidden // 128)
    head = a.head_dim or max(1, hidden // heads)
    kv_heads = a.num_key_value_heads or heads
    residual = 4 if (job.kbit_preparation or e == 4) else e
    full = trains_base(job)
    names = frozenset() if full else frozenset(module.name for module in targeted(job))
    # norms: an fp32 copy where RMSNorm casts, the input where it does not; the normalised output where its scale trains
    rms = a.gated_mlp is not False and a.kind in (ModelKind.DECODER, ModelKind.MOE, ModelKind.VLM)
    norm = 2 * (4 * hidden if rms else residual * hidden) + (2 * e * hidden if full else 0)
    # inputs of the linear layers
    inputs = 0.0
    if full or names & {"q_proj", "k_proj", "v_proj", "q_a_proj", "kv_a_proj_with_mqa"}:
        inputs += e * hidden
    if full or names & {"gate_proj", "up_proj"}:
        inputs += e * hidden
    softmax_share = min(1.0, attention_layers(a) / layers) if a.attention_sharing != "linear" else 0.0
    if a.latent_attention:
        ranks = a.latent_attention
        query = heads * (ranks.qk_nope_head_dim + ranks.qk_rope_head_dim)
        attention: float = e * (2 * query + 2 * heads * ranks.v_head_dim) + e * (ranks.kv_lora_rank + (ranks.q_lora_rank or 0)) * 2
    else:
        repeated = heads if job.attention is not Attention.FLASH else kv_heads
        attention = e * (2 * heads + 2 * repeated) * head
    attention += LSE_BYTES * heads
    # mixers without softmax keep their projections and a gate: about as much as the projections of attention
    attention = softmax_share * attention + (1 - softmax_share) * e * 4 * hidden
    feed, wide = _feed_forward(job, e, full, names, hidden)
    saved = norm + inputs + attention + feed
    transient = e * (wide + 2 * hidden)
    scores_saved = scores_peak = 0.0
    if job.attention is Attention.EAGER:
        scores_saved, scores_peak = heads * EAGER_SAVED * softmax_share, heads * EAGER_PEAK
    return Block(saved, transient, residual * hidden, scores_saved, scores_peak)


def _feed_forward(job: FineTuneJob, e: int, full: bool, names: frozenset[str], hidden: int) -> tuple[float, float]:
    """(bytes kept, widest gradient in elements) per token of the feed-forward block, averaged over the layers."""
    a = job.architecture
    layers = max(1, a.num_hidden_layers or 1)
    gated = a.gated_mlp is not False
    keeps_product = full or "down_proj" in names
    widths = (3 if gated else 1) + (1 if keeps_product else 0)
    dense = a.intermediate_size or 4 * hidden
    routed_share = moe_layers(a) / layers if a.num_experts else 0.0
    kept = (1 - routed_share) * widths * e * dense
    wide = 2 * dense if gated else dense
    if routed_share:
        routed = a.num_experts_per_tok * (a.moe_intermediate_size or dense)
        shared = a.n_shared_experts * (a.shared_expert_intermediate_size or a.moe_intermediate_size or dense)
        # each routed token is copied to its expert and its weighted output gathered again
        kept += routed_share * (widths * e * (routed + shared) + 2 * e * a.num_experts_per_tok * hidden)
        wide = max(wide if routed_share < 1 else 0, 2 * (routed + shared))
    if job.framework is Framework.UNSLOTH:
        kept -= (1 - routed_share) * e * dense  # its SwiGLU kernel computes the product again in the backward pass
    return kept, wide


def attended_pairs(job: FineTuneJob, sequence: int) -> float:
    """Pairs of positions a layer's score matrix holds: the whole square, as eager attention computes it."""
    return float(sequence) * sequence
