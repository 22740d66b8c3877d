"""Memory and speed of one job on many cards: each distinct combination is computed once."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import NamedTuple

from tools.accelerator import Accelerator
from tools.arguments import PlanArguments
from tools.context import Context
from tools.cost.span import Span
from tools.duration.setting import Setting
from tools.duration.throughput import Throughput, throughput_in
from tools.duration.work import Work, work_of
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
    board: Accelerator | None = field(default=None, compare=False)
    """The form the card has in this machine, where its name leaves that open and the machine tells."""
    card_id: str = field(init=False)
    """Stands for the card in comparisons, so that machines are cheap keys."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "card_id", self.card.id)

    @property
    def count(self) -> int:
        """Cards over all nodes."""
        return self.per_node * self.nodes

    @property
    def runs_as(self) -> Accelerator:
        """The record whose speed it has."""
        return self.board or self.card

    @property
    def awkward(self) -> bool:
        """Needs more than usual: a card without bf16 or of another maker than NVIDIA, or nodes over a network not known as fast."""
        slow = self.nodes > 1 and self.network not in FAST_NETWORKS
        return self.card.vendor != "nvidia" or self.card.supports_bf16 is False or slow


@dataclass(frozen=True, slots=True)
class Fitted:
    """A layout on a number of cards of one kind, and what it needs."""

    asked: FineTuneJob
    """The job before it was laid out, on a card on which it resolves as on this one."""
    card: Accelerator
    count: int
    nodes: int
    layout: Layout
    memory: JobMemory
    usable_bytes: int
    wanted_batch: int
    """Samples per optimizer step the caller's job asks for."""
    likely_bytes: float
    """The peak a standard deviation above the expected one."""

    @property
    def job(self) -> FineTuneJob:
        """The job under this layout, made anew: planning looks at hundreds of layouts and shows a few."""
        return laid_out(self.asked.model_copy(update={"accelerator": self.card}), self.layout, self.count, self.nodes)

    @property
    def replicas(self) -> int:
        """Data-parallel replicas."""
        job = self.asked
        return max(1, self.count // (job.tensor_parallel * job.pipeline_parallel * job.context_parallel))

    @property
    def samples_per_step(self) -> int:
        """Samples of one optimizer step."""
        return self.layout.micro_batch_size * self.layout.gradient_accumulation_steps * self.replicas

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
        return self.likely_bytes > self.usable_bytes and self.fits

    @property
    def share(self) -> float:
        """Part of the usable memory the expected peak takes."""
        return self.memory.device.expected / self.usable_bytes


class Tried(NamedTuple):
    """A layout and what it needs on the first card it was worked out for."""

    layout: Layout
    memory: JobMemory
    context: int
    """Bytes of that card's own context, which differ from card to card."""


@dataclass(slots=True)
class Evaluator:
    """Answers `does it fit` and `how fast` for one job; not shared between calls.

    Cards on which a job resolves alike share its layouts, memory and counted work; a card adds only the bytes of its context.
    """

    ctx: Context
    arguments: PlanArguments
    _kinds: dict[str, tuple[bool, bool, bool]] = field(default_factory=dict)
    _jobs: dict[object, FineTuneJob | InvalidJob] = field(default_factory=dict)
    _layouts: dict[object, list[Layout]] = field(default_factory=dict)
    _memory: dict[object, Tried] = field(default_factory=dict)
    _work: dict[object, tuple[FineTuneJob, Work]] = field(default_factory=dict)
    _context: dict[object, int] = field(default_factory=dict)

    def job(self, card: Accelerator) -> FineTuneJob:
        """The job as it would run on cards of this kind; raises InvalidJob where they cannot (no fp8 units, ...)."""
        known = self._jobs.get(kind := self._kind(card))
        if known is None:
            try:
                known = resolve_job(self.ctx, self.arguments.model_copy(update={"accelerator": card.id}))
            except InvalidJob as refusal:
                known = refusal
            self._jobs[kind] = known
        if isinstance(known, InvalidJob):
            raise known
        return known

    def _kind(self, card: Accelerator) -> tuple[bool, bool, bool]:
        kind = self._kinds.get(card.id)
        if kind is None:
            fp8 = self.arguments.compute_precision is Precision.FP8
            kind = (card.supports_bf16 is False, (card.capability or RECENT) < RECENT, fp8 and card.supports_fp8 is False)
            self._kinds[card.id] = kind
        return kind

    def _tried(self, kind: object, job: FineTuneJob, layout: Layout, card: Accelerator, count: int, nodes: int) -> Tried:
        alike = min(count, 2) if layout.sharding in REPLICATED else count
        apart = nodes if layout.sharding is Sharding.HYBRID else 1
        accumulates = layout.gradient_accumulation_steps > 1
        key = (kind, alike, apart, layout.sharding, layout.micro_batch_size, layout.activation_checkpointing, accumulates)
        known = self._memory.get(key)
        if known is None:
            laid = laid_out(job.model_copy(update={"accelerator": card}), layout, count, nodes)
            known = self._memory[key] = Tried(layout, memory_of_job(laid), self._context_of(card, count))
        return known

    def _context_of(self, card: Accelerator, count: int) -> int:
        key = (card.architecture, count > 1)
        if key not in self._context:
            self._context[key] = context_bytes(card, count)
        return self._context[key]

    def fitted(self, card: Accelerator, count: int, nodes: int) -> Fitted | None:
        """The first layout that likely fits, else the first that fits at all, else the one that misses by least; None where none exists."""
        job, kind, usable = self.job(card), self._kind(card), card.usable_bytes
        own = self._context_of(card, count)
        choices = self._layouts.get((kind, count))
        if choices is None:
            choices = self._layouts[(kind, count)] = list(layouts(job, count))
        best: tuple[int, Layout, Tried, int, float] | None = None
        for layout in choices:
            tried = self._tried(kind, job, layout, card, count, nodes)
            more = own - tried.context
            peak = tried.memory.device
            missing = max(0, peak.expected + more - usable)
            likely = likely_bytes(peak) + more
            if best is None or (best[0] > 0 and missing < best[0]) or likely <= usable:
                best = (missing, layout, tried, more, likely)
            if likely <= usable:
                break
        if best is None:
            return None
        _, layout, tried, more, likely = best
        memory = tried.memory if more == 0 else replace(tried.memory, device=_shifted(tried.memory.device, more))
        return Fitted(job, card, count, nodes, layout, memory, usable, global_batch(job), likely)

    def speed(self, fitted: Fitted, machines: Machines) -> Throughput:
        """Throughput of a layout over given links. Raises MissingFact where no source states a rate of the card."""
        layout = fitted.layout
        key = (self._kind(machines.card), layout.sharding, layout.micro_batch_size, layout.activation_checkpointing)
        counted = self._work.get(key)
        if counted is None:
            job = fitted.job
            counted = self._work[key] = (job, work_of(job))
        return throughput_in(
            *counted,
            Setting(
                machines.runs_as,
                machines.count,
                machines.nodes,
                machines.interconnect,
                machines.network,
                machines.network_gbps,
                layout.gradient_accumulation_steps,
            ),
        )


def likely_bytes(peak: Estimate[int]) -> float:
    """The peak one standard deviation above the expected one; errors are factors, and `high` lies `SIGMAS` deviations up."""
    return float(peak.expected * (peak.high / max(1, peak.expected)) ** (1 / SIGMAS))


def _shifted(peak: Estimate[int], more: int) -> Estimate[int]:
    return Estimate[int](low=max(0, peak.low + more), expected=max(0, peak.expected + more), high=max(0, peak.high + more))


def total_tokens(fitted: Fitted, examples: int | None, speed: Throughput) -> float | None:
    """Tokens over all epochs; None where nothing was said of the data.

    Images and clips of sound all take the same number of tokens, so that their count alone tells.
    """
    job = fitted.asked
    if job.dataset_tokens is not None:
        return job.dataset_tokens * job.epochs
    alike = job.resolution is not None or job.architecture.kind is ModelKind.AUDIO
    if examples is None or not alike:
        return None
    return examples * job.epochs * speed.tokens_per_step / fitted.samples_per_step


def hours_for(tokens: float, speed: Throughput, count: int) -> Span:
    """Hours to train on `tokens` with `count` cards, without set-up; the faster end of the speed is the shorter run."""
    rate = speed.tokens_per_second_per_accelerator

    def at(per_card: float) -> float:
        return tokens / (per_card * count) / 3600

    return Span(at(rate.high), at(rate.expected), at(rate.low))
