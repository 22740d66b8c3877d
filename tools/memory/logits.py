"""Logits and loss: bytes per position and vocabulary entry at the peak of the loss."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.weights import element_bytes
from tools.terms import Loss, ModelKind, Objective

CHUNKED_BYTES = 4
"""16-bit logits of all positions and their 16-bit gradient; the fp32 work is one chunk."""

WITHOUT_VOCABULARY = frozenset({ModelKind.ENCODER, ModelKind.EMBEDDING, ModelKind.VISION, ModelKind.DIFFUSION})
"""Kinds whose head is a classifier, a pooled vector or an image."""


def logit_bytes(job: FineTuneJob) -> float:
    """Bytes a logit at the peak.

    Plain cross-entropy holds the 16-bit logits, the fp32 log-probabilities autograd saved, their fp32 gradient and the
    16-bit gradient of the logits: 2 + 4 + 4 + 2. With fp32 logits all four are 4 wide.
    """
    if job.loss is Loss.FUSED:
        return 0.0
    if job.loss is Loss.CHUNKED:
        return float(CHUNKED_BYTES)
    return 12.0 if element_bytes(job.compute_precision) == 2 else 16.0


def logit_positions(job: FineTuneJob, tokens: float) -> float:
    """Positions whose logits are computed; policy objectives keep log-probabilities of the completion alone."""
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
