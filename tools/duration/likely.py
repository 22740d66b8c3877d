"""What follows from what fits: batch, checkpointing, sharding, form of a card and precision that nobody stated."""

from __future__ import annotations

from collections.abc import Iterable

from tools.accelerator import Accelerator
from tools.duration.stack import stack_class
from tools.job import FineTuneJob
from tools.memory.estimate import memory_of_job
from tools.terms import ActivationCheckpointing, Framework, Interconnect, ModelKind, Precision, Sharding
from tools.trainable import trains_base

TOKENS_WANTED = 8192
"""Tokens a micro-step that people aim for: past it, matrix products gain little."""
ROOM = 0.95
"""Part of the memory a job may fill before people recompute activations."""
FULL_BOARD = 8
"""Cards of an NVLink board: eight data-centre cards in one machine are taken as one where the form is not stated."""
LOWEST_PRECISION = Precision.FP8
SPLITS = ("tensor_parallel", "pipeline_parallel", "context_parallel")


def board_form(card: Accelerator, per_node: int, cards: Iterable[Accelerator]) -> Accelerator:
    """The form a full machine has: eight data-centre cards of a name that leaves the form open sit on an NVLink board."""
    if card.form_stated or card.consumer or per_node != FULL_BOARD:
        return card
    boards = (
        other
        for other in cards
        if other.form_stated
        and other.interconnect is Interconnect.NVLINK
        and other.memory_label_gb == card.memory_label_gb
        and other.id.split()[0] == card.id.split()[0]
    )
    return next(boards, card)


def on_board(job: FineTuneJob, cards: Iterable[Accelerator]) -> FineTuneJob:
    """The job on the form its machine likely has."""
    card = job.accelerator
    if card is None:
        return job
    form = board_form(card, job.per_node, cards)
    if form is card:
        return job
    link = job.interconnect if job.states("interconnect") else form.interconnect
    return job.model_copy(update={"accelerator": form, "interconnect": link})


def likely_job(job: FineTuneJob) -> FineTuneJob:
    """The job as people would run it: no recomputation where memory allows, a micro-batch that fills the card."""
    job = _filled(job)
    card = job.accelerator
    if card is None:
        return job
    if job.framework is Framework.VENDOR and not job.states("compute_precision") and card.supports_fp8:
        job = job.model_copy(update={"compute_precision": LOWEST_PRECISION})  # what a maker tunes for speed
    job = _split(job, card)
    if not job.states("activation_checkpointing"):
        job = _least_recomputed(job, card)
    while not job.states("micro_batch_size") and job.micro_batch_size > 1 and not _fits(job, card):
        job = _with_batch(job, job.micro_batch_size // 2)
    return job


def _least_recomputed(job: FineTuneJob, card: Accelerator) -> FineTuneJob:
    """As little recomputation as memory allows; fused stacks offer the selective kind between none and all (arXiv:2205.05198)."""
    kinds = [ActivationCheckpointing.NONE]
    stack = stack_class(job.framework, job.kernels)
    if stack != "plain":
        kinds.append(ActivationCheckpointing.SELECTIVE)
    for kind in kinds:
        freer = job.model_copy(update={"activation_checkpointing": kind})
        if memory_of_job(freer).device.expected <= ROOM * card.usable_bytes:
            return freer
    # makers' stacks hold frozen bases and activations in fp8, which no argument says, and recompute everything last of all
    return freer if stack == "vendor" else job


def _fits(job: FineTuneJob, card: Accelerator) -> bool:
    return memory_of_job(job).device.expected <= card.usable_bytes


def _split(job: FineTuneJob, card: Accelerator) -> FineTuneJob:
    """Split as its stack does where nobody said how.

    Makers' stacks split by tensors inside the node until a replica fits, and optimizer states over the replicas; where a split is stated
    it is the whole of it. Others go to FSDP where a replica does not fit.
    """
    if job.states("sharding") or job.accelerator_count == 1:
        return job
    stated = any(job.states(name) for name in SPLITS)
    if stack_class(job.framework, job.kernels) == "vendor":
        job = job.model_copy(update={"sharding": Sharding.ZERO1 if trains_base(job) else Sharding.DDP})
        for tensor in () if stated else (1, 2, 4, 8):
            if tensor > job.per_node or job.per_node % tensor:
                break
            split = _over(job, tensor)
            if _fits(split, card):
                return split
        return job if stated else job.model_copy(update={"sharding": Sharding.FSDP})
    if not stated and job.sharding is Sharding.DDP and not _fits(job, card):
        return job.model_copy(update={"sharding": Sharding.FSDP})
    return job


def _over(job: FineTuneJob, tensor: int) -> FineTuneJob:
    """The job with each replica over `tensor` cards, at the same samples a step where those were stated."""
    samples = job.micro_batch_size * job.gradient_accumulation_steps * job.replicas
    split = job.model_copy(update={"tensor_parallel": tensor})
    if not job.states("global_batch_size"):
        return split
    return split.model_copy(update={"gradient_accumulation_steps": max(1, round(samples / (job.micro_batch_size * split.replicas)))})


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
