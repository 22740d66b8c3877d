"""The memory tool: peaks with ranges, breakdown, verdict, sensitivity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tools.accelerator import Accelerator
from tools.context import Context
from tools.errors import AdvisorError
from tools.estimate import Assumption, Citation, Estimate
from tools.job import FineTuneJob, JobArguments
from tools.memory.overhead import context_bytes, fragmentation_bytes
from tools.memory.phases import Device
from tools.memory.ranges import ranged
from tools.memory.warnings import warnings_of
from tools.resolve import resolve_job
from tools.results import FitVerdict, MemoryEstimate, SensitivityRow
from tools.terms import ActivationCheckpointing, Offload
from tools.units import GIB

STATIC = frozenset({"weights", "adapters", "master_weights", "optimizer_states", "reference_model", "other_models", "encoders"})
HOST_BASE_BYTES = 6 * GIB
"""Python, CUDA libraries and loader of one rank in host memory."""


@dataclass(frozen=True, slots=True)
class JobMemory:
    """Peaks of one device."""

    allocated: Estimate[int]
    reserved: Estimate[int]
    device: Estimate[int]
    breakdown: dict[str, int]
    """Component -> bytes; sums to `device.expected`."""
    phases: dict[str, int]
    peak_phase: str
    host_ram: Estimate[int]
    trainable_parameters: int
    total_parameters: int


def memory_of_job(job: FineTuneJob) -> JobMemory:
    """Peaks of a resolved job. Depends on the card through context and workspace bytes alone."""
    anatomy = Device(job).anatomy()
    peak = dict(anatomy.peak)
    static = sum(size for name, size in peak.items() if name in STATIC)
    logits = peak.get("logits", 0.0)
    dynamic = sum(peak.values()) - static - logits
    allocated = ranged(peak, job)
    context = float(context_bytes(job.accelerator, job.accelerator_count))
    peak["fragmentation"] = _pooled(job, fragmentation_bytes(job, static, dynamic, logits), sum(peak.values()) + context)
    reserved = ranged(peak, job)
    peak["framework_context"] = context
    device = ranged(peak, job)
    breakdown = {name: round(size) for name, size in sorted(peak.items(), key=lambda item: -item[1]) if round(size) > 0}
    largest = next(iter(breakdown))
    breakdown[largest] += device.expected - sum(breakdown.values())  # rounding
    return JobMemory(
        allocated=allocated,
        reserved=reserved,
        device=device,
        breakdown=breakdown,
        phases={name: round(sum(bag.values())) for name, bag in anatomy.phases.items()},
        peak_phase=anatomy.peak_phase,
        host_ram=_host_ram(job, anatomy.host_bytes, sum(anatomy.phases["load"].values())),
        trainable_parameters=anatomy.trainable,
        total_parameters=anatomy.total,
    )


def _pooled(job: FineTuneJob, gaps: float, used: float) -> float:
    """Gaps of the pool on the card that was named: the pool cannot outgrow it.

    Before torch gives up it frees cached blocks and tries again (torch.cuda memory management); gaps inside blocks in use stay,
    taken as half. So a job that needs less than the card once those are freed runs with the pool the card has room for.
    """
    if job.accelerator is None:
        return gaps
    room = job.accelerator.usable_bytes - used
    return max(0.0, room) if gaps / 2 <= room < gaps else gaps


def _host_ram(job: FineTuneJob, offloaded: float, loaded: float) -> Estimate[int]:
    """Host memory of one node: a process per card, what is offloaded, and the checkpoint while it is loaded.

    Low: weights are mapped and copied shard by shard. High: every rank reads a whole copy first.
    """
    per_node = max(1, job.accelerator_count // job.nodes)
    base = per_node * HOST_BASE_BYTES + offloaded / job.nodes
    pinned = 1.1 if Offload.OPTIMIZER in job.offload or Offload.PARAMETERS in job.offload else 1.0
    return Estimate[int](low=round(base), expected=round(base * pinned + loaded), high=round(base * 1.3 + per_node * loaded * 1.2))


def fit(memory: JobMemory, accelerator: Accelerator, count: int = 1) -> FitVerdict:
    """Whether the expected peak fits what the driver gives; tight where the upper end does not."""
    usable = accelerator.usable_bytes
    fits = memory.device.expected <= usable
    return FitVerdict(
        fits=fits,
        tight=fits and memory.device.high > usable,
        accelerator=accelerator.id,
        accelerator_count=count,
        usable_bytes=usable,
        headroom_bytes=usable - memory.device.expected,
    )


def memory_of(ctx: Context, arguments: JobArguments) -> MemoryEstimate:
    """The tool. Raises UnknownName, AmbiguousName, MissingFact, InvalidJob."""
    job, memory = _usual_run(resolve_job(ctx, arguments))
    forms: Sequence[Accelerator] = ()
    if arguments.accelerator:
        forms = ctx.catalog.accelerator_candidates(arguments.accelerator)
    verdict = _verdict(ctx, arguments, job, memory, forms)
    return MemoryEstimate(
        model=job.architecture.id,
        peak_allocated_bytes=memory.allocated,
        peak_reserved_bytes=memory.reserved,
        peak_device_bytes=memory.device,
        breakdown=memory.breakdown,
        phases=memory.phases,
        peak_phase=memory.peak_phase,
        host_ram_bytes=memory.host_ram,
        trainable_parameters=memory.trainable_parameters,
        total_parameters=memory.total_parameters,
        verdict=verdict,
        sensitivity=_sensitivity(ctx, arguments, job),
        assumptions=[_marked(assumption, verdict) for assumption in job.assumptions],
        citations=citations_of(job),
        warnings=warnings_of(job),
    )


def _usual_run(job: FineTuneJob) -> tuple[FineTuneJob, JobMemory]:
    """The job and its memory; checkpointing that nobody stated is on where only that makes it fit the named card."""
    memory = memory_of_job(job)
    kept_all = not job.states("activation_checkpointing") and job.activation_checkpointing is ActivationCheckpointing.NONE
    if job.accelerator is None or not kept_all or fit(memory, job.accelerator).fits:
        return job, memory
    full = ActivationCheckpointing.FULL
    assumed = [
        assumption.model_copy(update={"value": full.value, "reason": "without it the job does not fit the card"})
        if assumption.name == "activation_checkpointing"
        else assumption
        for assumption in job.assumptions
    ]
    frugal = job.model_copy(update={"activation_checkpointing": full, "assumptions": tuple(assumed)})
    lighter = memory_of_job(frugal)
    return (frugal, lighter) if fit(lighter, job.accelerator).fits else (job, memory)


LEAN_FACTS = ("framework", "kernels", "loss", "kbit_preparation")
"""What tells a plain trainer from one that holds no whole logits and no fp32 copies of frozen weights."""


def _lean_fits(ctx: Context, arguments: JobArguments, job: FineTuneJob) -> bool:
    """Whether a trainer with fused loss and without fp32 copies may fit the job, where nobody said which trainer it is."""
    if job.accelerator is None or job.resolution is not None or any(job.states(name) for name in LEAN_FACTS):
        return False
    facts: dict[str, object] = {"loss": "fused"} | ({"kbit_preparation": False} if job.kbit_preparation else {})
    lean = _changed(ctx, arguments, facts)
    return lean is not None and memory_of_job(lean).device.low <= job.accelerator.usable_bytes


def _marked(assumption: Assumption, verdict: FitVerdict) -> Assumption:
    return assumption.model_copy(update={"decisive": assumption.name in verdict.missing})


def _verdict(ctx: Context, arguments: JobArguments, job: FineTuneJob, memory: JobMemory, forms: Sequence[Accelerator]) -> FitVerdict:
    """The fit, `conditional` where forms of the card, or usual values of something unsaid, disagree."""
    if job.accelerator is None:
        return FitVerdict(fits=None, accelerator_count=job.accelerator_count)
    verdict = fit(memory, job.accelerator, job.accelerator_count)
    missing: list[str] = []
    if {fit(memory, form).fits for form in forms} == {True, False}:
        missing.append("accelerator")
    if not verdict.fits and _lean_fits(ctx, arguments, job):
        missing.append("framework")
    missing += [name for name, value in _other_readings(job) if _fits_with(ctx, arguments, job, name, value) is not verdict.fits]
    if not missing:
        return verdict
    return verdict.model_copy(update={"fits": "conditional", "missing": missing})


def _other_readings(job: FineTuneJob) -> list[tuple[str, object]]:
    """Usual values of facts nobody stated that may turn the verdict."""
    readings: list[tuple[str, object]] = []
    if not job.states("sequence_length") and job.resolution is None:
        readings.append(("sequence_length", 512))
        readings.append(("sequence_length", min(8192, job.architecture.max_position_embeddings or 8192)))
    if not job.states("activation_checkpointing"):
        readings.append(("activation_checkpointing", "full"))
    if not job.states("method"):
        readings.append(("method", "qlora"))
    seen: dict[str, object] = {}
    return [(name, value) for name, value in readings if seen.setdefault(f"{name}{value}", value) is value]


def _fits_with(ctx: Context, arguments: JobArguments, job: FineTuneJob, name: str, value: object) -> object:
    changed = _changed(ctx, arguments, {name: value})
    if changed is None or job.accelerator is None:
        return fit(memory_of_job(job), job.accelerator).fits if job.accelerator else None
    return fit(memory_of_job(changed), job.accelerator).fits


def _changed(ctx: Context, arguments: JobArguments, changes: Mapping[str, object]) -> FineTuneJob | None:
    """The job with arguments changed; None where that job cannot exist."""
    given = arguments.model_dump(by_alias=True, exclude_none=True) | dict(changes)
    if "method" in changes:
        for tied in (
            "weight_precision", "kbit_preparation", "double_quantization", *(("lora_rank",) if changes["method"] == "full" else ()),
        ):  # fmt: skip
            given.pop(tied, None)
    try:
        return resolve_job(ctx, JobArguments.model_validate(given))
    except AdvisorError:
        return None


def _sensitivity(ctx: Context, arguments: JobArguments, job: FineTuneJob) -> list[SensitivityRow]:
    """The same job at other contexts, batches and methods."""
    changes: list[tuple[str, str | int]] = []
    if job.resolution is None:
        changes += [("sequence_length", job.sequence_length * 2), ("sequence_length", max(128, job.sequence_length // 2))]
    changes += [("micro_batch_size", job.micro_batch_size * 2)]
    changes += [("method", method) for method in ("full", "lora", "qlora") if method != job.method]
    if job.activation_checkpointing.value != "full":
        changes.append(("activation_checkpointing", "full"))
    rows = []
    for name, value in changes:
        changed = _changed(ctx, arguments, {name: value})
        if changed is not None:
            peak = memory_of_job(changed)
            fits = fit(peak, job.accelerator).fits if job.accelerator else None
            rows.append(SensitivityRow(change=name, value=value, peak_device_bytes=peak.device, fits=fits))
    return rows


def citations_of(job: FineTuneJob) -> list[Citation]:
    """Records of the network and the card."""
    a = job.architecture
    found = [Citation(id=f"model:{a.id}", title=a.id, source=a.source, as_of=a.released)]
    if job.accelerator is not None:
        card = job.accelerator
        found.append(Citation(id=f"accelerator:{card.id}", title=card.id, source=card.source, as_of=card.as_of))
    return found
