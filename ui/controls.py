"""The controls beside the chat: one for each value that an answer rests on, and what a change of them says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import gradio as gr

from advisor.answer import Answer, Understood
from tools.context import Context
from tools.terms import ActivationCheckpointing, Attention, Loss, Method, Objective, PricingTerm, Sharding
from ui.chat_words import Language, Pair, word

Kind = Literal["choice", "count", "real", "text", "switch"]


@dataclass(frozen=True, slots=True)
class Control:
    """A value a user may set: the slot it states, its words, its kind and, for a choice, what may be chosen."""

    slot: str
    label: Pair
    kind: Kind
    choices: tuple[str, ...] = ()
    assumed_as: str = ""
    """Name among the assumptions, where that differs from the slot."""
    always: bool = False
    """Shown even where nothing is known of it, because people want to set it."""


def _words(enum: Any) -> tuple[str, ...]:
    return tuple(member.value for member in enum)


CONTROLS: tuple[Control, ...] = (
    Control("model", ("Model", "Modell"), "choice", always=True),
    Control("method", ("Method", "Methode"), "choice", _words(Method), always=True),
    Control("objective", ("Objective", "Ziel"), "choice", _words(Objective)),
    Control("sequence_length", ("Context length, tokens", "Kontextlänge, Token"), "count", always=True),
    Control("micro_batch_size", ("Batch per card", "Batch je Karte"), "count", always=True),
    Control("global_batch_size", ("Batch per optimizer step", "Batch je Optimizer-Schritt"), "count"),
    Control("accelerator", ("Card", "Karte"), "choice", always=True),
    Control("accelerator_count", ("Number of cards", "Kartenzahl"), "count", always=True),
    Control("sharding", ("Sharding", "Aufteilung"), "choice", _words(Sharding)),
    Control("dataset_tokens", ("Data set, tokens", "Datensatz, Token"), "count", always=True),
    Control("epochs", ("Epochs", "Epochen"), "real"),
    Control("region", ("Region", "Region"), "text", always=True),
    Control("pricing_term", ("Pricing term", "Tarif"), "choice", _words(PricingTerm)),
    Control("budget", ("Budget", "Budget"), "real"),
    Control("lora_rank", ("LoRA rank", "LoRA-Rang"), "count"),
    Control("lora_target_modules", ("LoRA targets", "LoRA-Ziele"), "text"),
    Control("quantization", ("Frozen weights stored in", "Eingefrorene Gewichte in"), "choice", ("nf4", "int4", "int8", "fp8"), ""),
    Control("precision", ("Computing in", "Rechnen in"), "choice", ("bf16", "fp16", "fp32", "fp8"), "compute_precision"),
    Control("optimizer", ("Optimizer", "Optimizer"), "choice", (
        "adamw_torch", "adamw_torch_fused", "adamw_bnb_8bit", "paged_adamw_8bit", "paged_adamw_32bit", "adafactor", "sgd", "lion", "muon",
        "galore_adamw",
    )),
    Control("activation_checkpointing", ("Gradient checkpointing", "Gradient Checkpointing"), "choice", _words(ActivationCheckpointing)),
    Control("attention", ("Attention", "Attention"), "choice", _words(Attention)),
    Control("loss", ("Loss", "Loss"), "choice", _words(Loss)),
    Control("double_quantization", ("Double quantisation", "Doppelte Quantisierung"), "switch"),
    Control("kbit_preparation", ("fp32 preparation (PEFT)", "fp32-Vorbereitung (PEFT)"), "switch"),
    Control("resolution", ("Image size, pixels", "Bildgröße, Pixel"), "text"),
)  # fmt: skip


def choices_of(control: Control, ctx: Context) -> list[str]:
    """What the list of a choice offers; models and cards come from the catalogs."""
    if control.slot == "model":
        return sorted(model.id for model in ctx.models.models())
    if control.slot == "accelerator":
        return [card.id for card in sorted(ctx.catalog.accelerators(), key=lambda card: (-card.memory_label_gb, card.id))]
    return list(control.choices)


def build(control: Control, ctx: Context, language: Language) -> Any:
    """The component, hidden until an answer has something to show in it."""
    common: dict[str, Any] = {
        "label": control.label[language == "de"],
        "elem_id": f"control-{control.slot}",
        "interactive": True,
        "visible": control.always,
        "min_width": 140,
    }
    if control.kind == "choice":
        return gr.Dropdown(choices=choices_of(control, ctx), value=None, allow_custom_value=True, filterable=True, **common)
    if control.kind == "switch":
        return gr.Dropdown(choices=[(word("yes", language), True), (word("no", language), False)], value=None, **common)
    if control.kind == "text":
        return gr.Textbox(value="", max_lines=1, **common)
    return gr.Number(value=None, precision=0 if control.kind == "count" else None, **common)


def shown_values(understood: Understood) -> dict[str, Any]:
    """Slot -> the one value its control shows; a list of alternatives is shown as words."""
    values: dict[str, Any] = {}
    for control in CONTROLS:
        value = understood.stated.get(control.slot)
        if value is None:
            value = understood.assumed.get(control.assumed_as or control.slot)
        values[control.slot] = _shown(control, value)
    return values


def _shown(control: Control, value: Any) -> Any:
    if isinstance(value, list):
        return value[0] if len(value) == 1 else (", ".join(str(item) for item in value) if control.kind in ("choice", "text") else None)
    if control.kind == "text":
        return "" if value is None else str(value)
    if control.slot == "activation_checkpointing" and isinstance(value, bool):
        return "full" if value else "none"
    return value


def updates(understood: Understood, language: Language) -> list[Any]:
    """One update per control, in the order of `CONTROLS`: value, whether it was stated or assumed, whether it matters."""
    values = shown_values(understood)
    out = []
    for control in CONTROLS:
        stated = control.slot in understood.stated
        assumed = (control.assumed_as or control.slot) in understood.assumed
        state = f" · {word('stated' if stated else 'assumed', language)}" if stated or assumed else ""
        out.append(
            gr.update(
                label=control.label[language == "de"] + state,
                value=values[control.slot],
                visible=control.always or stated or assumed,
            )
        )
    return out


def changes(before: Understood, values: Sequence[Any]) -> dict[str, Any]:
    """Slots whose control differs from what was shown; None takes a stated value back. Raises ValueError for an impossible one."""
    shown = shown_values(before)
    found: dict[str, Any] = {}
    for control, value in zip(CONTROLS, values, strict=True):
        if _same(shown[control.slot], value):
            continue
        if value in (None, ""):
            if control.slot in before.stated:
                found[control.slot] = None
            continue
        found[control.slot] = _typed(control, value)
    return found


def _same(shown: Any, value: Any) -> bool:
    return (shown in (None, "") and value in (None, "")) or shown == value or str(shown) == str(value)


def _typed(control: Control, value: Any) -> Any:
    if control.kind == "count":
        if float(value) != int(value) or int(value) < 1:
            raise ValueError(control.slot)
        return int(value)
    if control.kind == "real":
        if not float(value) > 0:
            raise ValueError(control.slot)
        return float(value)
    if control.kind == "switch":
        return bool(value)
    return str(value).strip()[:200]


def undone(base: Understood, now: Understood) -> dict[str, Any]:
    """The changes that bring what is stated now back to what was stated in words."""
    names = {*base.stated, *now.stated}
    return {name: base.stated.get(name) for name in sorted(names) if base.stated.get(name) != now.stated.get(name)}


def label_of(slot: str, language: Language) -> str:
    """What a slot is called on the page; a slot without a control goes by its name."""
    for control in CONTROLS:
        if control.slot == slot:
            return control.label[language == "de"]
    return slot.replace("_", " ")


def described(changed: Mapping[str, Any], before: Understood | None, language: Language) -> str:
    """`context length: 2,048 → 4,096`, one clause per change."""
    clauses = []
    for slot, value in changed.items():
        old = shown_values(before).get(slot) if before is not None else None
        clauses.append(f"{label_of(slot, language)}: {_text(old, language)} → {_text(value, language)}")
    return "; ".join(clauses)


def _text(value: Any, language: Language) -> str:
    if value in (None, ""):
        return "–"
    if isinstance(value, bool):
        return word("yes" if value else "no", language)
    if isinstance(value, int):
        return f"{value:,}".replace(",", "." if language == "de" else ",")
    if isinstance(value, list):
        return ", ".join(str(item) for item in value)
    return str(value)


def empty(language: Language) -> list[Any]:
    """Updates of a page on which nothing was asked yet."""
    return updates(Understood(stated={}, assumed={}), language)


def understood_of(answer: Answer | None) -> Understood:
    """What an answer rests on; nothing where there is none."""
    return answer.understood if answer is not None else Understood(stated={}, assumed={})
