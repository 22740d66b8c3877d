"""What the forward pass keeps for the backward pass, block by block, for transformers over tokens."""

from __future__ import annotations

from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.linear_modules import attention_layers, moe_layers
from tools.memory.framework_facts import FrameworkFacts, facts_of
from tools.memory.precision import casts_per_layer, residual_bytes
from tools.memory.weights import element_bytes, is_quantised
from tools.terms import Attention, Framework, Kernel, ModelKind
from tools.trainable import targeted, trains_base

LSE_BYTES = 4
"""fp32 log-sum-exp per head and token of a flash kernel (arXiv:2307.08691)."""
EAGER_SAVED = 6
"""Bytes a score kept by eager attention in 16 bit: the fp32 softmax output (4) and its 16-bit copy (2)."""
EAGER_PEAK = 16
"""Bytes a score while a layer runs backward: those (6), the gradient of the copy (2), its fp32 form (4), that of the softmax (4)."""
EAGER_DROPOUT = 5
"""Further bytes a score where attention drops (encoders, 0.1 by default): the dropped fp32 copy and a mask."""
WITH_DROPOUT = frozenset({ModelKind.ENCODER, ModelKind.EMBEDDING, ModelKind.ENCODER_DECODER})
"""Kinds whose released configurations drop hidden states and attention while training."""
QUERY_SIDE = frozenset({"q_proj", "k_proj", "v_proj", "q_a_proj", "kv_a_proj_with_mqa"})


@dataclass(frozen=True, slots=True)
class Block:
    """Bytes per token of one transformer block, and bytes per pair of positions where scores are held."""

    saved: float
    """Kept until the block's backward pass."""
    transient: float
    """Needed on top while the block's backward pass runs."""
    boundary: float
    """The residual stream that enters the block."""
    selected: float = 0.0
    """Kept under selective checkpointing beside the boundary: every second matrix product and the output of attention
    (the policy of torch's selective checkpointing as torchtitan sets it)."""
    scores_saved: float = 0.0
    """Per pair of positions (all heads): kept."""
    scores_peak: float = 0.0
    """Per pair of positions (all heads): at the peak of the block."""


def block_of(job: FineTuneJob) -> Block:
    """Bytes of one average block from the tensors autograd saves.

    A frozen linear layer keeps no input; a trained one keeps it, an adapter keeps it in the precision it computes in.
    RMSNorm keeps an fp32 copy of its input (the reference implementation casts), LayerNorm the input itself (cast to
    fp32 by autocast). A gated block keeps gate, up and activated gate, and the product where the down projection needs
    it; an ungated one keeps the input of its activation, and its output likewise.
    """
    a = job.architecture
    e = element_bytes(job.compute_precision)
    hidden = a.hidden_size or 1024
    layers = max(1, a.num_hidden_layers or 1)
    heads = a.num_attention_heads or max(1, hidden // 128)
    head = a.head_dim or max(1, hidden // heads)
    kv_heads = a.num_key_value_heads or heads
    residual = residual_bytes(job)
    full = trains_base(job)
    facts = facts_of(job.framework)
    names = frozenset() if full else frozenset(module.name for module in targeted(job)) if job.lora_rank else frozenset()
    kept_input = is_quantised(job) and facts.keeps_quantised_inputs
    rms = a.gated_mlp is not False and a.kind in (ModelKind.DECODER, ModelKind.MOE, ModelKind.VLM)
    norm = 2.0 * hidden * (4 if rms else residual) + (2 * residual * hidden if full and rms else 0)
    if Kernel.COMPILE in job.kernels:
        norm = 2 * residual * hidden  # a compiled norm keeps its input and computes the rest again
    query = len(QUERY_SIDE & {"q_proj", "k_proj", "v_proj"}) if full else len(names & QUERY_SIDE)
    wide = (2 if a.gated_mlp is not False else 1) if full else len(names & {"gate_proj", "up_proj"})
    copies = _inputs(query, job, facts, shared_query=facts.pads_adapter_output, kept=kept_input)
    copies += _inputs(wide, job, facts, shared_query=False, kept=kept_input)
    inputs = float(copies * hidden)
    out_width = heads * head
    if "o_proj" in names and casts_per_layer(job):
        inputs += e * out_width
    if facts.pads_adapter_output and names & QUERY_SIDE and not full:
        # the scattered output of query and value adapters, and the fused product that the value view keeps alive
        inputs += e * (out_width + kv_heads * head)
    softmax_share = min(1.0, attention_layers(a) / layers) if a.attention_sharing != "linear" else 0.0
    if a.latent_attention:
        ranks = a.latent_attention
        wide_query = heads * (ranks.qk_nope_head_dim + ranks.qk_rope_head_dim)
        attention = 1.0 * e * (2 * wide_query + 2 * heads * ranks.v_head_dim) + e * (ranks.kv_lora_rank + (ranks.q_lora_rank or 0)) * 2
    else:
        repeated = heads if job.attention is not Attention.FLASH and not facts.pads_adapter_output else kv_heads
        attention = e * (2 * heads + 2 * repeated) * head
        if facts.pads_adapter_output:
            attention += e * (heads + kv_heads) * head  # the value is a view of the fused product, which stays whole
    attention += LSE_BYTES * heads
    # mixers without softmax keep their projections and a gate: about as much as the projections of attention
    attention = softmax_share * attention + (1 - softmax_share) * e * 4 * hidden
    feed, widest = _feed_forward(job, e, full, names, hidden, kept_input)
    saved = norm + inputs + attention + feed
    if a.kind in WITH_DROPOUT:
        saved += 2 * hidden  # masks of the two residual dropouts
    transient = e * widest + 2 * residual * hidden
    products = (heads + 2 * kv_heads) * head + 2 * hidden + (widest / 3 * 2 if a.gated_mlp is not False else widest / 2)
    selected = e * (products / 2 + heads * head)
    scores_saved = scores_peak = 0.0
    if job.attention is Attention.EAGER:
        dropped = EAGER_DROPOUT if a.kind in WITH_DROPOUT else 0
        scores_saved = heads * ((EAGER_SAVED if e == 2 else 4) + dropped) * softmax_share
        scores_peak = heads * (EAGER_PEAK + dropped)
    return Block(saved, transient, residual * hidden, selected, scores_saved, scores_peak)


def _inputs(consumers: int, job: FineTuneJob, facts: FrameworkFacts, *, shared_query: bool, kept: bool) -> float:
    """Bytes an element of one normalised input kept for its trained consumers."""
    e = element_bytes(job.compute_precision)
    each = e + (1 if facts.adapter_dropout and not trains_base(job) else 0)
    copies = 0.0
    if consumers:
        separate = (casts_per_layer(job) or facts.adapter_dropout) and not shared_query
        copies = each * (consumers if separate else 1)
    return copies + (e if kept and not (consumers and not facts.adapter_dropout) else 0)


def _feed_forward(job: FineTuneJob, e: int, full: bool, names: frozenset[str], hidden: int, kept_input: bool) -> tuple[float, float]:
    """(bytes kept, elements of gradients at the widest point) per token of the feed-forward block, averaged over layers."""
    a = job.architecture
    layers = max(1, a.num_hidden_layers or 1)
    gated = a.gated_mlp is not False
    keeps_product = full or "down_proj" in names or kept_input
    widths = (3 if gated else 1) + (1 if keeps_product else 0)
    if Kernel.COMPILE in job.kernels:
        widths = 2 if gated else 1  # element-wise work is done again: gate and up stay
    gradients = 3 if gated else 2
    dense = a.intermediate_size or 4 * hidden
    routed_share = moe_layers(a) / layers if a.num_experts else 0.0
    kept = (1 - routed_share) * widths * e * dense
    wide = float(gradients * dense)
    if routed_share:
        routed = a.num_experts_per_tok * (a.moe_intermediate_size or dense)
        shared = a.n_shared_experts * (a.shared_expert_intermediate_size or a.moe_intermediate_size or dense)
        # each routed token is copied to its expert and its weighted output gathered again
        kept += routed_share * (widths * e * (routed + shared) + 2 * e * a.num_experts_per_tok * hidden)
        wide = max(wide if routed_share < 1 else 0, gradients * (routed + shared))
    if job.framework is Framework.UNSLOTH:
        kept -= (1 - routed_share) * e * dense  # its SwiGLU kernel computes the product again in the backward pass
    return kept, wide


def method_outputs(job: FineTuneJob) -> float:
    """Bytes per token and block that adapters on activations keep: a scaled output keeps the output before its scale.

    IA3 and adapter v2 multiply outputs by trained vectors (arXiv:2205.05638, arXiv:2304.15010); prefix attention keeps a
    second attention output (arXiv:2303.16199); a bottleneck its input.
    """
    a = job.architecture
    e = element_bytes(job.compute_precision)
    hidden = a.hidden_size or 1024
    heads = a.num_attention_heads or max(1, hidden // 128)
    head = a.head_dim or max(1, hidden // heads)
    kv = (a.num_key_value_heads or heads) * head
    wide = a.intermediate_size or 4 * hidden
    gates = 2 if a.gated_mlp is not False else 1
    match job.method:
        case "adapter_v2":
            scaled = heads * head + 2 * kv + hidden + gates * wide + hidden
            norms = 2 * (4 if gates == 2 else 0) * hidden  # trained norms keep the normalised fp32 input
            return float(e * (scaled + heads * head) + norms)
        case "adapter" | "adaption_prompt" | "prefix":
            return float(e * heads * head)
        case "ia3":
            return float(e * (2 * kv + wide))
        case _:
            return 0.0


def attended_pairs(job: FineTuneJob, sequence: int) -> float:
    """Pairs of positions a layer's score matrix holds: the whole square, as eager attention computes it."""
    return float(sequence) * sequence
