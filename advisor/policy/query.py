"""What to look up in the guide: the question without its log, and the words of its topic."""

from __future__ import annotations

import re
from typing import Any

from advisor.policy.arguments import values
from advisor.slots import Understanding

MAX_QUERY = 600
"""Characters of the question that are looked up; further ones blur the search."""

_LOG_LINE = re.compile(r"^\s*(?:File \"|Traceback|\[rank\d+\]|step \d|at 0x|\d{4}-\d\d-\d\d[ T]\d\d:)|\|.*\|.*\|", re.IGNORECASE)

INTENT_WORDS: dict[str, dict[str, str]] = {
    "oom_debug": {"en": "CUDA out of memory cause remedies", "de": "Speicher reicht nicht Ursache Abhilfe"},
    "spot": {"en": "spot interruptible checkpoint resume", "de": "Spot Unterbrechung Checkpoint fortsetzen"},
    "storage": {"en": "storage persists after stop", "de": "Speicher bleibt nach dem Stoppen erhalten"},
    "billing": {"en": "billing egress stopped storage", "de": "Abrechnung Egress gestoppt Speicher"},
    "interconnect": {"en": "NVLink PCIe bandwidth between cards", "de": "NVLink PCIe Bandbreite zwischen Karten"},
    "single_vs_multi": {"en": "one card or several, sharding", "de": "eine Karte oder mehrere, Aufteilung"},
    "precision": {"en": "precision bf16 fp16 support of the card", "de": "Präzision bf16 fp16 Unterstützung der Karte"},
    "environment": {"en": "image driver CUDA version pinned", "de": "Image Treiber CUDA Version festhalten"},
}
"""Words that place a short follow-up ("and spot?") in its topic."""


def search_query(u: Understanding, question: str) -> str:
    """Query of `search_knowledge`; never empty for an understanding with an intent or a topic."""
    lines = [line for line in question.splitlines() if not _LOG_LINE.search(line)]
    asked = " ".join(" ".join(lines).split())[:MAX_QUERY]
    parts = [asked]
    if len(asked.split()) < 8 or u.pasted_log:
        parts.append(INTENT_WORDS.get(u.intent, {}).get(u.language, ""))
        parts += sorted(topic.replace("_", " ") for topic in u.topics)
    if u.intent in ("storage", "billing", "spot"):
        parts += [str(name) for name in values(u.slots.provider)]
    return " ".join(part for part in parts if part).strip()


def search_arguments(u: Understanding, question: str) -> dict[str, Any]:
    """Arguments of `search_knowledge`."""
    return {"query": search_query(u, question), "language": u.language, "limit": 6}
