"""The time tool: tokens per second, step time, hours, and what bounds them."""

from __future__ import annotations

from tools.context import Context
from tools.duration.likely import likely_job, on_board
from tools.duration.throughput import Throughput, throughput_of_job
from tools.errors import MissingFact
from tools.estimate import Assumption, Citation, Estimate
from tools.job import FineTuneJob, JobArguments
from tools.memory.estimate import citations_of, memory_of_job
from tools.resolve import resolve_job
from tools.results import DurationEstimate
from tools.terms import Network
from tools.units import SECONDS_PER_HOUR

__all__ = ["Throughput", "duration_of", "run_tokens", "throughput_of_job"]

METHOD = Citation(
    id="method:time",
    title="FLOPs per token of a transformer's training step",
    source="https://arxiv.org/abs/2001.08361",
    as_of="2020-01",
    quote="",
)


def run_tokens(job: FineTuneJob) -> int | None:
    """Tokens over all epochs; None where nothing was said of the data."""
    return None if job.dataset_tokens is None else max(1, round(job.dataset_tokens * job.epochs))


def duration_of(ctx: Context, arguments: JobArguments) -> DurationEstimate:
    """The tool. Raises MissingFact without an accelerator, and what resolving the job raises."""
    resolved = resolve_job(ctx, arguments)
    if resolved.accelerator is None:
        raise MissingFact("accelerator", "How long it runs depends on the card.", "Name an accelerator, or ask for a plan.")
    job = likely_job(on_board(resolved, ctx.catalog.accelerators()))
    speed = throughput_of_job(job)
    count = job.accelerator_count
    each = speed.tokens_per_second_per_accelerator.estimate
    together = Estimate[float](low=each.low * count, expected=each.expected * count, high=each.high * count)
    tokens = run_tokens(job)
    hours = None
    if tokens is not None:
        hours = Estimate[float](
            low=tokens / together.high / SECONDS_PER_HOUR,
            expected=tokens / together.expected / SECONDS_PER_HOUR,
            high=tokens / together.low / SECONDS_PER_HOUR,
        )
    device_hours = None
    if hours is not None:
        device_hours = Estimate[float](low=hours.low * count, expected=hours.expected * count, high=hours.high * count)
    return DurationEstimate(
        model=job.architecture.id,
        tokens_per_second_per_accelerator=each,
        tokens_per_second=together,
        step_seconds=speed.step_seconds.estimate,
        hours=hours,
        device_hours=device_hours,
        total_tokens=tokens,
        mfu=speed.mfu,
        bound_by=speed.bound_by,
        time_shares=speed.time_shares,
        assumptions=_assumptions(job, resolved),
        citations=[*citations_of(job), METHOD],
        warnings=_warnings(job, arguments),
    )


def _assumptions(job: FineTuneJob, resolved: FineTuneJob) -> list[Assumption]:
    """Those of the job, with what follows from what fits in place of the plain defaults."""
    changed = {
        name: getattr(job, name)
        for name in ("micro_batch_size", "activation_checkpointing", "sharding", "tensor_parallel")
        if getattr(job, name) != getattr(resolved, name)
    }
    found = [assumption for assumption in job.assumptions if assumption.name not in changed]
    for name, value in changed.items():
        found.append(Assumption(name=name, value=getattr(value, "value", value), reason="follows from what fits the card"))
    if job.compute_precision is not resolved.compute_precision:
        found = [assumption for assumption in found if assumption.name != "compute_precision"]
        reason = "what a maker's tuned stack uses on this card"
        found.append(Assumption(name="compute_precision", value=job.compute_precision.value, reason=reason))
    if job.accelerator is not resolved.accelerator and job.accelerator is not None:
        found = [assumption for assumption in found if assumption.name != "accelerator"]
        reason = "eight such cards in one machine sit on an NVLink board"
        found.append(Assumption(name="accelerator", value=job.accelerator.id, reason=reason, decisive=True))
    if job.nodes > 1 and job.network_gbps is None:
        kind = job.network.value if job.network is not Network.UNKNOWN else "unknown kind"
        found.append(Assumption(name="network_gbps", value=job.network_gbps, reason=f"usual bandwidth of a network of {kind}"))
    if job.epochs == 1.0 and not job.states("epochs") and job.dataset_tokens is not None:
        found.append(Assumption(name="epochs", value=1.0, reason="one pass over the data"))
    return found


def _warnings(job: FineTuneJob, arguments: JobArguments) -> list[str]:
    found = []
    card = job.accelerator
    if card is not None and memory_of_job(job).device.expected > card.usable_bytes:
        found.append("The job does not fit this card; the time assumes that it did.")
    mean = arguments.tokens_per_example
    if not arguments.packing and arguments.dataset_tokens is None and mean is not None and mean < 0.5 * job.sequence_length:
        found.append("Padding short samples to the full length would cost several times this; the time assumes none.")
    if job.dataset_tokens is None and arguments.dataset_examples is not None:
        found.append("Hours need tokens_per_example beside dataset_examples.")
    return found
