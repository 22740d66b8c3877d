"""Activations held on one device over the phases of a step, by checkpointing."""

from __future__ import annotations

from dataclasses import dataclass

from tools.job import FineTuneJob
from tools.memory.activations import attended_pairs, block_of, method_outputs
from tools.memory.diffusion import diffusion_activations
from tools.memory.images import image_tokens
from tools.memory.objectives import samples_per_example
from tools.terms import ActivationCheckpointing, ModelKind, Offload


@dataclass(frozen=True, slots=True)
class Held:
    """Bytes of activations at three moments."""

    forward: float
    """After the forward pass, while the loss runs."""
    backward_start: float
    """While the last block runs backward."""
    backward_end: float
    """While the first block runs backward, when all gradients stand."""


def positions(job: FineTuneJob) -> int:
    """Positions of one sample."""
    if job.architecture.kind is ModelKind.VISION and job.resolution is not None:
        return image_tokens(job.architecture, job.resolution)
    table = job.architecture.position_table
    return min(job.sequence_length, table) if table else job.sequence_length


def tokens(job: FineTuneJob) -> float:
    """Positions of one micro-batch on one replica."""
    return float(positions(job) * job.micro_batch_size * samples_per_example(job))


def held_activations(job: FineTuneJob, all_layers: int) -> Held:
    """Kept after the forward pass, and while the last and the first block run backward.

    Full checkpointing keeps the input of each block and one recomputed block; selective keeps what `Block.selected` says.
    """
    if job.architecture.kind is ModelKind.DIFFUSION:
        kept, first = diffusion_activations(job)
        return Held(kept, kept, first)
    block, count = block_of(job), tokens(job)
    spread = job.tensor_parallel * job.context_parallel
    layers = max(1, all_layers // job.pipeline_parallel)
    in_flight = min(job.pipeline_parallel, job.gradient_accumulation_steps) if job.pipeline_parallel > 1 else 1
    pairs = attended_pairs(job, positions(job)) * count / positions(job)
    saved = count * (block.saved + method_outputs(job)) + pairs * block.scores_saved
    one = saved + count * block.transient + pairs * (block.scores_peak - block.scores_saved)
    boundary = count * block.boundary
    match job.activation_checkpointing:
        case ActivationCheckpointing.FULL:
            kept, running = boundary * (layers + 1), one
            if Offload.ACTIVATIONS in job.offload:
                kept = 2 * boundary
        case ActivationCheckpointing.SELECTIVE:
            kept, running = (count * block.selected + boundary) * layers + boundary, one
        case _:
            kept, running = saved * layers + boundary, one - saved
    scale = in_flight / spread
    first = 2 * boundary + one
    return Held(kept * scale, (kept + running) * scale, first * scale)
