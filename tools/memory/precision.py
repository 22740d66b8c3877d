"""Which tensors are fp32 although the job computes in 16 bit: adapters, the residual stream, inputs cast per layer."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.weights import element_bytes, is_quantised, plain_bytes
from tools.terms import ModelKind, Precision
from tools.trainable import trains_base

SIXTEEN = frozenset({Precision.BF16, Precision.FP16})


def adapter_bytes(job: FineTuneJob) -> float:
    """Bytes of one adapter weight: PEFT casts adapters to fp32 (`autocast_adapter_dtype`), unless states are 16-bit."""
    return 2.0 if job.optimizer_state_precision in SIXTEEN else 4.0


def residual_bytes(job: FineTuneJob) -> int:
    """Bytes of an element of the residual stream: fp32 where the embedding is, since sums keep the wider type.

    Diffusion models and towers start from a convolution, which autocast runs in 16 bit.
    """
    element = element_bytes(job.compute_precision)
    if element == 4 or job.architecture.kind is ModelKind.DIFFUSION:
        return element
    wide = plain_bytes(job) if is_quantised(job) else element_bytes(job.weight_precision)
    return 4 if wide == 4 else 2


def casts_per_layer(job: FineTuneJob) -> bool:
    """Whether each trained layer keeps its own 16-bit copy of a shared input.

    So under autocast with fp32 inputs or fp32 adapters: the cast is made anew for each layer (torch caches those of
    weights alone); where all is 16-bit, layers with one input share it.
    """
    if element_bytes(job.compute_precision) == 4:
        return False
    if trains_base(job):
        return residual_bytes(job) == 4
    return adapter_bytes(job) == 4.0
