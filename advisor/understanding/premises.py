"""Beliefs a turn states that are not so."""

from __future__ import annotations

import re
from typing import Any

from advisor.understanding.names import Names
from advisor.understanding.reading import TurnReading

SUMMED = re.compile(
    r"(?i)(?:zusammen|together|insgesamt|in total|total(?:ling)?|combined|= ?|macht|makes|sind|gives?|that's|also|box)\s*(?:also |about |ca\.? )?(\d{2,4})\s*(?:gb|gib|g)\b|(\d{2,4})\s*(?:gb|gib|g)\s*(?:of vram |vram )?(?:zusammen|together|insgesamt|in total|combined|in the box)"
)
CLAIMED = re.compile(r"(?i)(?:has|have|hat|haben|mit|with|of)\s+(?:its |ihren |ja )?(\d{2,4})\s*(?:gb|gib)")
ACTIVE = re.compile(
    r"(?i)(?:only|nur|just)\s+[\w.,]*\s*(?:\w+ )?(?:active|aktiv)|(?:active|aktiv\w*)[^.\n]{0,40}(?:only|nur|enough|reicht|so)|only \w+ (?:are|is|sind|ist) active"
)
SAME_SHARE = 0.15


def false_premises(turn: TurnReading, slots: dict[str, Any], names: Names) -> list[str]:
    """Ids of wrong beliefs in a turn."""
    found = list(turn.premises)
    count = max([value for value in slots.get("accelerator_count", []) if isinstance(value, int)], default=1)
    labels = names.labels(slots.get("accelerator", []))
    if count > 1 and (match := SUMMED.search(turn.text)):
        claimed = float(match.group(1) or match.group(2))
        each = labels or [float(value) for value in slots.get("vram_gib", [])]
        if not each or any(abs(claimed - count * label) <= SAME_SHARE * claimed for label in each):
            found.append("summed_cards")
    if labels and (match := CLAIMED.search(turn.text)):
        claimed = float(match.group(1))
        if claimed > 1.15 * max(labels) and "summed_cards" not in found and claimed != count * max(labels):
            found.append("wrong_memory_size")
    if slots.get("active_parameters_billion") and ACTIVE.search(turn.text):
        found.append("active_parameters")
    if re.search(r"(?i)on[- ]?demand.*(?:guarant|garant|never|nie|sicher)|(?:guarant|garant)\w*.*on[- ]?demand", turn.text):
        found.append("on_demand_guarantee")
    return found
