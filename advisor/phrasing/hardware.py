"""What the records say of the named cards: precisions, memory, links."""

from __future__ import annotations

from typing import Any

from advisor.phrasing.view import View
from advisor.phrasing.words import Pair, joined, say
from tools.estimate import Citation
from tools.units import decimal_text

LINKS: dict[str, Pair] = {
    "nvlink": ("NVLink", "NVLink"),
    "nvlink_bridge": ("NVLink bridge (pairs)", "NVLink-Brücke (paarweise)"),
    "xgmi": ("Infinity Fabric", "Infinity Fabric"),
    "pcie": ("PCIe only, no NVLink", "nur PCIe, kein NVLink"),
    "none": ("no link", "keine Verbindung"),
    "unknown": ("link unknown", "Verbindung unbekannt"),
}


def precision_sentences(view: View) -> str:
    """Per card: generation, which 16- and 8-bit formats it computes in hardware."""
    return " ".join(_precision(view, card) for card in view.found.cards[:4])


def _precision(view: View, card: dict[str, Any]) -> str:
    language = view.language
    have, lack = ["fp16"], []
    for name, key in (("bf16", "supports_bf16"), ("fp8", "supports_fp8")):
        if card.get(key) is True:
            have.append(name)
        elif card.get(key) is False:
            lack.append(name)
    pair: Pair = ("**{c}** ({a}): {x} in hardware", "**{c}** ({a}): {x} in Hardware")
    text = say(pair, language, c=card["accelerator"], a=card.get("architecture", "?"), x=joined(have, language))
    if lack:
        text += say((", no {x}", ", kein {x}"), language, x=joined(lack, language, last=(" and no ", " und kein ")))
    return f"{text} {mark(view, card)}."


def link_sentences(view: View) -> str:
    """Per card: how two of them are connected, and how fast."""
    lines = []
    for card in view.found.cards[:4]:
        text = say(LINKS.get(str(card.get("interconnect")), LINKS["unknown"]), view.language)
        if card.get("link_gb_per_s") and card.get("interconnect") not in ("pcie", "none"):
            text += f" {decimal_text(float(card['link_gb_per_s']), 0, view.language, grouped=False)} GB/s"
        elif card.get("pcie_generation"):
            text += f" (PCIe {card['pcie_generation']})"
        lines.append(f"**{card['accelerator']}**: {text} {mark(view, card)}.")
    return " ".join(lines)


def memory_sentences(view: View) -> str:
    """Per card: memory, bandwidth and 16-bit peak."""
    lines = []
    for card in view.found.cards[:4]:
        parts = [f"{decimal_text(float(card['memory_label_gb']), 0, view.language)} GB"]
        if card.get("memory_bandwidth_gb_per_s"):
            parts.append(f"{decimal_text(float(card['memory_bandwidth_gb_per_s']), 0, view.language, grouped=False)} GB/s")
        rates = card.get("dense_tflops") or {}
        for name in ("bf16", "fp16"):
            if rates.get(name):
                parts.append(f"{decimal_text(float(rates[name]), 0, view.language)} TFLOPS {name}")
                break
        lines.append(f"**{card['accelerator']}**: {', '.join(parts)} {mark(view, card)}.")
    return " ".join(lines)


def mark(view: View, card: dict[str, Any]) -> str:
    """Marker of the record's source."""
    cited = [Citation.model_validate(row) for row in card.get("citations", [])[:1]]
    return "".join(view.cites.mark(citation) for citation in cited)
