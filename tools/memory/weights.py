"""Bytes of the base weights: what is quantised, what stays 16-bit, what a preparation casts to fp32."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.framework_facts import facts_of
from tools.parameters import ParameterBlocks
from tools.terms import Precision, Sharding
from tools.trainable import trains_all

BYTES: dict[Precision, float] = {
    Precision.FP32: 4.0,
    Precision.TF32: 4.0,
    Precision.BF16: 2.0,
    Precision.FP16: 2.0,
    Precision.FP8: 1.0,
    Precision.INT8: 1.0 + 4 / 4096,
    Precision.INT4: 0.5 + 2.5 / 128,
    Precision.NF4: 0.5 + 4 / 64,
    Precision.NVFP4: 0.5 + 1 / 16,
    Precision.MXFP4: 0.5 + 1 / 32,
}
"""Bytes a weight. nf4: one fp32 maximum per block of 64 (arXiv:2305.14314, section 3); int4: 16-bit scale and 4-bit zero
per group of 128 (GPTQ); mxfp4: one 8-bit scale per 32 (OCP MX 1.0); nvfp4: one fp8 scale per 16; int8: one fp32 scale a row."""

NF4_DOUBLE = 0.5 + 1 / 64 + 4 / (64 * 256)
"""nf4 with the maxima quantised again to 8 bit in blocks of 256: 4.127 bits (arXiv:2305.14314, section 3)."""


def element_bytes(precision: Precision) -> int:
    """Bytes of an activation in a compute precision; matrix products in fp8 still pass 16-bit activations on."""
    return 4 if precision in (Precision.FP32, Precision.TF32) else 2


def linear_bytes(job: FineTuneJob) -> float:
    """Bytes a weight of a linear layer inside the blocks."""
    if job.weight_precision is Precision.NF4 and job.double_quantization:
        return NF4_DOUBLE
    return BYTES[job.weight_precision]


def plain_bytes(job: FineTuneJob) -> float:
    """Bytes a weight of embeddings, norms and head: never quantised; fp32 after PEFT's k-bit preparation."""
    if not is_quantised(job):
        return BYTES[job.weight_precision]
    return 4.0 if casts_rest(job) else float(element_bytes(job.compute_precision))


def casts_rest(job: FineTuneJob) -> bool:
    """Whether a k-bit preparation casts what is not quantised to fp32.

    PEFT's leaves GPTQ and AWQ models as they are (`is_gptq_quantized`), and FSDP needs one precision for a whole unit.
    """
    prequantised = job.weight_precision is Precision.INT4
    return job.kbit_preparation and not prequantised and job.sharding not in (Sharding.FSDP, Sharding.HYBRID)


def is_quantised(job: FineTuneJob) -> bool:
    """Whether the base is held in fewer than 16 bits."""
    return BYTES[job.weight_precision] < 2


def base_weight_bytes(job: FineTuneJob, blocks: ParameterBlocks) -> tuple[float, float]:
    """(linear layers, everything else) in bytes over the whole network."""
    linear = blocks.linear + (blocks.head if facts_of(job.framework).quantises_head else 0)
    if is_quantised(job) and trains_all(job):
        return linear * element_bytes(job.compute_precision), (blocks.total - linear) * plain_bytes(job)
    return linear * linear_bytes(job), (blocks.total - linear) * plain_bytes(job)
