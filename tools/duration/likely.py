"""What follows from what fits: batch, checkpointing and sharding that nobody stated."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.estimate import memory_of_job
from tools.terms import ActivationCheckpointing, ModelKind, Sharding

TOKENS_WANTED = 8192
"""Tokens a micro-step that people aim for: past it, matrix products gain little."""


def likely_job(job: FineTuneJob) -> FineTuneJob:
    """The job as people would run it: no recomputation where memory allows, a micro-batch that fills the card."""
    job = _filled(job)
    card = job.accelerator
    if card is None:
        return job
    if not job.states("activation_checkpointing"):
        free = job.model_copy(update={"activation_checkpointing": ActivationCheckpointing.NONE})
        if memory_of_job(free).device.expected <= 0.95 * card.usable_bytes:
            job = free
    if not job.states("sharding") and job.sharding is Sharding.DDP and memory_of_job(job).device.expected > card.usable_bytes:
        job = job.model_copy(update={"sharding": Sharding.FSDP})
    while not job.states("micro_batch_size") and job.micro_batch_size > 1 and memory_of_job(job).device.expected > card.usable_bytes:
        job = _with_batch(job, job.micro_batch_size // 2)
    return job


def _filled(job: FineTuneJob) -> FineTuneJob:
    if job.states("micro_batch_size") or job.architecture.kind in (ModelKind.DIFFUSION, ModelKind.VISION):
        return job
    wanted = max(1, TOKENS_WANTED // job.sequence_length)
    if job.states("global_batch_size") or job.states("gradient_accumulation_steps"):
        wanted = min(wanted, max(1, job.micro_batch_size * job.gradient_accumulation_steps))
    return _with_batch(job, wanted)


def _with_batch(job: FineTuneJob, micro: int) -> FineTuneJob:
    """Another micro-batch at the same number of samples a step, where that was stated."""
    samples = job.micro_batch_size * job.gradient_accumulation_steps
    steps = max(1, round(samples / micro)) if job.states("global_batch_size") else job.gradient_accumulation_steps
    return job.model_copy(update={"micro_batch_size": micro, "gradient_accumulation_steps": steps})
