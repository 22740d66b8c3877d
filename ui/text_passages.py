"""Passages found, as text."""

from __future__ import annotations

import textwrap

from tools.card_results import PassageList
from ui.text_common import dated

WIDTH = 100


def passages_text(found: PassageList) -> list[str]:
    """Title, text, id and source of each passage."""
    if not found.passages:
        return ["Nothing in the guide or the records is about this."]
    lines: list[str] = []
    for number, passage in enumerate(found.passages, start=1):
        lines += [f"{number}. {passage.title}"]
        lines += [f"   {line}" for paragraph in passage.text.splitlines() for line in textwrap.wrap(paragraph, WIDTH) or [""]]
        lines += [f"   [{passage.id}] {passage.source}{dated(passage.as_of)}", ""]
    return lines[:-1]
