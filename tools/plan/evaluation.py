"""Memory and speed of one job on many cards: each distinct combination is computed once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from tools.accelerator import Accelerator
from tools.arguments import PlanArguments
from tools.context import Context
from tools.cost.span import Span
from tools.duration.estimate import Throughput, throughput_of_job
from tools.errors import InvalidJob
from tools.estimate import Estimate
from tools.job import FineTuneJob
from tools.memory.estimate import JobMemory, memory_of_job
from tools.memory.overhead import context_bytes
from tools.memory.ranges import SIGMAS
from tools.plan.layouts import Layout, global_batch, laid_out, layouts
from tools.resolve import resolve_job
from tools.terms import Interconnect, ModelKind, Network, Precision, Sharding

FAST_NETWORKS = frozenset({Network.INFINIBAND, Network.ROCE, Network.EFA, Network.NVLINK})
"""Networks over which a sharded job keeps its cards busy."""
RECENT = (8, 0)
"""Compute capability from which FlashAttention runs; a job resolves alike on both sides of it."""
REPLICATED = frozenset({Sharding.NONE, Sharding.DDP})
"""Shardings whose peak per card does not depend on how many cards there are, once there are several."""


@dataclass(frozen=True, slots=True)
class Machines:
    """Cards by node and the links between them."""

    card: Accelerator = field(compare=False)
    per_node: int
    nodes: int
    interconnect: Interconnect
    network: Network = Network.UNKNOWN
    network_gbps: float | None = None
    card_id: str = field(init=False)
    """Stands for the card in comparisons, so that machines are cheap keys."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "card_id", self.card.id)

    @property
    def count(self) -> int:
        """Cards over all nodes."""
        return self.per_node * self.nodes

    @property
    def awkward(self) -> bool:
        """Needs more than usual: a card without bf16 or of another maker than NVIDIA, or nodes over a network not known as fast."""
        slow = self.nodes > 1 and self.network not in FAST_NETWORKS
        return self.card.vendor != "nvidia" or self.card.supports_bf16 is False or slow


@dataclass(frozen=True, slots=True)
class Fitted:
    """A layout on a number of cards of one kind, and what it needs."""

    job: FineTuneJob
    layout: Layout
    memory: JobMemory
    usable_bytes: int
    wanted_batch: int
    """Samples per optimizer step the caller's job asks for."""

    @property
    def missing_bytes(self) -> int:
        """Expected peak beyond what the card has; negative where it fits."""
        return self.memory.device.expected - self.usable_bytes

    @property
    def fits(self) -> bool:
        """Whether the expected peak fits."""
        return self.missing_bytes <= 0

    @property
    def tight(self) -> bool:
        """The expected peak fits, the upper end of its range does not."""
        return self.fits and self.memory.device.high > self.usable_bytes

    @property
    def risky(self) -> bool:
        """More likely than one in six to run out of memory: the peak a standard deviation above the expected one does not fit."""
        return self.fits and likely_bytes(self.memory.device) > self.usable_bytes

    @property
    def share(self) -> float:
        """Part of the usable memory the expected peak takes."""
        return self.memory.device.expected / self.usable_bytes


@dataclass(slots=True)
class Evaluator:
    """Answers `does it fit` and `how fast` for one job; not shared between calls."""

    ctx: Context
    arguments: PlanArguments
    _jobs: dict[object, FineTuneJob | InvalidJob] = field(default_factory=dict)
    _memory: dict[object, tuple[Accelerator, JobMemory]] = field(default_factory=dict)
    _speed: dict[object, Throughput] = field(default_factory=dict)

    def job(self, card: Accelerator) -> FineTuneJob:
        """The job as it would run on a card; raises InvalidJob where the card cannot (no fp8 units, ...)."""
        kind = (card.supports_bf16 is False, (card.capability or RECENT) < RECENT, self._fp8 and card.supports_fp8 is False)
        if kind not in self._jobs:
            try:
                self._jobs[kind] = resolve_job(self.ctx, self.arguments.model_copy(update={"accelerator": card.id}))
            except InvalidJob as refusal:
                self._jobs[kind] = refusal
        known = self._jobs[kind]
        if isinstance(known, InvalidJob):
            raise known
        return known if known.accelerator is card else known.model_copy(update={"accelerator": card})

    @property
    def _fp8(self) -> bool:
        return self.arguments.compute_precision is Precision.FP8

    def memory(self, job: FineTuneJob, layout: Layout, count: int, nodes: int) -> JobMemory:
        """Peak of a job under a layout. Cards on which a job resolves alike share it, but for the bytes of their own context."""
        card = job.accelerator
        assert card is not None
        alike = min(count, 2) if layout.sharding in REPLICATED else count
        apart = nodes if layout.sharding is Sharding.HYBRID else 1
        accumulates = layout.gradient_accumulation_steps > 1
        formats = (job.compute_precision, job.weight_precision, job.attention)
        key = (formats, alike, apart, layout.sharding, layout.micro_batch_size, layout.activation_checkpointing, accumulates)
        known = self._memory.get(key)
        if known is None:
            known = self._memory[key] = (card, memory_of_job(laid_out(job, layout, count, nodes)))
        first, memory = known
        more = context_bytes(card, count) - context_bytes(first, count)
        return memory if more == 0 else replace(memory, device=_shifted(memory.device, more))

    def fitted(self, card: Accelerator, count: int, nodes: int) -> Fitted | None:
        """The first layout that likely fits, else the first that fits at all, else the one that misses by least; None where none exists."""
        job, usable = self.job(card), card.usable_bytes
        best: tuple[int, Layout, JobMemory] | None = None
        for layout in layouts(job, count):
            memory = self.memory(job, layout, count, nodes)
            missing = max(0, memory.device.expected - usable)
            if best is None or (best[0] > 0 and missing < best[0]):
                best = (missing, layout, memory)
            if likely_bytes(memory.device) <= usable:
                best = (missing, layout, memory)
                break
        if best is None:
            return None
        return Fitted(laid_out(job, best[1], count, nodes), best[1], best[2], usable, global_batch(job))

    def speed(self, fitted: Fitted, machines: Machines) -> Throughput:
        """Throughput of a layout over given links."""
        key = (machines, fitted.layout)
        if key not in self._speed:
            links = {
                "interconnect": machines.interconnect,
                "network": machines.network,
                "network_gbps": machines.network_gbps,
                "accelerator": machines.card,
            }
            self._speed[key] = throughput_of_job(fitted.job.model_copy(update=links))
        return self._speed[key]


def likely_bytes(peak: Estimate[int]) -> float:
    """The peak one standard deviation above the expected one; errors are factors, and `high` lies `SIGMAS` deviations up."""
    return float(peak.expected * (peak.high / max(1, peak.expected)) ** (1 / SIGMAS))


def _shifted(peak: Estimate[int], more: int) -> Estimate[int]:
    return Estimate[int](low=max(0, peak.low + more), expected=max(0, peak.expected + more), high=max(0, peak.high + more))


def total_tokens(job: FineTuneJob, examples: int | None, speed: Throughput) -> float | None:
    """Tokens over all epochs; None where nothing was said of the data.

    Images and clips of sound all take the same number of tokens, so that their count alone tells.
    """
    if job.dataset_tokens is not None:
        return job.dataset_tokens * job.epochs
    alike = job.resolution is not None or job.architecture.kind is ModelKind.AUDIO
    if examples is None or not alike:
        return None
    samples = job.micro_batch_size * job.gradient_accumulation_steps * job.replicas
    return examples * job.epochs * speed.tokens_per_step / samples


def hours_for(tokens: float, speed: Throughput, count: int) -> Span:
    """Hours to train on `tokens` with `count` cards, without set-up; the faster end of the speed is the shorter run."""
    rate = speed.tokens_per_second_per_accelerator

    def at(per_card: float) -> float:
        return tokens / (per_card * count) / 3600

    return Span(at(rate.high), at(rate.expected), at(rate.low))
