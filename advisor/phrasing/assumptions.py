"""What the figures rest on that nobody said, and what would sharpen them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from advisor.phrasing.figures import argument_text, size_text
from advisor.phrasing.view import View
from advisor.phrasing.words import SLOTS, joined, say
from tools.estimate import Assumption

SHOWN = (
    "model",
    "method",
    "objective",
    "sequence_length",
    "micro_batch_size",
    "resolution",
    "activation_checkpointing",
    "optimizer",
    "sharding",
    "lora_rank",
    "weight_precision",
    "compute_precision",
    "master_weights",
    "loss",
    "attention",
    "dataset_tokens",
    "tokens_per_example",
    "epochs",
)
"""Assumptions in the order in which they matter to a reader."""
MOST_SHOWN = 6
ASKABLE = frozenset(SLOTS)


def all_assumed(view: View) -> list[Assumption]:
    """Assumptions behind the figures shown, once each: those of the main estimate first."""
    found: dict[str, Assumption] = {}
    for assumption in _each(view):
        found.setdefault(assumption.name, assumption)
    return list(found.values())


def _each(view: View) -> Iterable[Assumption]:
    if view.reading is not None:
        yield from view.reading.estimate.assumptions
    for _, duration in view.found.durations[:1]:
        yield from duration.assumptions
    for _, result in view.found.plans[:1]:
        yield from result.assumptions


def assumed_values(view: View) -> dict[str, Any]:
    """Name -> value, for `understood.assumed`; a method the policy chose is among them."""
    values = {assumption.name: assumption.value for assumption in all_assumed(view)}
    if view.reading is not None and view.u.slots.method is None and "method" in view.reading.job:
        values["method"] = view.reading.job["method"]
    if view.reading is not None and view.u.slots.sharding is None and "sharding" in view.reading.job:
        values["sharding"] = view.reading.job["sharding"]
    return values


def assumption_line(view: View) -> str:
    """`Assumed (all of it can be changed): context 2,048, batch 1, …`; empty where nothing was computed."""
    known = {assumption.name: assumption for assumption in all_assumed(view)}
    names = [name for name in SHOWN if name in known and known[name].value is not None]
    if not names:
        return ""
    parts = [_said(name, known[name].value, view) for name in names[:MOST_SHOWN]]
    chosen = assumed_values(view)
    method = chosen.get("method")
    if "sharding" in chosen and "sharding" not in known:
        parts.insert(0, argument_text("sharding", chosen["sharding"], view.language))
    several = view.reading is not None and "method" in view.reading.differing
    if method and "method" not in names and not several:
        parts.insert(0, argument_text("method", method, view.language))
    pair = ("**Assumed**, all changeable: {x}.", "**Angenommen**, alles änderbar: {x}.")
    return say(pair, view.language, x=", ".join(dict.fromkeys(parts)))


def _said(name: str, value: Any, view: View) -> str:
    """A model the tools made up from its size is a usual shape of that size."""
    if name == "model" and str(value).startswith("typical "):
        billions = view.reading.job.get("parameters_billion") if view.reading is not None else None
        size = size_text(float(billions), view.language) if billions else str(value).removeprefix("typical ")
        return say(("usual shape of that size ({n})", "übliche Form dieser Größe ({n})"), view.language, n=size)
    return argument_text(name, value, view.language)


def asks(view: View) -> list[str]:
    """Slots that would change the answer: what the verdict lacks, what decides, and what is almost never said but counts."""
    wanted: list[str] = []
    stated = view.u.slots.stated()
    if view.reading is not None:
        wanted += view.reading.verdict.missing
        if view.u.slots.model is None and view.u.slots.parameters_billion is None:
            wanted.append("model")
        if view.u.slots.method is None and "method" in view.reading.differing:
            wanted.append("method")
    wanted += [assumption.name for assumption in all_assumed(view) if assumption.decisive]
    if view.reading is not None and "sequence_length" not in stated and not view.architecture.get("components"):
        wanted.append("sequence_length")
    if _needs_data(view) and not {"dataset_tokens", "dataset_examples", "dataset_hours"} & set(stated):
        wanted.append("dataset_tokens")
    named = {name for name, value in stated.items() if isinstance(value, list)}
    kept = [name for name in dict.fromkeys(wanted) if name in ASKABLE - named and (name not in stated or name in _missing(view))]
    return kept[:4]


def _missing(view: View) -> list[str]:
    return view.reading.verdict.missing if view.reading is not None else []


def _needs_data(view: View) -> bool:
    if view.found.spot or view.found.bills:
        return False
    if view.u.intent in ("cost", "time"):
        return True
    return any(result.plans and result.plans[0].hours is None for _, result in view.found.plans)


def ask_line(names: list[str], view: View) -> str:
    """What to say next for a sharper answer."""
    if not names:
        return ""
    things = joined([say(SLOTS[name], view.language) for name in names if name in SLOTS], view.language)
    return say(("For a firmer answer, tell me: {x}.", "Genauer wird es mit: {x}."), view.language, x=things)
