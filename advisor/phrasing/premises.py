"""Beliefs a question states that are not true, put right before anything else."""

from __future__ import annotations

from advisor.phrasing.view import View
from advisor.phrasing.words import Pair, say
from tools.units import decimal_text

TEXTS: dict[str, Pair] = {
    "summed_cards": (
        "**The memory of several cards does not add up by itself:** under DDP each card holds a full copy and its own size is the limit. "
        "FSDP or ZeRO-3 split the states; only then do several cards carry a larger model.",
        "**Der Speicher mehrerer Karten addiert sich nicht von selbst:** Unter DDP hält jede Karte eine volle Kopie, und ihre eigene Größe "
        "ist die Grenze. Erst FSDP oder ZeRO-3 verteilen die Zustände auf mehrere Karten.",
    ),
    "active_parameters": (
        "**Active parameters decide the speed, not the memory:** all experts have to be loaded, so the total parameters count.",
        "**Die aktiven Parameter bestimmen das Tempo, nicht den Speicher:** Alle Experten müssen geladen sein, es zählen die "
        "Gesamtparameter.",
    ),
    "wrong_memory_size": (
        "**The {card} has {label} GB**, not the size in the question.",
        "**Die {card} hat {label} GB**, nicht die in der Frage genannte Größe.",
    ),
    "german_billion": (
        "**A note on the number:** a German *Billion* is a million millions; I read it as 10⁹ (English *billion*), please confirm.",
        "**Zur Zahl:** Eine deutsche Billion sind tausend Milliarden; gemeint sind vermutlich Milliarden. Das ist hier angenommen, bitte "
        "bestätigen.",
    ),
    "on_demand_guarantee": (
        "**On-demand is no guarantee:** nobody outbids you, but hardware faults and maintenance remain, so save checkpoints anyway.",
        "**On-Demand ist keine Garantie:** Niemand überbietet Sie, aber Hardwarefehler und Wartung bleiben, also trotzdem Checkpoints "
        "sichern.",
    ),
}


def premises(view: View) -> str:
    """What is wrong in the question, put right; ids without a text are left to the notes and the guide."""
    lines = []
    for name in view.u.false_premises:
        pair = TEXTS.get(name)
        if pair is None:
            continue
        if "{card}" not in pair[0]:
            lines.append(say(pair, view.language))
        elif view.card:
            label = decimal_text(float(view.card["memory_label_gb"]), 0, view.language)
            lines.append(say(pair, view.language, card=view.card["accelerator"], label=label))
    return " ".join(lines)
