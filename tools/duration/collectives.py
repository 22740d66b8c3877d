"""Seconds of collectives: what each card, and each node, has to send."""

from __future__ import annotations

from typing import NamedTuple

from tools.duration.coefficients import Coefficients
from tools.duration.rates import link_rate, network_rate
from tools.duration.setting import Setting
from tools.duration.work import Work
from tools.job import FineTuneJob
from tools.terms import Interconnect, Sharding


class Exchanged(NamedTuple):
    """Seconds of one micro-step."""

    gathers: float
    """Weights, which the next layer's computation can hide."""
    splits: float
    """Tensor, context and expert parallelism, on which the next product waits."""


def exchange_seconds(where: Setting, size: float, c: Coefficients, replicas: int, nodes: int) -> float:
    """One all-gather or reduce-scatter of `size` bytes over `replicas` cards on `nodes` nodes.

    Inside a node every card receives `(n-1)/n` of it; what comes from other nodes enters a node once and is shared out
    there, so the network is the sum of the node's adapters.
    """
    if replicas <= 1:
        return 0.0
    inside = size * (replicas - 1) / replicas / link_rate(where, c)
    across = size * (nodes - 1) / nodes / network_rate(where, c) if nodes > 1 else 0.0
    return max(inside, across)


def micro_step_seconds(job: FineTuneJob, where: Setting, work: Work, c: Coefficients, replicas: int) -> Exchanged:
    """Collectives of every micro-step: gathered weights, and what tensor, context and expert parallelism exchange."""
    a = job.architecture
    model = job.tensor_parallel * job.pipeline_parallel
    gathers = splits = 0.0
    if work.gathers:
        hybrid = job.sharding is Sharding.HYBRID
        nodes = 1 if hybrid else where.nodes
        each = exchange_seconds(where, work.shared_weight_bytes / model, c, max(1, replicas // (where.nodes if hybrid else 1)), nodes)
        # forward and backward; FSDP recomputes with what the backward pass gathers, ZeRO-3 frees and gathers module by module
        gathers += (2 + (work.repeated if job.sharding is Sharding.ZERO3 else 0.0)) * each
    layers = work.layers / job.pipeline_parallel
    if job.tensor_parallel > 1:
        # two exchanges a layer forward, two backward, each an all-gather and a reduce-scatter
        size = work.tokens / job.context_parallel * (a.hidden_size or 1024) * 2.0
        splits += 8 * layers * exchange_seconds(where, size, c, job.tensor_parallel, 1)
    if job.context_parallel > 1:
        heads = (a.num_key_value_heads or 8) * (a.head_dim or 128) * 2 * 2.0
        splits += 3 * layers * exchange_seconds(where, work.tokens * heads, c, job.context_parallel, 1)
    if job.expert_parallel > 1 and work.expert_width:
        splits += (2 + work.repeated) * _routing_seconds(job, where, work.routed_bytes / job.pipeline_parallel, c)
    return Exchanged(gathers, splits)


def _routing_seconds(job: FineTuneJob, where: Setting, size: float, c: Coefficients) -> float:
    """All-to-all of one pass: tokens to their experts and back; what leaves the node shares its adapters with the other cards."""
    experts, near = job.expert_parallel, where.per_node
    inside = size * (min(experts, near) - 1) / experts / link_rate(where, c)
    across = size * (1 - near / experts) * near / network_rate(where, c) if experts > near else 0.0
    return inside + across


def step_seconds(job: FineTuneJob, where: Setting, work: Work, c: Coefficients, replicas: int) -> float:
    """Collectives of every optimizer step: gradients of what trains; those of an expert among the cards that hold it."""
    if replicas <= 1:
        return 0.0
    split = job.tensor_parallel * job.pipeline_parallel
    apart = min(job.expert_parallel, replicas)
    experts = work.trained_experts / apart if replicas > apart else 0.0
    size = (work.trained - work.trained_experts + experts) * 2.0 / split
    ways = 1.0 if job.sharding in (Sharding.ZERO3, Sharding.FSDP) else 2.0
    return ways * exchange_seconds(where, size, c, replicas, where.nodes)


def overlaps(where: Setting) -> bool:
    """Whether collectives run beside computation: not where the host copies between desktop cards."""
    return not (where.card.consumer and where.interconnect in (Interconnect.PCIE, Interconnect.UNKNOWN))
