"""What makes a job smaller: one change at a time, in the order in which an engineer tries them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tools.job import UNRANKED_METHODS
from tools.results import MemoryEstimate

SHORTEST = 512
"""No remedy goes below this context; shorter is another data set."""
LONG_CONTEXT = 16_384
"""From here on sequence parallelism pays: shorter samples leave each card too little work per exchange."""
NOTABLE_SHARE = 0.08
"""A remedy that removes one component is tried where the component is at least this share of the peak."""
ADAPTER_METHODS = frozenset({"lora", "dora", "qlora"})


@dataclass(frozen=True, slots=True)
class Remedy:
    """A change of job arguments; `change` gives None where it does not apply."""

    name: str
    change: Callable[[Mapping[str, Any], MemoryEstimate], dict[str, Any] | None]


def effective(job: Mapping[str, Any], estimate: MemoryEstimate, name: str) -> Any:
    """The value an estimate rests on: as given, else as assumed."""
    if name in job:
        return job[name]
    return next((assumption.value for assumption in estimate.assumptions if assumption.name == name), None)


def share(estimate: MemoryEstimate, *components: str) -> float:
    """Part of the peak that components take."""
    return sum(estimate.breakdown.get(name, 0) for name in components) / max(1, estimate.peak_device_bytes.expected)


def _checkpointing(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    if effective(job, estimate, "activation_checkpointing") == "full" or share(estimate, "activations") < NOTABLE_SHARE:
        return None
    return {"activation_checkpointing": "full"}


def _batch(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    batch = effective(job, estimate, "micro_batch_size")
    if not isinstance(batch, int) or batch <= 1:
        return None
    steps = effective(job, estimate, "gradient_accumulation_steps")
    if "global_batch_size" in job:
        return {"micro_batch_size": 1}  # accumulation then follows from the global batch
    return {"micro_batch_size": 1, "gradient_accumulation_steps": batch * (steps if isinstance(steps, int) else 1)}


def _loss(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    return {"loss": "fused"} if share(estimate, "logits") >= NOTABLE_SHARE else None


def _context(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    length = effective(job, estimate, "sequence_length")
    if not isinstance(length, int) or length // 2 < SHORTEST or share(estimate, "activations", "logits") < NOTABLE_SHARE:
        return None
    return {"sequence_length": length // 2}


def _split_sequence(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    """Each sample split over the cards, where a long context is what fills them."""
    count, length = job.get("accelerator_count") or 1, effective(job, estimate, "sequence_length")
    if count < 2 or "context_parallel" in job or not isinstance(length, int) or length < LONG_CONTEXT:
        return None
    return {"context_parallel": count} if share(estimate, "activations", "logits") >= NOTABLE_SHARE else None


def _optimizer(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    optimizer = str(effective(job, estimate, "optimizer") or "")
    if "8bit" in optimizer or share(estimate, "optimizer_states", "master_weights") < NOTABLE_SHARE:
        return None
    return {"optimizer": "adamw_bnb_8bit"}


def _sharding(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    count = job.get("accelerator_count") or 1
    if count < 2 or effective(job, estimate, "sharding") in ("fsdp", "zero3", "hybrid"):
        return None
    return {"sharding": "fsdp"}


def _base(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    """A denoiser's frozen base in fp8, as its trainers offer; a network without logits is one."""
    if (
        job.get("method") != "lora"
        or estimate.parts.get("logits")
        or effective(job, estimate, "weight_precision") not in ("bf16", "fp16", "fp32")
    ):
        return None
    return {"weight_precision": "fp8"}


def _lora(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    return {"method": "lora"} if job.get("method") in UNRANKED_METHODS else None


def _qlora(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    return None if job.get("method") == "qlora" else {"method": "qlora"}


LADDER: tuple[Remedy, ...] = (
    Remedy("sharding", _sharding),
    Remedy("checkpointing", _checkpointing),
    Remedy("batch", _batch),
    Remedy("loss", _loss),
    Remedy("split_sequence", _split_sequence),
    Remedy("context", _context),
    Remedy("optimizer", _optimizer),
    Remedy("base", _base),
    Remedy("lora", _lora),
    Remedy("qlora", _qlora),
)
"""From changes that cost nothing in quality to those that change the training itself."""


def remedies(job: Mapping[str, Any], estimate: MemoryEstimate, limit: int) -> list[dict[str, Any]]:
    """Jobs with one change each, at most `limit`: those that change the training most go last, but the last one stays in.

    QLoRA is the far end of the ladder and says whether the card can do it at all, so a cut list keeps it.
    """
    changes = [change for remedy in LADDER if (change := remedy.change(job, estimate)) is not None]
    kept = changes if len(changes) <= limit else [*changes[: limit - 1], changes[-1]]
    return [changed(job, change) for change in kept]


def all_at_once(job: Mapping[str, Any], estimate: MemoryEstimate) -> dict[str, Any] | None:
    """Every change that keeps the method, together; None where fewer than two apply."""
    keeps_method = [remedy for remedy in LADDER if remedy.name not in ("base", "lora", "qlora")]
    changes = [change for remedy in keeps_method if (change := remedy.change(job, estimate)) is not None]
    if len(changes) < 2:
        return None
    together = dict(job)
    for change in changes:
        together = changed(together, change)
    return together


def changed(job: Mapping[str, Any], change: Mapping[str, Any]) -> dict[str, Any]:
    """A job with a change, and without what no longer goes with it."""
    result = dict(job) | dict(change)
    if "method" in change:
        if change["method"] in ADAPTER_METHODS and job.get("method") in UNRANKED_METHODS:
            for name in ("optimizer", "optimizer_state_precision", "master_weights"):
                result.pop(name, None)
        if change["method"] == "qlora":
            result.pop("weight_precision", None)
            if str(job.get("sharding")).startswith("zero"):
                result["sharding"] = "fsdp"  # ZeRO does not split 4-bit weights of bitsandbytes, FSDP does
    return result
