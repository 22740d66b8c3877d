"""From slots to job arguments: one dictionary per alternative the user named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any

from advisor.policy.extras import extras
from advisor.policy.facts import Facts
from advisor.policy.methods import usual_methods
from advisor.slots import Slots, Understanding
from tools.job import UNRANKED_METHODS
from tools.terms import Framework, Interconnect, Network, Objective, Precision, Sharding

MAX_ALTERNATIVES = 6
"""More rows than that nobody compares in a chat."""

PLAIN_LAUNCH = "ddp"
"""What torchrun and accelerate do with several cards unless told otherwise: a full copy on each."""
EXAMPLE_BILLION = 8.0
"""Size of the example where methods are compared and no model was named: the size asked about most."""

PLAIN = (
    "gradient_accumulation_steps",
    "global_batch_size",
    "optimizer",
    "dataset_examples",
    "tokens_per_example",
    "dataset_tokens",
    "epochs",
    "active_parameters_billion",
    "nodes",
    "attention",
    "loss",
    "double_quantization",
    "kbit_preparation",
)
"""Slots that are job arguments of the same name; the first value where several were named."""

AXES = ("sequence_length", "micro_batch_size", "lora_rank", "objective", "sharding", "optimizer")
"""Slots of which every named value is an alternative."""

CHOICES: dict[str, type] = {
    "objective": Objective,
    "sharding": Sharding,
    "interconnect": Interconnect,
    "network": Network,
    "framework": Framework,
}
"""Slots whose words must be words of the contract; others are not passed on."""

STORAGE_PRECISIONS = frozenset({"nf4", "int4", "int8", "fp4", "mxfp4", "nvfp4", "fp8"})
"""Words that say how a frozen base is stored."""

COMPUTE_PRECISIONS = frozenset(member.value for member in Precision) - STORAGE_PRECISIONS
"""Words that say what the matrix products run in."""

OFFLOAD_WORDS = {"zero3_offload": ["optimizer", "parameters"], "zero2_offload": ["optimizer"], "fsdp_offload": ["optimizer", "parameters"]}
"""Sharding words that say offloading in the same breath."""


def has_job(u: Understanding) -> bool:
    """Whether a model or a size was named, so that something can be computed; methods alone are compared on an example."""
    if u.slots.model is not None or u.slots.parameters_billion is not None:
        return True
    return u.intent in ("compare", "memory_estimate") and u.slots.method is not None and u.slots.vram_gib is None


def values(slot: Any) -> list[Any]:
    """A slot as a list: nothing, one value, or several."""
    if slot is None:
        return []
    return list(slot) if isinstance(slot, list) else [slot]


def first(slot: Any) -> Any:
    """The first value of a slot, or None."""
    return next(iter(values(slot)), None)


def alternatives(u: Understanding, facts: Facts, question: str = "") -> list[dict[str, Any]]:
    """Arguments of `estimate_memory` for every alternative named, the main one first; at most `MAX_ALTERNATIVES`.

    A method nobody named gives the usual ones for the kind of model; a card name that means several memory sizes gives each.
    """
    slots = u.slots
    shared = _shared(slots) | extras(question)
    models, methods = _models(slots), _methods(u, facts)
    named = len(values(slots.method)) == len(models) > 1  # "X in full and Y with LoRA" are pairs
    both = (
        [[model | method for model, method in zip(models, methods, strict=True)]]
        if named and len(methods) == len(models)
        else [models, methods]
    )
    axes: list[list[dict[str, Any]]] = [*both, _cards(slots, facts)]
    axes += [_axis(name, getattr(slots, name)) for name in AXES]
    if u.intent == "oom_debug" and slots.sharding is None and "sharding" not in shared:
        shared["sharding"] = PLAIN_LAUNCH  # of several cards; dropped again where there is one
    return _distinct(_joined(shared, choice) for choice in product(*axes))[:MAX_ALTERNATIVES]


def _shared(slots: Slots) -> dict[str, Any]:
    job = {name: first(getattr(slots, name)) for name in PLAIN if getattr(slots, name) is not None}
    for name in ("interconnect", "network", "framework"):
        word = first(getattr(slots, name))
        if word in {member.value for member in CHOICES[name]}:  # type: ignore[attr-defined]  # the table holds StrEnums
            job[name] = word
    if slots.lora_target_modules is not None:
        job["lora_target_modules"] = slots.lora_target_modules
    if slots.resolution is not None:
        job["resolution"] = str(first(slots.resolution))
    checkpointing = slots.activation_checkpointing
    if checkpointing is not None:
        job["activation_checkpointing"] = ("full" if checkpointing else "none") if isinstance(checkpointing, bool) else checkpointing
    return job


def _models(slots: Slots) -> list[dict[str, Any]]:
    names, sizes = values(slots.model), values(slots.parameters_billion)
    if len(names) == 1 and len(sizes) == 1:
        return [{"model": names[0], "parameters_billion": sizes[0]}]
    if names:
        return [{"model": name} for name in names]
    return [{"parameters_billion": size} for size in sizes or [EXAMPLE_BILLION]]


def _cards(slots: Slots, facts: Facts) -> list[dict[str, Any]]:
    names, counts, sizes = values(slots.accelerator), values(slots.accelerator_count), values(slots.vram_gib)
    if not names and sizes:
        standing = [(size, facts.card_of_memory(size)) for size in sizes]
        names = [card.id for _, card in standing if card is not None]
    if not names:
        return [{"accelerator_count": count} for count in counts] or [{}]
    paired = len(names) == len(counts) > 1
    rows = []
    for index, name in enumerate(names):
        forms = facts.card_forms(name)
        if sizes and len(forms) > 1:
            wanted = sizes[min(index, len(sizes) - 1)]
            forms = [min(forms, key=lambda card: abs(card.memory_label_gb - wanted))]
        for card in [form.id for form in forms] or [name]:
            for count in [counts[index]] if paired else counts or [None]:
                rows.append({"accelerator": card} | ({"accelerator_count": count} if count else {}))
    return rows


def _methods(u: Understanding, facts: Facts) -> list[dict[str, Any]]:
    slots = u.slots
    stored = [word for word in [*values(slots.quantization), *values(slots.precision)] if word in STORAGE_PRECISIONS]
    computed = [word for word in values(slots.precision) if word in COMPUTE_PRECISIONS]
    if "fp8" in values(slots.precision) and "fp8" not in values(slots.quantization):
        stored, computed = [word for word in stored if word != "fp8"], [*computed, "fp8"]
    methods = [str(word).lower() for word in values(slots.method)] or usual_methods(u, facts, stored)
    rows = []
    for method in methods:
        row: dict[str, Any] = {"method": method}
        if stored and method not in UNRANKED_METHODS:
            if method == "lora" and stored[0] in ("nf4", "int4"):
                row["method"] = "qlora"  # LoRA on a 4-bit base is what people call QLoRA
            if not (row["method"] == "qlora" and stored[0] == "int8"):
                row["weight_precision"] = "nf4" if stored[0] == "fp4" else stored[0]
        rows += [row | {"compute_precision": word} for word in computed] or [row]
        if method == "full" and computed == ["bf16"] and slots.quantization is None:
            rows.append(row | {"compute_precision": "bf16", "master_weights": False})  # "in bf16" means either
    return rows


def _axis(name: str, slot: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for value in values(slot):
        if name == "sharding" and value in OFFLOAD_WORDS:
            rows.append({"sharding": str(value).split("_")[0], "offload": OFFLOAD_WORDS[value]})
        elif name not in CHOICES or value in {member.value for member in CHOICES[name]}:  # type: ignore[attr-defined]  # StrEnums
            rows.append({name: value})
    return rows or [{}]


def _joined(shared: dict[str, Any], choice: Sequence[dict[str, Any]]) -> dict[str, Any]:
    job = dict(shared)
    for part in choice:
        job |= part
    if job.get("method") in UNRANKED_METHODS:
        job.pop("lora_rank", None)
        job.pop("lora_target_modules", None)
    if job.get("method") != "qlora":
        job.pop("double_quantization", None)
        job.pop("kbit_preparation", None)
    count, nodes = job.get("accelerator_count"), job.get("nodes")
    if job.get("sharding") == PLAIN_LAUNCH and (count or 1) < 2:
        job.pop("sharding")
    if nodes and count and count % nodes:
        job.pop("nodes")
    return job


def _distinct(jobs: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    seen: list[dict[str, Any]] = []
    for job in jobs:
        if job not in seen:
            seen.append(job)
    return seen
