"""How a job may be laid out over a number of cards: sharding, micro-batch, checkpointing, with the global batch kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.terms import ActivationCheckpointing, Framework, Precision, Sharding

QUANTISED = frozenset({Precision.NF4, Precision.INT4, Precision.INT8, Precision.MXFP4, Precision.NVFP4})
"""Base weights held below 16 bits; frozen."""

TRAINS_MOST = frozenset({"full", "freeze", "lisa", "llamapro"})
"""Methods whose gradients and optimizer states weigh as much as the model, so that splitting those alone already helps."""


@dataclass(frozen=True, slots=True)
class Layout:
    """One way to spread a job."""

    sharding: Sharding
    micro_batch_size: int
    gradient_accumulation_steps: int
    activation_checkpointing: ActivationCheckpointing


def global_batch(job: FineTuneJob) -> int:
    """Samples per optimizer step the job asks for."""
    return job.micro_batch_size * job.gradient_accumulation_steps * job.replicas


def shardings(job: FineTuneJob, count: int) -> tuple[Sharding, ...]:
    """Shardings that make sense on `count` cards, the least communication first.

    One card shards nothing. A base in 4 or 8 bits is replicated or split by FSDP: ZeRO-3 does not split bitsandbytes weights. A frozen
    16-bit base has no gradients or states worth splitting, so it is replicated or split whole.
    """
    if count == 1:
        return (Sharding.NONE,)
    if job.states("sharding") and job.sharding is not Sharding.NONE:
        return (job.sharding,)
    if job.tensor_parallel * job.pipeline_parallel >= count:
        return (Sharding.NONE,)
    whole = Sharding.ZERO3 if job.framework is Framework.DEEPSPEED else Sharding.FSDP
    if job.weight_precision in QUANTISED:
        return (Sharding.DDP, Sharding.FSDP)
    if job.method in TRAINS_MOST:
        return (Sharding.DDP, Sharding.ZERO2, whole)
    return (Sharding.DDP, whole)


def layouts(job: FineTuneJob, count: int) -> Iterator[Layout]:
    """Layouts for `count` cards in the order in which to try them; the first that fits is the plan's.

    What the caller stated stays. Otherwise the job's own micro-batch and checkpointing come first, then what needs less memory: full
    checkpointing, micro-batch 1, both. Less communication comes before more, and accumulation keeps the global batch.
    """
    split = job.tensor_parallel * job.pipeline_parallel * job.context_parallel
    if count % split:
        return
    replicas = count // split
    wanted = global_batch(job)
    micro = job.micro_batch_size if job.states("micro_batch_size") else max(1, min(job.micro_batch_size, wanted // replicas))
    frugal = [(micro, job.activation_checkpointing)]
    if not job.states("activation_checkpointing"):
        frugal.append((micro, ActivationCheckpointing.FULL))
    if not job.states("micro_batch_size"):
        frugal += [(1, checkpointing) for _, checkpointing in tuple(frugal)]
    for sharding in shardings(job, count):
        for size, checkpointing in dict.fromkeys(frugal):
            yield Layout(sharding, size, max(1, round(wanted / (size * replicas))), checkpointing)


def laid_out(job: FineTuneJob, layout: Layout, count: int, nodes: int) -> FineTuneJob:
    """The job under a layout."""
    return job.model_copy(
        update={
            "sharding": layout.sharding,
            "micro_batch_size": layout.micro_batch_size,
            "gradient_accumulation_steps": layout.gradient_accumulation_steps,
            "activation_checkpointing": layout.activation_checkpointing,
            "accelerator_count": count,
            "nodes": nodes,
        }
    )
