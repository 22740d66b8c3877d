"""What splitting over devices divides, and what it adds."""

from __future__ import annotations

from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.memory.framework_facts import facts_of
from tools.terms import Offload, Sharding

ZERO3_PREFETCH_ELEMENTS = 5e7
ZERO3_LIVE_ELEMENTS = 1e9
"""DeepSpeed's defaults: stage3_prefetch_bucket_size and stage3_max_live_parameters."""
REDUCE_BUCKET_ELEMENTS = 5e8
"""DeepSpeed's default reduce_bucket_size and allgather_bucket_size."""
DDP_BUCKET_BYTES = 25 * 2**20


@dataclass(frozen=True, slots=True)
class Split:
    """Divisors of what each device holds."""

    weights: float
    gradients: float
    states: float
    model: float
    """Tensor and pipeline parallel: divides everything of the model."""


def split_of(job: FineTuneJob) -> Split:
    """Divisors by sharding (arXiv:1910.02054, figure 1)."""
    model = float(job.tensor_parallel * job.pipeline_parallel)
    shards = float(job.replicas * job.context_parallel)
    if job.sharding is Sharding.HYBRID:
        shards = max(1.0, shards / job.nodes)
    sharded = {
        Sharding.ZERO1: (1.0, 1.0, shards),
        Sharding.ZERO2: (1.0, shards, shards),
        Sharding.ZERO3: (shards, shards, shards),
        Sharding.FSDP: (shards, shards, shards),
        Sharding.HYBRID: (shards, shards, shards),
    }
    weights, gradients, states = sharded.get(job.sharding, (1.0, 1.0, 1.0))
    return Split(weights, gradients, states, model)


def gathered_bytes(job: FineTuneJob, block_weight_bytes: float, root_weight_bytes: float, weight_bytes_each: float) -> float:
    """Whole units on a device while a layer runs.

    FSDP gathers one block and prefetches the next; its root unit (embedding, head) stays gathered through the step.
    ZeRO-3 keeps up to its limit of live parameters beside the prefetch bucket.
    """
    if job.sharding in (Sharding.FSDP, Sharding.HYBRID):
        return 2 * block_weight_bytes + root_weight_bytes
    if job.sharding is Sharding.ZERO3:
        everything = block_weight_bytes * (job.architecture.num_hidden_layers or 1) + root_weight_bytes
        return min(everything, (ZERO3_LIVE_ELEMENTS + ZERO3_PREFETCH_ELEMENTS) * weight_bytes_each)
    return 0.0


def communication_bytes(job: FineTuneJob, trained: float, gradient_bytes_each: float) -> float:
    """Buckets of collectives on one device.

    DDP copies gradients into buckets unless told to share memory; ZeRO reduces through a bucket of fixed size.
    """
    replicas = job.replicas
    if replicas <= 1:
        return 0.0
    gradients = trained * gradient_bytes_each
    if job.sharding is Sharding.DDP:
        return gradients
    if job.sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3):
        return min(2 * gradients, 2 * REDUCE_BUCKET_ELEMENTS * gradient_bytes_each)
    if job.sharding in (Sharding.FSDP, Sharding.HYBRID):
        return min(gradients, 2 * DDP_BUCKET_BYTES)
    return 0.0


def keeps_unsharded_gradients(job: FineTuneJob) -> bool:
    """Whether accumulation keeps whole gradients on each device: FSDP without synchronisation (`no_sync`)."""
    sharded = job.sharding in (Sharding.FSDP, Sharding.HYBRID)
    return sharded and job.gradient_accumulation_steps > 1 and facts_of(job.framework).accumulates_without_sync


def parameters_offloaded(job: FineTuneJob) -> bool:
    """Whether weights, and with them gradients, live in host memory; ZeRO-1 and ZeRO-2 keep them on each device."""
    return Offload.PARAMETERS in job.offload and job.sharding not in (Sharding.ZERO1, Sharding.ZERO2)


def optimizer_offloaded(job: FineTuneJob) -> bool:
    """Whether states live in host memory; with FSDP they follow the parameters."""
    follows = job.sharding in (Sharding.FSDP, Sharding.HYBRID) and Offload.PARAMETERS in job.offload
    return Offload.OPTIMIZER in job.offload or follows
