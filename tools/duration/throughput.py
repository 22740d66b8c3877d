"""Tokens per second of a resolved job: counts over rates, overlapped where they overlap."""

from __future__ import annotations

from dataclasses import dataclass

from tools.cost.span import Span
from tools.duration.coefficients import DEFAULTS, Coefficients
from tools.duration.collectives import micro_step_seconds, overlaps, step_seconds
from tools.duration.ranges import ends
from tools.duration.rates import HOPPER, matrix_rate, memory_rate, sixteen_bit_peak
from tools.duration.setting import Setting, setting_of
from tools.duration.work import Work, work_of
from tools.errors import MissingFact
from tools.job import FineTuneJob
from tools.memory.optimizers import OPTIMIZERS
from tools.terms import Attention, Framework, Network, Offload, Precision, Sharding

EXPANSION_SLOWDOWN = {Precision.INT4: 1.5, Precision.INT8: 1.0}
"""Traffic of expanding a format over that of nf4: grouped int4 kernels of training stacks expand with less locality."""
HOST_BYTES_PER_SECOND = 20e9
"""Host link of one card for offloaded states, PCIe 4.0 x16 less protocol."""
REFERENCE_PEAK = 300.0
"""1e12 FLOP/s of the card for which `half_rate_tokens` is stated."""
SEQUENCE_PARALLEL = frozenset({Framework.TORCHTITAN})
"""Stacks beside the makers' that split sequences wherever they split tensors (github.com/pytorch/torchtitan)."""
SPLIT_STATES = frozenset({Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3, Sharding.FSDP})
LOWER = frozenset({Precision.FP8, Precision.NVFP4, Precision.MXFP4})
"""Precisions in which matrices multiply while attention stays in 16 bit."""
FINAL_HIDDEN = 0.5
"""Part of a micro-step's computation, its backward pass, behind which gradients can travel."""

BOUND_NAMES = ("compute", "attention", "memory_bandwidth", "dequantisation", "launch", "interconnect", "network", "optimizer", "offload")


@dataclass(frozen=True, slots=True)
class Throughput:
    """Speed of one job on one card type."""

    tokens_per_second_per_accelerator: Span
    step_seconds: Span
    mfu: float
    bound_by: str
    time_shares: dict[str, float]
    tokens_per_step: float
    """Tokens of one optimizer step over all replicas."""


def throughput_of_job(job: FineTuneJob, coefficients: Coefficients = DEFAULTS) -> Throughput:
    """Speed of a resolved job. Raises MissingFact without an accelerator, or without a published rate of it."""
    if job.accelerator is None:
        raise MissingFact("accelerator", "Speed depends on the card.", "Name an accelerator.")
    return throughput_in(job, work_of(job), setting_of(job, job.accelerator), coefficients)


def throughput_in(job: FineTuneJob, work: Work, where: Setting, coefficients: Coefficients = DEFAULTS) -> Throughput:
    """Speed of counted work in a setting; of `job` only what the setting does not say. Raises MissingFact without a published rate."""
    peak = sixteen_bit_peak(where.card)
    if peak is None:
        raise MissingFact("accelerator", f"No source states a matrix rate of {where.card.id}.", "Name another accelerator.")
    replicas = max(1, where.count // (job.tensor_parallel * job.pipeline_parallel * job.context_parallel))
    parts = step_parts(job, work, where, coefficients, replicas)
    seconds = sum(parts.values())
    samples = where.accumulation * replicas
    tokens = work.tokens * samples
    each = tokens / seconds / where.count
    down, up = ends(job, where, work.stack, {name: value / seconds for name, value in parts.items()})
    shares = sorted(((name, value / seconds) for name, value in parts.items() if value / seconds >= 5e-4), key=lambda item: -item[1])
    return Throughput(
        Span(each / down, each, each * up),
        Span(seconds / up, seconds, seconds * down),
        work.model_flops * samples / seconds / where.count / (peak * 1e12),
        shares[0][0],
        {name: round(share, 4) for name, share in shares},
        tokens,
    )


def step_parts(job: FineTuneJob, work: Work, where: Setting, c: Coefficients, replicas: int) -> dict[str, float]:
    """Seconds of one optimizer step by what they are spent on, overlap taken off."""
    card, steps = where.card, where.accumulation
    split = job.tensor_parallel * job.pipeline_parallel * job.context_parallel
    vendor = work.stack == "vendor"
    sixteen = matrix_rate(Precision.BF16 if job.compute_precision in LOWER else job.compute_precision, card, c)
    rate = matrix_rate(job.compute_precision, card, c, whole_blocks=vendor)
    # the time products take below which their number of tokens no longer matters grows with the rate of the card
    half = c.half_rate_tokens * sixteen / (REFERENCE_PEAK * 1e12)
    saturation = work.tokens / job.context_parallel / (work.tokens / job.context_parallel + half)
    memory = memory_rate(card, c)
    expert_share = c.moe_share * work.expert_width / (work.expert_width + c.expert_half_width) if work.expert_width else 1.0
    compute = (work.matrix_flops + work.expert_flops / expert_share) / split / (rate * saturation)
    attention = work.attention_flops / split / (sixteen * saturation)
    if job.attention is not Attention.EAGER:
        attention /= _attention_share(where, work, c)
    # without sequence parallelism every tensor-parallel card repeats the element-wise work of the others
    spread = split if vendor or job.framework in SEQUENCE_PARALLEL else split / job.tensor_parallel
    traffic = (_elementwise_bytes(work, c) / spread + work.score_elements * c.eager_attention_bytes / split) / memory
    expanded = work.dequantised_weights * c.dequantisation_bytes * EXPANSION_SLOWDOWN.get(job.weight_precision, 1.0) / split / memory
    device = compute + attention + traffic + expanded
    launch = _launch_seconds(job, work, c, device)
    overlap = _overlap(job, work, c) if overlaps(where) else 0.0
    exchanged = micro_step_seconds(job, where, work, c, replicas)
    micro = exchanged.gathers - min(exchanged.gathers, device) * overlap
    micro += exchanged.splits * (1 - c.overlap_tensor) if vendor else exchanged.splits
    bubble = 1 + (c.bubble_vendor if vendor else c.bubble_plain) * (job.pipeline_parallel - 1) / max(steps, 1)
    final = step_seconds(job, where, work, c, replicas)
    if job.sharding is not Sharding.NONE:
        final -= min(final, device * FINAL_HIDDEN) * overlap
    # makers' stacks split states over the replicas as a rule (Megatron's distributed optimizer)
    shards = replicas if job.sharding in SPLIT_STATES or vendor else 1
    states = max(OPTIMIZERS[job.optimizer].states, 0.5)
    update = work.trained * (c.optimizer_bytes * states / 2) / shards / split / memory
    offload = 0.0
    if Offload.OPTIMIZER in job.offload:
        offload += work.trained * 20.0 / shards / HOST_BYTES_PER_SECOND
        update = 0.0
    if Offload.PARAMETERS in job.offload:
        offload += 2 * work.shared_weight_bytes / max(1, shards) / HOST_BYTES_PER_SECOND * steps
    wire = "network" if where.nodes > 1 and where.network is not Network.NVLINK else "interconnect"
    parts = {
        "compute": compute * steps * bubble,
        "attention": attention * steps * bubble,
        "memory_bandwidth": traffic * steps * bubble,
        "dequantisation": expanded * steps * bubble,
        "launch": launch * steps * bubble,
        wire: micro * steps + final,
        "optimizer": update,
        "offload": offload,
    }
    parts["launch"] += c.step_overhead * sum(parts.values())
    return parts


def _overlap(job: FineTuneJob, work: Work, c: Coefficients) -> float:
    if job.sharding is Sharding.ZERO3 and work.stack != "vendor":
        return c.overlap_engine
    return c.overlap_plain if work.stack == "plain" else c.overlap_tuned


def _attention_share(where: Setting, work: Work, c: Coefficients) -> float:
    if (where.card.capability or (0, 0)) < HOPPER:
        return c.attention_share
    return c.attention_share_vendor if work.stack == "vendor" else c.attention_share_hopper


def _elementwise_bytes(work: Work, c: Coefficients) -> float:
    widths = {"plain": c.elementwise_plain, "tuned": c.elementwise_tuned, "vendor": c.elementwise_vendor}[work.stack]
    if work.compiled and work.stack == "tuned":
        widths *= c.compiled_share
    branches = c.adapter_elementwise * (c.fused_adapter_share if work.fused_adapters else 1.0)
    sweeps = 1 + c.backward_elementwise + work.repeated
    return sweeps * (widths * work.stream_bytes + branches * work.adapter_bytes) + work.logits_bytes


def _launch_seconds(job: FineTuneJob, work: Work, c: Coefficients, device: float) -> float:
    """Host time that the device waits for: what issuing kernels takes beyond the device's own time, and hooks."""
    each = {"plain": c.launch_plain_us, "tuned": c.launch_tuned_us, "vendor": c.launch_vendor_us}[work.stack]
    if work.stack == "plain":
        each *= c.adapter_launch if work.adapted else 1.0
        each += c.hook_us if work.gathers else 0.0
    passes = (2 + work.repeated) / 2 / job.pipeline_parallel * 1e-6
    issued = (each * work.layers + c.launch_routed_us * work.routed_layers) * passes
    hooks = 0.0
    if work.engine and work.stack == "plain":
        hooks = c.hook_module_us if job.sharding is Sharding.ZERO3 else c.hook_engine_us
    return max(0.0, issued - c.launch_hidden * device) + hooks * passes * work.layers
