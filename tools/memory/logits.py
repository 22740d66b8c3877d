"""Logits and loss: bytes per position and vocabulary entry at the peak of the loss."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.framework_facts import facts_of
from tools.memory.weights import element_bytes
from tools.terms import Kernel, Loss, ModelKind, Objective

SIXTEEN_BIT_LOSS_BYTES = 8
"""Bytes a logit where the loss runs on 16-bit logits: logits, shifted copy, log-probabilities and gradient, 2 each.
So in the older model classes of transformers (GPT-2, BigCode, BLOOM, Falcon, OPT, GPT-NeoX), which never call `.float()`."""
FUSED_KERNEL_SAVES = 2
"""What a loss kernel without saved log-probabilities spares there."""

WITHOUT_VOCABULARY = frozenset({ModelKind.ENCODER, ModelKind.EMBEDDING, ModelKind.VISION, ModelKind.DIFFUSION})
"""Kinds whose head is a classifier, a pooled vector or an image."""


def logit_bytes(job: FineTuneJob) -> float:
    """Bytes a logit at the peak: see `FrameworkFacts` for what each loss holds; with fp32 compute all copies are 4 wide."""
    facts = facts_of(job.framework)
    if job.loss is Loss.FUSED:
        return 0.0
    wide = element_bytes(job.compute_precision) == 4
    if job.loss is Loss.CHUNKED:
        if Kernel.COMPILE in job.kernels:
            return float(facts.compiled_logit_bytes)
        if _sixteen_bit_loss(job):
            return float(min(facts.chunked_logit_bytes, SIXTEEN_BIT_LOSS_BYTES - FUSED_KERNEL_SAVES))
        return float(facts.chunked_logit_bytes)
    if wide:
        return 16.0
    return float(min(facts.logit_bytes, SIXTEEN_BIT_LOSS_BYTES)) if _sixteen_bit_loss(job) else float(facts.logit_bytes)


def _sixteen_bit_loss(job: FineTuneJob) -> bool:
    """Ungated decoders are those whose classes predate the upcast of the Llama lineage."""
    return job.architecture.gated_mlp is False and job.architecture.kind is ModelKind.DECODER


def logit_positions(job: FineTuneJob, tokens: float) -> float:
    """Positions whose logits are computed; a reward model scores with one number."""
    if job.architecture.kind in WITHOUT_VOCABULARY or job.objective is Objective.REWARD:
        return 0.0
    return tokens


def logits_peak(job: FineTuneJob, tokens: float) -> float:
    """Bytes of logits and loss at the peak of the loss, over `tokens` positions on one device."""
    vocabulary = job.architecture.vocab_size or 0
    positions = logit_positions(job, tokens)
    peak = positions * vocabulary * logit_bytes(job)
    if job.loss is Loss.FUSED and positions:
        hidden = job.architecture.hidden_size or 0
        # the fused kernel works in chunks of about tokens * hidden / vocabulary positions and keeps the input's gradient
        peak = positions * hidden * element_bytes(job.compute_precision) * 2
    return peak / job.tensor_parallel
