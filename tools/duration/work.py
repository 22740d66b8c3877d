"""What one micro-step has to do: FLOPs, bytes, kernels, collectives. Pure counts, no rates and no constants of the fit."""

from __future__ import annotations

from dataclasses import dataclass

from tools.duration.stack import StackClass, stack_class
from tools.job import FineTuneJob
from tools.linear_modules import attention_layers, moe_layers
from tools.memory.diffusion import sequence_positions
from tools.memory.images import image_tokens
from tools.memory.weights import BYTES, is_quantised, linear_bytes
from tools.parameters import parameter_blocks
from tools.terms import ActivationCheckpointing, Attention, Framework, Kernel, Loss, ModelKind, Precision, Sharding
from tools.trainable import adapter_parameters, targeted, trained_base_parameters, trains_base

RECOMPUTED = {ActivationCheckpointing.NONE: 0.0, ActivationCheckpointing.SELECTIVE: 0.15, ActivationCheckpointing.FULL: 1.0}
"""Part of the forward pass done again; selective recomputation repeats element-wise work and attention (arXiv:2205.05198)."""

GATHERING = frozenset({Sharding.ZERO3, Sharding.FSDP, Sharding.HYBRID})
"""Shardings under which weights travel in every micro-step."""
PLAIN_LOSS_BYTES, FUSED_LOSS_BYTES = 20.0, 8.0
"""Bytes a logit moved: written in 16 bit, copied to fp32, read, its gradient written and cast; or in pieces that stay in cache."""


@dataclass(frozen=True, slots=True)
class Work:
    """One micro-step of one data-parallel replica."""

    tokens: float
    """Positions."""
    matrix_flops: float
    """FLOPs of dense products, recomputation included."""
    expert_flops: float
    """FLOPs of routed experts, recomputation included."""
    attention_flops: float
    """FLOPs of attention scores and values."""
    model_flops: float
    """All FLOPs without recomputation, for mfu."""
    score_elements: float
    """Scores written out per pass, where attention is eager."""
    stack: StackClass
    """What is fused."""
    compiled: bool
    """Whole blocks are compiled."""
    stream_bytes: float
    """Bytes of one pass of the residual stream and half the feed-forward block through all layers."""
    adapter_bytes: float
    """Bytes of inputs and outputs of all adapter branches, less where kernels are fused (`fused_adapters`)."""
    fused_adapters: bool
    """Adapter kernels are fused."""
    repeated: float
    """Part of the forward pass done again."""
    logits_bytes: float
    """Bytes moved for logits and loss."""
    dequantised_weights: float
    """Weights expanded from few bits, over all passes."""
    layers: int
    """Layers."""
    routed_layers: int
    """Of those, with routed experts."""
    adapted: bool
    """Adapters run beside the base."""
    gathers: bool
    """Weights are gathered layer by layer."""
    engine: bool
    """An engine's hooks run on every module."""
    trained: float
    """Parameters the optimizer updates."""
    trained_experts: float
    """Of those, in routed experts."""
    routed_bytes: float
    """Bytes one pass sends to experts and back, where they all lie on other cards."""
    expert_width: float
    """Width of one routed expert; 0 without."""
    shared_weight_bytes: float
    """Bytes of weights a gathering engine sends for one pass."""


def positions_of(job: FineTuneJob) -> int:
    """Positions of one sample."""
    kind = job.architecture.kind
    if kind is ModelKind.DIFFUSION and job.resolution is not None:
        return sequence_positions(job)
    if kind is ModelKind.VISION and job.resolution is not None:
        return image_tokens(job.architecture, job.resolution)
    return job.sequence_length


def work_of(job: FineTuneJob) -> Work:
    """Counts of one micro-step.

    FLOPs a token: 2 N forward, 2 N for the input gradients, 2 N for the weight gradients of what trains (arXiv:2001.08361,
    section 2.1), 2 N again where the forward pass is repeated; attention 4 S h d forward, half of it causal, 2.5 times
    that backward (arXiv:2307.08691).
    """
    a = job.architecture
    blocks = parameter_blocks(a)
    layers = max(1, a.num_hidden_layers or 24)
    positions = positions_of(job)
    tokens = float(positions * job.micro_batch_size)
    full = trains_base(job)
    adapters = adapter_parameters(job, blocks)
    again = RECOMPUTED[job.activation_checkpointing]
    experts = blocks.experts * blocks.experts_per_token_share
    head = blocks.head or (blocks.embedding if a.tie_word_embeddings else 0)
    dense = blocks.active - blocks.embedding - (blocks.head if blocks.head else 0) - experts + head - blocks.norms
    if a.kind in (ModelKind.DIFFUSION, ModelKind.VISION) or dense <= 0:
        dense = blocks.total - experts
    passes = 6.0 if full else 4.0
    trained_base = trained_base_parameters(job, blocks)
    model = tokens * (passes * (dense + experts) + (0.0 if full else 6.0 * adapters + 2.0 * trained_base))
    repeat = (passes + 2 * again) / passes
    width = a.hidden_size or 1024
    forward, scores = _attention(job, tokens, layers)
    kind = stack_class(job.framework, job.kernels)
    branches = sum((module.in_features + module.out_features) / 2 * module.layers for module in targeted(job)) if adapters else 0.0
    fused_loss = kind != "plain" or Kernel.FUSED_LOSS in job.kernels or job.loss is not Loss.STANDARD
    each = linear_bytes(job) if is_quantised(job) else min(2.0, BYTES[job.weight_precision])
    routed = moe_layers(a) if a.num_experts else 0
    return Work(
        tokens=tokens,
        matrix_flops=(model - tokens * passes * experts) * repeat,
        expert_flops=tokens * passes * experts * repeat,
        attention_flops=forward * (3.5 + again),
        model_flops=model + forward * 3.5,
        score_elements=scores * (3 + again),
        stack=kind,
        compiled=Kernel.COMPILE in job.kernels,
        stream_bytes=tokens * 2.0 * layers * (width + _feed_width(job) * 0.5),
        adapter_bytes=tokens * 2.0 * branches,
        fused_adapters=kind == "vendor" or Kernel.FUSED_LORA in job.kernels or job.framework is Framework.UNSLOTH,
        repeated=again,
        logits_bytes=tokens * (a.vocab_size or 0) * (FUSED_LOSS_BYTES if fused_loss else PLAIN_LOSS_BYTES),
        dequantised_weights=blocks.linear * (2 + again) if is_quantised(job) and job.weight_precision is not Precision.FP8 else 0.0,
        layers=layers,
        routed_layers=routed,
        adapted=adapters > 0,
        gathers=job.sharding in GATHERING,
        engine=job.framework is Framework.DEEPSPEED or job.sharding is Sharding.ZERO3,
        trained=float(adapters + trained_base),
        trained_experts=float(blocks.experts) if full else 0.0,
        routed_bytes=tokens * 2.0 * width * max(1, a.num_experts_per_tok) * routed * 2.0,
        expert_width=float(a.moe_intermediate_size or a.intermediate_size or 0) if a.num_experts else 0.0,
        shared_weight_bytes=blocks.linear * each + (blocks.total - blocks.linear) * 2.0,
    )


def _attention(job: FineTuneJob, tokens: float, layers: int) -> tuple[float, float]:
    """(FLOPs of one forward pass of attention, scores a pass writes out where it is eager)."""
    a = job.architecture
    heads = a.num_attention_heads or max(1, (a.hidden_size or 1024) // 128)
    head_dim = a.head_dim or max(1, (a.hidden_size or 1024) // heads)
    positions = positions_of(job)
    span = float(positions)
    causal = a.kind in (ModelKind.DECODER, ModelKind.MOE, ModelKind.VLM)
    soft = attention_layers(a) or layers
    if a.sliding_window and a.num_sliding_layers:
        share = min(1.0, a.num_sliding_layers / soft)
        span = span * (1 - share) + min(span, 2.0 * a.sliding_window) * share
    eager = job.attention is Attention.EAGER
    flops = 4.0 * tokens * span * heads * head_dim * soft * (0.5 if causal and not eager else 1.0)
    return flops, tokens * positions * heads * soft if eager else 0.0


def _feed_width(job: FineTuneJob) -> float:
    a = job.architecture
    if a.num_experts:
        return float(a.num_experts_per_tok * (a.moe_intermediate_size or a.intermediate_size or 0)) or 4.0 * (a.hidden_size or 1024)
    return float(a.intermediate_size or 4 * (a.hidden_size or 1024))
