"""What one micro-step has to do: FLOPs, bytes, kernels, collectives. Pure counts, no rates."""

from __future__ import annotations

from dataclasses import dataclass

from tools.duration.coefficients import Coefficients, stack_class
from tools.job import FineTuneJob
from tools.linear_modules import attention_layers
from tools.memory.diffusion import sequence_positions
from tools.memory.images import image_tokens
from tools.memory.weights import BYTES, is_quantised, linear_bytes
from tools.parameters import parameter_blocks
from tools.terms import ActivationCheckpointing, Attention, Framework, Kernel, ModelKind, Precision, Sharding
from tools.trainable import adapter_parameters, targeted, trained_base_parameters, trains_base

RECOMPUTED = {ActivationCheckpointing.NONE: 0.0, ActivationCheckpointing.SELECTIVE: 0.15, ActivationCheckpointing.FULL: 1.0}
"""Part of the forward pass done again; selective recomputation repeats element-wise work and attention (arXiv:2205.05198)."""


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
    elementwise_bytes: float
    """Bytes element-wise kernels move."""
    dequantised_weights: float
    """Weights expanded from few bits, over all passes."""
    launch_seconds: float
    """Host time to issue the kernels."""
    trained: float
    """Parameters the optimizer updates."""
    weights: float
    """All parameters."""
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


def work_of(job: FineTuneJob, c: Coefficients) -> Work:
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
    heads = a.num_attention_heads or max(1, (a.hidden_size or 1024) // 128)
    head_dim = a.head_dim or max(1, (a.hidden_size or 1024) // heads)
    span = float(positions)
    causal = a.kind in (ModelKind.DECODER, ModelKind.MOE, ModelKind.VLM)
    soft = attention_layers(a) or layers
    if a.sliding_window and a.num_sliding_layers:
        share = min(1.0, a.num_sliding_layers / soft)
        span = span * (1 - share) + min(span, 2.0 * a.sliding_window) * share
    forward = 4.0 * tokens * span * heads * head_dim * soft * (0.5 if causal and job.attention is not Attention.EAGER else 1.0)
    attention = forward * (3.5 + again)
    width = a.hidden_size or 1024
    kind = stack_class(job.framework, job.kernels)
    traffic = {"plain": c.elementwise_plain, "tuned": c.elementwise_tuned, "vendor": c.elementwise_vendor}[kind]
    wide = traffic * (width + _feed_width(job) * 0.5)
    branches = sum((module.in_features + module.out_features) / 2 * module.layers for module in targeted(job)) if adapters else 0.0
    fused = c.fused_adapter_share if Kernel.FUSED_LORA in job.kernels or job.framework is Framework.UNSLOTH else 1.0
    sweeps = 1 + c.backward_elementwise + again
    logits = tokens * (a.vocab_size or 0) * (20.0 if kind == "plain" else 8.0)
    elementwise = tokens * 2.0 * sweeps * (wide * layers + c.adapter_elementwise * fused * branches) + logits
    launch = {"plain": c.launch_plain_us, "tuned": c.launch_tuned_us, "vendor": c.launch_vendor_us}[kind]
    if adapters and kind == "plain":
        launch *= 1.5
    if job.sharding in (Sharding.ZERO3, Sharding.FSDP) and kind == "plain":
        launch += c.hook_us
    each = linear_bytes(job) if is_quantised(job) else min(2.0, BYTES[job.weight_precision])
    return Work(
        tokens=tokens,
        matrix_flops=(model - tokens * passes * experts) * repeat,
        expert_flops=tokens * passes * experts * repeat,
        attention_flops=attention,
        model_flops=model + forward * 3.5,
        score_elements=tokens * positions * heads * soft * (3 + again) if job.attention is Attention.EAGER else 0.0,
        elementwise_bytes=elementwise,
        dequantised_weights=blocks.linear * (2 + again) if is_quantised(job) and job.weight_precision is not Precision.FP8 else 0.0,
        launch_seconds=layers * launch * 1e-6 * (2 + again) / 2,
        trained=float(adapters + trained_base),
        weights=float(blocks.total),
        shared_weight_bytes=blocks.linear * each + (blocks.total - blocks.linear) * 2.0,
    )


def _feed_width(job: FineTuneJob) -> float:
    a = job.architecture
    if a.num_experts:
        return float(a.num_experts_per_tok * (a.moe_intermediate_size or a.intermediate_size or 0)) or 4.0 * (a.hidden_size or 1024)
    return float(a.intermediate_size or 4 * (a.hidden_size or 1024))
