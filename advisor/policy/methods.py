"""Which methods a person means who names none."""

from __future__ import annotations

from typing import Any

from advisor.policy.facts import Facts
from advisor.slots import Understanding
from tools.terms import ModelKind

SMALL_BILLION = 2.0
"""Below that, training every weight is the usual way and fits ordinary cards."""

USUAL: dict[ModelKind, tuple[str, ...]] = {
    ModelKind.DECODER: ("lora", "qlora", "full"),
    ModelKind.MOE: ("lora", "qlora", "full"),
    ModelKind.VLM: ("lora", "qlora", "full"),
    ModelKind.ENCODER: ("full", "lora"),
    ModelKind.EMBEDDING: ("full", "lora"),
    ModelKind.ENCODER_DECODER: ("full", "lora"),
    ModelKind.DIFFUSION: ("lora", "full"),
    ModelKind.AUDIO: ("full", "lora"),
    ModelKind.VISION: ("full", "lora"),
}
"""By kind of network, the one people mostly run first."""


def usual_methods(u: Understanding, facts: Facts, stored: list[Any]) -> list[str]:
    """Methods to compute where none was named: what a stated storage format implies, else the usual ones of the kind of model.

    Cost, time and spot questions get the first alone: three runs would bury the answer.
    """
    if any(word in ("nf4", "int4", "fp4") for word in stored):
        return ["qlora"]
    if stored:
        return ["lora"]
    if u.slots.lora_rank is not None:
        return ["lora"]
    if any(word in ("zero1", "zero2", "zero3", "zero3_offload", "zero2_offload") for word in _words(u.slots.sharding)):
        return ["full"]  # sharded optimizer states are what full training needs; adapters have next to none
    model = facts.model(str(u.slots.model)) if isinstance(u.slots.model, str) else None
    methods = USUAL[model.kind if model else ModelKind.DECODER]
    several_models = isinstance(u.slots.model, list) or isinstance(u.slots.parameters_billion, list)
    if u.intent in ("cost", "time", "spot", "billing", "storage", "interconnect", "environment") or several_models:
        return [methods[0]]
    return list(methods)


def _words(slot: Any) -> list[Any]:
    return slot if isinstance(slot, list) else [slot] if slot is not None else []
