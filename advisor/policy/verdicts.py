"""Verdicts that hang only on sizes nobody said."""

from __future__ import annotations

from advisor.slots import Intent
from tools.results import MemoryEstimate

ASSUMED_SIZES = frozenset({"sequence_length", "micro_batch_size"})


def settled(estimate: MemoryEstimate, intent: Intent) -> MemoryEstimate:
    """An estimate whose verdict hangs only on sizes that were assumed, judged at those sizes.

    The answer says which they are; "it depends on the context" is true of every job and helps nobody. A run that was out of
    memory has a trainer already: whether another one would fit is a remedy there, not a condition.
    """
    verdict = estimate.verdict
    if intent == "oom_debug" and "framework" in verdict.missing:
        left = [name for name in verdict.missing if name != "framework"]
        fits = verdict.fits if left else (verdict.headroom_bytes or 0) >= 0
        verdict = verdict.model_copy(update={"missing": left, "fits": fits})
        estimate = estimate.model_copy(update={"verdict": verdict})
    if verdict.fits != "conditional" or verdict.headroom_bytes is None or not set(verdict.missing) <= ASSUMED_SIZES:
        return estimate
    fits = verdict.headroom_bytes >= 0
    tight = fits and verdict.usable_bytes is not None and estimate.peak_device_bytes.high > verdict.usable_bytes
    return estimate.model_copy(update={"verdict": verdict.model_copy(update={"fits": fits, "tight": tight})})
