"""How wide the range of a peak is: by what is stated, and by which terms carry it."""

from __future__ import annotations

from collections.abc import Mapping

from tools.estimate import Estimate
from tools.job import FineTuneJob
from tools.terms import ModelKind, Sharding

RELATIVE_ERROR = {
    "weights": 0.02,
    "adapters": 0.10,
    "master_weights": 0.05,
    "gradients": 0.08,
    "optimizer_states": 0.05,
    "activations": 0.25,
    "logits": 0.35,
    "dequantization": 0.5,
    "optimizer_workspace": 0.3,
    "gathered_parameters": 0.5,
    "communication": 0.6,
    "reference_model": 0.1,
    "other_models": 0.3,
    "encoders": 0.5,
    "framework_context": 0.4,
    "fragmentation": 1.0,
}
"""One standard deviation of a term, as a share of it: static terms follow from counts, moving ones from how a trainer is written."""
UNSTATED_ERROR = {
    "activation_checkpointing": ("activations", 0.6),
    "loss": ("logits", 0.35),
    "attention": ("activations", 0.15),
    "optimizer": ("optimizer_states", 0.3),
    "weight_precision": ("weights", 0.08),
    "kbit_preparation": ("activations", 0.15),
    "double_quantization": ("weights", 0.06),
    "framework": ("activations", 0.1),
    "sharding": ("gathered_parameters", 0.5),
    "lora_target_modules": ("activations", 0.1),
}
"""Argument that was left out -> (term it moves, further deviation as a share of that term)."""
SHARDED_ERROR = 0.12
DIFFUSION_ERROR = 0.16
FLOOR = 0.03
SIGMAS = 1.75
"""The 24-of-25 bound of a normal error."""


def ranged(components: Mapping[str, float], job: FineTuneJob) -> Estimate[int]:
    """Low, expected and high of a sum whose terms err independently, plus what sharding and unstated facts add."""
    total = sum(components.values())
    variance = sum((RELATIVE_ERROR.get(name, 0.3) * size) ** 2 for name, size in components.items())
    for argument, (term, share) in UNSTATED_ERROR.items():
        if not job.states(argument):
            variance += (share * components.get(term, 0.0)) ** 2
    common = FLOOR
    if job.accelerator_count > 1 and job.sharding not in (Sharding.NONE, Sharding.DDP):
        common = max(common, SHARDED_ERROR)
    if job.architecture.kind is ModelKind.DIFFUSION:
        common = max(common, DIFFUSION_ERROR)
    deviation = (variance + (common * total) ** 2) ** 0.5 * SIGMAS
    high = total + deviation
    low = max(total / (1 + deviation / total) if total else 0.0, 0.0)
    return Estimate[int](low=round(low), expected=round(total), high=round(high))
