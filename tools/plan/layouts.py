"""How a job may be laid out over a number of cards: sharding, micro-batch, checkpointing, with the global batch kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.terms import ActivationCheckpointing, Framework, ModelKind, Precision, Sharding

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


USUAL_BATCH = 16
"""Samples per optimizer step where nobody stated a batch: what common recipes for adapters and small data sets use."""
FULL_STEP_TOKENS = 2048
"""Tokens in a micro-step that keep a card busy; shorter samples go several at a time."""
SMALL_MODEL_BATCH = 16
"""Samples in a micro-step of an image classifier, whose samples are short whatever their resolution."""
BATCH_ARGUMENTS = ("micro_batch_size", "gradient_accumulation_steps", "global_batch_size")
DECIDED = frozenset({"sharding", "micro_batch_size", "gradient_accumulation_steps", "activation_checkpointing"})
"""What a layout decides, so that it is no longer open."""


def global_batch(job: FineTuneJob) -> int:
    """Samples per optimizer step the job asks for, the usual number where nothing was said of batches."""
    if not any(job.states(name) for name in BATCH_ARGUMENTS):
        return USUAL_BATCH
    return job.micro_batch_size * job.gradient_accumulation_steps * job.replicas


def _micro_batch(job: FineTuneJob) -> int:
    """Samples per micro-step before memory is looked at."""
    if job.states("micro_batch_size"):
        return job.micro_batch_size
    if job.architecture.kind is ModelKind.VISION:
        return SMALL_MODEL_BATCH
    if job.resolution is not None:
        return job.micro_batch_size
    return max(job.micro_batch_size, FULL_STEP_TOKENS // job.sequence_length)


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
        return tuple(dict.fromkeys((Sharding.DDP, Sharding.ZERO2, whole, Sharding.ZERO3)))
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
    for sharding in shardings(job, count):
        for size, checkpointing in _frugal(job, sharding, max(1, wanted // replicas)):
            yield Layout(sharding, size, max(1, round(wanted / (size * replicas))), checkpointing)


def _frugal(job: FineTuneJob, sharding: Sharding, share: int) -> list[tuple[int, ActivationCheckpointing]]:
    """(micro-batch, checkpointing) from what the job would like to what takes least; `share` samples fall to a replica."""
    stated = job.states("micro_batch_size")
    sizes = [job.micro_batch_size if stated else min(_micro_batch(job), share)]
    if not stated and sharding not in (Sharding.NONE, Sharding.DDP) and job.method in TRAINS_MOST:
        sizes.insert(0, share)  # without accumulation no gradient of the whole model is kept between micro-steps
    if not stated:
        sizes.append(1)
    checkpointing = [job.activation_checkpointing]
    if not job.states("activation_checkpointing"):
        checkpointing.append(ActivationCheckpointing.FULL)
    return list(dict.fromkeys((size, kept) for size in dict.fromkeys(sizes) for kept in checkpointing))


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
            "stated": job.stated | DECIDED,
        }
    )
