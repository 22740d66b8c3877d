"""Seconds of collectives: what each card, and each node, has to send."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.duration.coefficients import Coefficients
from tools.duration.rates import link_rate, network_rate
from tools.duration.work import Work
from tools.job import FineTuneJob
from tools.terms import Interconnect, Sharding


def exchange_seconds(job: FineTuneJob, card: Accelerator, size: float, c: Coefficients, replicas: int, nodes: int) -> float:
    """One all-gather or reduce-scatter of `size` bytes over `replicas` cards on `nodes` nodes.

    Inside a node every card receives `(n-1)/n` of it; what comes from other nodes enters a node once and is shared out
    there, so the network is the sum of the node's adapters.
    """
    if replicas <= 1:
        return 0.0
    inside = size * (replicas - 1) / replicas / link_rate(job, card, c)
    across = size * (nodes - 1) / nodes / network_rate(job, c) if nodes > 1 else 0.0
    return max(inside, across)


def micro_step_seconds(job: FineTuneJob, card: Accelerator, work: Work, c: Coefficients) -> float:
    """Collectives of every micro-step: gathered weights, and what tensor and context parallelism exchange."""
    model = job.tensor_parallel * job.pipeline_parallel
    total = 0.0
    if job.sharding in (Sharding.ZERO3, Sharding.FSDP, Sharding.HYBRID):
        nodes = 1 if job.sharding is Sharding.HYBRID else job.nodes
        replicas = max(1, job.replicas // (job.nodes if job.sharding is Sharding.HYBRID else 1))
        each = exchange_seconds(job, card, work.shared_weight_bytes / model, c, replicas, nodes)
        total += 2 * each  # forward and backward; recomputation uses what the backward pass gathers
    if job.tensor_parallel > 1:
        width = (job.architecture.hidden_size or 1024) * 2.0
        layers = (job.architecture.num_hidden_layers or 24) / job.pipeline_parallel
        # two exchanges a layer forward, two backward, each an all-gather and a reduce-scatter
        size = work.tokens / job.context_parallel * width
        total += 8 * layers * exchange_seconds(job, card, size, c, job.tensor_parallel, 1)
    if job.context_parallel > 1:
        heads = (job.architecture.num_key_value_heads or 8) * (job.architecture.head_dim or 128) * 2 * 2.0
        layers = (job.architecture.num_hidden_layers or 24) / job.pipeline_parallel
        total += 3 * layers * exchange_seconds(job, card, work.tokens * heads, c, job.context_parallel, 1)
    return total


def step_seconds(job: FineTuneJob, card: Accelerator, work: Work, c: Coefficients) -> float:
    """Collectives of every optimizer step: gradients of what trains."""
    size = work.trained * 2.0 / (job.tensor_parallel * job.pipeline_parallel)
    ways = {Sharding.NONE: 0.0, Sharding.ZERO3: 1.0, Sharding.FSDP: 1.0}.get(job.sharding, 2.0)
    if job.replicas > 1 and job.sharding is Sharding.NONE:
        ways = 2.0  # data parallelism beside tensor or pipeline parallelism
    return ways * exchange_seconds(job, card, size, c, job.replicas, job.nodes)


def overlaps(job: FineTuneJob, card: Accelerator) -> bool:
    """Whether collectives run beside computation: not where the host copies between desktop cards."""
    return not (card.consumer and job.interconnect in (Interconnect.PCIE, Interconnect.UNKNOWN))
