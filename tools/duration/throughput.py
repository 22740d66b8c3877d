"""Tokens per second of a resolved job: counts over rates, overlapped where they overlap."""

from __future__ import annotations

from dataclasses import dataclass

from tools.accelerator import Accelerator
from tools.duration.coefficients import DEFAULTS, Coefficients, stack_class
from tools.duration.collectives import micro_step_seconds, overlaps, step_seconds
from tools.duration.rates import matrix_rate, memory_rate, sixteen_bit_peak
from tools.duration.work import Work, work_of
from tools.errors import MissingFact
from tools.estimate import Estimate
from tools.job import FineTuneJob
from tools.memory.optimizers import OPTIMIZERS
from tools.terms import Attention, Network, Offload, Precision, Sharding

EXPANSION_SLOWDOWN = {Precision.INT4: 1.5, Precision.INT8: 1.0}
"""Traffic of expanding a format over that of nf4: grouped int4 kernels of training stacks expand with less locality."""
HOST_BYTES_PER_SECOND = 20e9
"""Host link of one card for offloaded states, PCIe 4.0 x16 less protocol."""
OPTIMIZER_BYTES = 24.0
"""Bytes an optimizer step reads and writes per trained parameter with fp32 states."""

BOUND_NAMES = ("compute", "attention", "memory_bandwidth", "dequantisation", "launch", "interconnect", "network", "optimizer", "offload")


@dataclass(frozen=True, slots=True)
class Throughput:
    """Speed of one job on one card type."""

    tokens_per_second_per_accelerator: Estimate[float]
    step_seconds: Estimate[float]
    mfu: float
    bound_by: str
    time_shares: dict[str, float]
    tokens_per_step: float
    """Tokens of one optimizer step over all replicas."""


def throughput_of_job(job: FineTuneJob, coefficients: Coefficients = DEFAULTS) -> Throughput:
    """Speed of a resolved job. Raises MissingFact without an accelerator, or without a published rate of it."""
    card = job.accelerator
    if card is None:
        raise MissingFact("accelerator", "Speed depends on the card.", "Name an accelerator.")
    if sixteen_bit_peak(card) is None:
        raise MissingFact("accelerator", f"No source states a matrix rate of {card.id}.", "Name another accelerator.")
    work = work_of(job, coefficients)
    parts = _parts(job, card, work, coefficients)
    seconds = sum(parts.values())
    tokens = work.tokens * job.gradient_accumulation_steps * job.replicas
    each = tokens / seconds / job.accelerator_count
    peak = (sixteen_bit_peak(card) or 1.0) * 1e12
    mfu = work.model_flops * job.gradient_accumulation_steps * job.replicas / seconds / job.accelerator_count / peak
    spread = spread_of(job, {name: value / seconds for name, value in parts.items()})
    rate = Estimate[float](low=each / spread, expected=each, high=each * spread)
    step = Estimate[float](low=seconds / spread, expected=seconds, high=seconds * spread)
    shares = {
        name: round(value / seconds, 4) for name, value in sorted(parts.items(), key=lambda item: -item[1]) if value / seconds >= 5e-4
    }
    return Throughput(rate, step, mfu, max(parts, key=lambda name: parts[name]), shares, tokens)


def _parts(job: FineTuneJob, card: Accelerator, work: Work, c: Coefficients) -> dict[str, float]:
    """Seconds of one optimizer step by what they are spent on, overlap taken off."""
    split = job.tensor_parallel * job.pipeline_parallel * job.context_parallel
    saturation = work.tokens / job.context_parallel / (work.tokens / job.context_parallel + c.half_rate_tokens)
    rate = matrix_rate(job, card, c) * saturation
    memory = memory_rate(card, c)
    compute = (work.matrix_flops + work.expert_flops / c.moe_share) / split / rate
    slow = sixteen_bit_rate(job, card, c) * c.attention_share * saturation
    attention = work.attention_flops / split / slow if job.attention is not Attention.EAGER else work.attention_flops / split / rate
    traffic = (work.elementwise_bytes + work.score_elements * c.eager_attention_bytes) / split / memory
    expanded = work.dequantised_weights * c.dequantisation_bytes * EXPANSION_SLOWDOWN.get(job.weight_precision, 1.0) / split / memory
    device = compute + attention + traffic + expanded
    launch = max(0.0, work.launch_seconds / job.pipeline_parallel - 0.8 * device)
    micro = micro_step_seconds(job, card, work, c)
    hidden = min(micro, device) * c.overlap if overlaps(job, card) else 0.0
    bubble = 1 + (job.pipeline_parallel - 1) / max(job.gradient_accumulation_steps, 1)
    steps = job.gradient_accumulation_steps
    final = step_seconds(job, card, work, c)
    final -= min(final, device * 0.5) * c.overlap if overlaps(job, card) and job.sharding is not Sharding.NONE else 0.0
    shards = job.replicas if job.sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3, Sharding.FSDP) else 1
    facts = OPTIMIZERS[job.optimizer]
    update = work.trained * (OPTIMIZER_BYTES * max(facts.states, 0.5) / 2) / shards / split / memory
    offload = 0.0
    if Offload.OPTIMIZER in job.offload:
        offload += work.trained * 20.0 / shards / HOST_BYTES_PER_SECOND
        update = 0.0
    if Offload.PARAMETERS in job.offload:
        offload += 2 * work.shared_weight_bytes / max(1, shards) / HOST_BYTES_PER_SECOND * steps
    wire = "network" if job.nodes > 1 and job.network is not Network.NVLINK else "interconnect"
    parts = {
        "compute": compute * steps * bubble,
        "attention": attention * steps * bubble,
        "memory_bandwidth": traffic * steps * bubble,
        "dequantisation": expanded * steps * bubble,
        "launch": launch * steps * bubble,
        wire: (micro - hidden) * steps + final,
        "optimizer": update,
        "offload": offload,
    }
    parts["launch"] += c.step_overhead * sum(parts.values())
    return parts


def sixteen_bit_rate(job: FineTuneJob, card: Accelerator, c: Coefficients) -> float:
    """FLOP/s of 16-bit products whatever the job's matrix precision: attention stays in 16 bit."""
    if job.compute_precision in (Precision.FP8, Precision.NVFP4, Precision.MXFP4):
        return matrix_rate(job.model_copy(update={"compute_precision": Precision.BF16}), card, c)
    return matrix_rate(job, card, c)


BASE_SPREAD = 0.36
UNSTATED_SPREAD = {"micro_batch_size": 0.10, "activation_checkpointing": 0.08, "framework": 0.14, "sharding": 0.06, "attention": 0.05}
SHARE_SPREAD = {"interconnect": 0.5, "network": 0.6, "launch": 0.4, "dequantisation": 0.3, "attention": 0.25, "offload": 0.6}
MOE_SPREAD = 0.30


def spread_of(job: FineTuneJob, shares: dict[str, float]) -> float:
    """Factor from expected to either end of the 90 % range: residuals of left-out sources, wider for uncertain terms."""
    variance = BASE_SPREAD**2
    variance += sum((SHARE_SPREAD.get(name, 0.0) * share) ** 2 for name, share in shares.items())
    for name, width in UNSTATED_SPREAD.items():
        applies = name != "sharding" or job.accelerator_count > 1
        if applies and not job.states(name):
            variance += width**2
    if job.architecture.num_experts:
        variance += MOE_SPREAD**2
    if stack_class(job.framework, job.kernels) == "vendor":
        variance *= 0.8
    return float(2.718281828**variance**0.5)
