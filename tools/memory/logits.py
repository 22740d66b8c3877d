"""Logits and loss: bytes per position and vocabulary entry at the peak of the loss."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.memory.framework_facts import facts_of
from tools.memory.precision import residual_bytes
from tools.memory.weights import element_bytes
from tools.terms import Kernel, Loss, ModelKind, Objective, Sharding
from tools.trainable import trains_base

SIXTEEN_BIT_LOSS_BYTES = 8
"""Bytes a logit where the loss runs on 16-bit logits: logits, shifted copy, log-probabilities and gradient, 2 each.
So in the older model classes of transformers (GPT-2, BigCode, BLOOM, Falcon, OPT, GPT-NeoX), which never call `.float()`."""
AUTOCAST_LOSS_BYTES = 18
"""The same under autocast, which runs cross-entropy in fp32 (torch.amp, list of operations cast to float32): logits,
shifted copy and its gradient of 2 each; log-probabilities and the gradients before and behind them of 4 each."""
LOG_PROBABILITIES = 4
"""What a loss kernel spares that saves none, in fp32."""

SIXTEEN_BIT_LOGITS = frozenset({"qwen"})
"""Gated families whose own code computes the loss on 16-bit logits (Qwen/Qwen-7B, modeling_qwen.py)."""

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
            # a loss kernel that saves no log-probabilities: one tensor less of the width the loss runs in
            held = _own_logit_bytes(job)
            return float(held - LOG_PROBABILITIES if held == AUTOCAST_LOSS_BYTES else min(facts.chunked_logit_bytes, held - 2))
        return float(facts.chunked_logit_bytes)
    if wide:
        return 16.0
    if Kernel.COMPILE in job.kernels and facts.compiles_loss:
        return float(facts.chunked_logit_bytes)
    return float(_own_logit_bytes(job)) if _sixteen_bit_loss(job) else float(facts.logit_bytes)


def _own_logit_bytes(job: FineTuneJob) -> int:
    """Bytes a logit of a class that leaves its logits in 16 bit, by what runs the loss.

    Trainers run adapters under autocast, since PEFT keeps adapters fp32; pure 16-bit training has nothing to cast.
    """
    engine = job.sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3)  # DeepSpeed casts the model and runs no autocast
    autocast = facts_of(job.framework).autocasts and not engine and (residual_bytes(job) == 4 or not trains_base(job))
    return AUTOCAST_LOSS_BYTES if autocast else min(facts_of(job.framework).logit_bytes, SIXTEEN_BIT_LOSS_BYTES)


def _sixteen_bit_loss(job: FineTuneJob) -> bool:
    """Ungated decoders are those whose classes predate the upcast of the Llama lineage; some with code of their own neither."""
    a = job.architecture
    return a.kind is ModelKind.DECODER and (a.gated_mlp is False or a.family.lower() in SIXTEEN_BIT_LOGITS)


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
