"""How wide the range of a peak is: by what is stated, and by which terms carry it."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, hypot, log

from tools.estimate import Estimate
from tools.job import FineTuneJob
from tools.terms import ModelKind, Sharding

RELATIVE_ERROR = {
    "weights": 0.02,
    "adapters": 0.10,
    "master_weights": 0.03,
    "gradients": 0.05,
    "optimizer_states": 0.03,
    "activations": 0.15,
    "logits": 0.20,
    "dequantization": 0.4,
    "optimizer_workspace": 0.15,
    "gathered_parameters": 0.4,
    "communication": 0.5,
    "reference_model": 0.1,
    "other_models": 0.3,
    "encoders": 0.4,
    "framework_context": 0.4,
}
"""One standard deviation of a term, as a share of it: static terms follow from counts, moving ones from how a trainer is written."""
UNSTATED_ERROR = {
    "activation_checkpointing": ("activations", 0.5),
    "loss": ("logits", 0.25),
    "attention": ("activations", 0.1),
    "optimizer": ("optimizer_states", 0.3),
    "weight_precision": ("weights", 0.08),
    "kbit_preparation": ("activations", 0.1),
    "double_quantization": ("weights", 0.06),
    "sharding": ("gathered_parameters", 0.4),
    "gradient_accumulation_steps": ("gradients", 0.2),
}
"""Argument that was left out -> (term it moves, further deviation as a share of that term)."""
FRAGMENTATION_ERROR, FRAGMENTATION_ERROR_VARYING = 1.0, 6.0
"""The same for fragmentation, upwards only. Lengths that vary grow the pool by blocks that no later sample fits: what is
reserved for a step can reach two to three times what it uses (torch issue 13246; expandable segments avoid it)."""
BASE_ERROR = 0.05
"""What stays where every term is known: versions of libraries, order of frees."""
SHARDED_ERROR = 0.11
"""Units, prefetch and buckets depend on how a model is wrapped, which nobody states."""
DIFFUSION_ERROR = 0.22
"""Resident encoders, conditioning and helper models differ from script to script."""
SIGMAS = 1.75
"""The 24-of-25 bound of a normal error."""
WIDEST, WIDEST_LOOSE = 1.78, 2.45
"""High over low: a wider range says nothing; the loose bound where length or pipeline are open."""


def ranged(components: Mapping[str, float], job: FineTuneJob) -> Estimate[int]:
    """Low, expected and high of a sum whose terms err independently, plus what sharding and unstated facts add.

    Errors are taken as factors: the range runs from `total / f` to `total * f`; fragmentation only lifts the upper end.
    """
    total = sum(components.values())
    if total <= 0:
        return Estimate[int](low=0, expected=0, high=0)
    shares = {name: size / total for name, size in components.items()}
    error = hypot(*(RELATIVE_ERROR[name] * share for name, share in shares.items() if name != "fragmentation"))
    for argument, (term, deviation) in UNSTATED_ERROR.items():
        if not job.states(argument):
            error = hypot(error, deviation * shares.get(term, 0.0))
    loose = job.architecture.kind is ModelKind.DIFFUSION or not (job.states("sequence_length") or job.states("resolution"))
    error = hypot(error, _common_error(job))
    varying = not job.packing and job.resolution is None
    gaps = FRAGMENTATION_ERROR_VARYING if varying else FRAGMENTATION_ERROR
    up = hypot(error, gaps * shares.get("fragmentation", 0.0)) * SIGMAS
    down = error * SIGMAS
    bound = log(WIDEST_LOOSE if loose else WIDEST)
    if up + down > bound:
        up, down = up * bound / (up + down), down * bound / (up + down)
    return Estimate[int](low=round(total * exp(-down)), expected=round(total), high=round(total * exp(up)))


def _common_error(job: FineTuneJob) -> float:
    """What moves every term at once."""
    error = BASE_ERROR
    if job.accelerator_count > 1 and job.sharding not in (Sharding.NONE, Sharding.DDP):
        error = hypot(error, SHARDED_ERROR)
    if job.architecture.kind is ModelKind.DIFFUSION:
        error = hypot(error, DIFFUSION_ERROR)
    return error
