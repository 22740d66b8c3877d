"""What a job, a card or a model is like, read off the results; empty or false where unknown."""

from __future__ import annotations

from advisor.phrasing.view import View
from tools.units import GIB

LARGE_SHARE = 0.25
"""A part of the peak worth a sentence."""
OVERSIZED = 2.5
"""A card with so many times the upper end of the range is more than the job needs."""
SMALL_BYTES = 12 * GIB
"""Upper end below which any current card with 16 GB does."""
SHARDED = frozenset({"fsdp", "zero3", "hybrid", "zero2", "zero1"})
ADAPTERS = frozenset({"lora", "qlora", "dora"})


def share(view: View, part: str) -> float:
    """Part of the peak that a part takes, 0..1."""
    if view.reading is None:
        return 0.0
    estimate = view.reading.estimate
    return estimate.parts.get(part, 0) / max(1, estimate.peak_device_bytes.expected)


def count(view: View) -> int:
    """Cards in question."""
    if view.reading is not None:
        return int(view.reading.job.get("accelerator_count") or 1)
    count = view.u.slots.accelerator_count
    return max(count) if isinstance(count, list) else count or 1


def method(view: View) -> str:
    """Method of the estimate, else the one stated."""
    if view.reading is not None:
        return str(view.reading.job.get("method") or "")
    method = view.u.slots.method
    return str(method[0] if isinstance(method, list) else method or "")


def sharding(view: View) -> str:
    """How the cards share the model, as stated or assumed."""
    if view.reading is None:
        return str(view.u.slots.sharding or "")
    reading = view.reading
    assumed = {assumption.name: assumption.value for assumption in reading.estimate.assumptions}
    return str(reading.job.get("sharding") or assumed.get("sharding") or "")


def kind(view: View) -> str:
    """Kind of network, empty where no model is known."""
    return str(view.architecture.get("kind") or "")


def objective(view: View) -> set[str]:
    """Objectives stated."""
    value = view.u.slots.objective
    return set(value if isinstance(value, list) else [value] if value else [])


def link(view: View) -> str:
    """Link between the cards, as stated or by the card's record."""
    stated = view.u.slots.interconnect
    links = [str(card.get("interconnect")) for card in view.found.cards]
    slowest = "pcie" if "pcie" in links else next(iter(links), "")
    return str((stated[0] if isinstance(stated, list) else stated) or slowest)


def wanted(view: View, *intents: str) -> bool:
    """Whether the question is of one of these kinds."""
    return view.u.intent in intents


def small(view: View) -> bool:
    """Whether any current card carries the job."""
    return view.reading is not None and view.reading.estimate.peak_device_bytes.high < SMALL_BYTES


def oversized(view: View) -> bool:
    """Whether the card is several times larger than the job."""
    if view.reading is None or view.reading.verdict.fits is not True or not view.reading.verdict.usable_bytes:
        return False
    return view.reading.verdict.usable_bytes > OVERSIZED * view.reading.estimate.peak_device_bytes.high
