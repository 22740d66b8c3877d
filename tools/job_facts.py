"""What follows from the arguments of a job alone."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.estimate import Assumption
from tools.job import JobArguments
from tools.memory.framework_facts import facts_of
from tools.terms import Interconnect


def interconnect_of(arguments: JobArguments, accelerator: Accelerator | None, count: int) -> Interconnect:
    """Link inside a node: as said, else the best the card has; none for a card alone."""
    if arguments.interconnect is not None:
        return arguments.interconnect
    if count // (arguments.nodes or 1) <= 1:
        return Interconnect.NONE
    return accelerator.interconnect if accelerator is not None else Interconnect.UNKNOWN


def dataset_tokens_of(arguments: JobArguments) -> int | None:
    """Tokens of one epoch: as said, or examples times their mean length; None where nothing was said."""
    if arguments.dataset_tokens is not None:
        return arguments.dataset_tokens
    if arguments.dataset_examples is not None and arguments.tokens_per_example is not None:
        return round(arguments.dataset_examples * arguments.tokens_per_example)
    return None


def accumulation_of(arguments: JobArguments, micro: int, replicas: int) -> int:
    """Micro-steps per optimizer step: as said, else what the global batch needs (said, or the stack's own), else one."""
    if arguments.gradient_accumulation_steps is not None:
        return arguments.gradient_accumulation_steps
    if arguments.global_batch_size is not None:
        return max(1, round(arguments.global_batch_size / (micro * replicas)))
    usual = facts_of(arguments.framework).global_batch_size
    return max(1, usual // (micro * replicas)) if usual else 1


def accumulation_assumed(arguments: JobArguments, steps: int, *, heavy: bool) -> list[Assumption]:
    """Says how many micro-steps a step was taken to have, where nobody said so and gradients are `heavy` enough to matter.

    A plan keeps a usual global batch instead and counts the gradients it then holds between micro-steps.
    """
    if not heavy or arguments.gradient_accumulation_steps is not None or arguments.global_batch_size is not None:
        return []
    reason = "no gradients kept between micro-steps; plans accumulate up to a usual batch and count that memory"
    return [Assumption(name="gradient_accumulation_steps", value=steps, reason=reason)]
