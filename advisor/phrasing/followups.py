"""Questions that make sense next; each keeps the configuration and changes one thing."""

from __future__ import annotations

from advisor.phrasing.view import View
from advisor.phrasing.words import Pair, say

NEXT: dict[str, Pair] = {
    "context": ("And with a longer context?", "Und mit längerem Kontext?"),
    "qlora": ("And with QLoRA?", "Und mit QLoRA?"),
    "lora": ("And with LoRA in bf16?", "Und mit LoRA in bf16?"),
    "rent": ("What should I rent for this?", "Was soll ich dafür mieten?"),
    "two": ("And on two of these cards?", "Und auf zwei dieser Karten?"),
    "spot": ("Would spot be cheaper?", "Wäre Spot günstiger?"),
    "eu": ("Only providers in the EU?", "Nur Anbieter in der EU?"),
    "time": ("How long does it run with my data set?", "Wie lange läuft das mit meinem Datensatz?"),
    "stop": ("What happens to my data when I stop?", "Was wird aus meinen Daten, wenn ich stoppe?"),
}
MOST = 3


def follow_ups(view: View) -> list[str]:
    """At most three, none that the question already asked."""
    names: list[str] = []
    slots = view.u.slots
    if view.reading is not None:
        method = view.reading.job.get("method")
        if view.reading.verdict.fits is False and method == "full":
            names.append("lora")
        elif view.reading.verdict.fits is False and method != "qlora":
            names.append("qlora")
        if view.reading.verdict.fits is False and view.reading.verdict.accelerator_count == 1 and method == "full":
            names.append("two")
        if not view.found.plans:
            names.append("rent")
        if slots.sequence_length is None:
            names.append("context")
    if view.found.plans:
        if slots.pricing_term is None:
            names.append("spot")
        if slots.region is None:
            names.append("eu")
        if slots.dataset_tokens is None and slots.dataset_examples is None:
            names.append("time")
        names.append("stop")
    return [say(NEXT[name], view.language) for name in dict.fromkeys(names)][:MOST]
