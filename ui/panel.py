"""The side panel of the browser chat as Markdown: stated, assumed, memory by component, sources."""

from __future__ import annotations

import html
from typing import Any, Literal

from advisor.answer import Answer
from tools.units import gib_text

WORDS = {
    "en": {
        "understood": "What was understood",
        "stated": "You said",
        "assumed": "Assumed (say otherwise to change it)",
        "memory": "Memory per card at the peak",
        "sources": "Sources",
        "none": "None for this answer.",
        "nothing": "Nothing.",
        "of": "of",
        "as_of": "as of",
    },
    "de": {
        "understood": "Was verstanden wurde",
        "stated": "Von Ihnen gesagt",
        "assumed": "Angenommen (durch eine andere Angabe änderbar)",
        "memory": "Speicher je Karte an der Spitze",
        "sources": "Quellen",
        "none": "Keine für diese Antwort.",
        "nothing": "Nichts.",
        "of": "von",
        "as_of": "Stand",
    },
}


def understood_panel(answer: Answer) -> str:
    """Stated and assumed values, and the memory breakdown."""
    language: Literal["en", "de"] = "de" if answer.language == "de" else "en"
    words = WORDS[language]
    lines = [f"### {words['understood']}", "", f"**{words['stated']}**", ""]
    lines += _pairs(answer.understood.stated) or [words["nothing"]]
    lines += ["", f"**{words['assumed']}**", ""]
    lines += _pairs(answer.understood.assumed) or [words["nothing"]]
    if answer.memory:
        lines += ["", f"**{words['memory']}**", "", "| | |", "|---|---:|"]
        lines += [f"| {name.replace('_', ' ')} | {gib_text(size, language)} |" for name, size in answer.memory.breakdown.items()]
        peak = answer.memory.peak_device_bytes
        lines.append(
            f"| **Σ** | **{gib_text(peak.expected, language)}** ({gib_text(peak.low, language)} – {gib_text(peak.high, language)}) |"
        )
    return "\n".join(lines)


def sources_panel(answer: Answer) -> str:
    """Numbered citations with source, date and quote."""
    words = WORDS["de" if answer.language == "de" else "en"]
    if not answer.citations:
        return f"### {words['sources']}\n{words['none']}"
    lines = [f"### {words['sources']}", ""]
    for citation in answer.citations:
        dated = "" if citation.as_of == "unknown" else f", {words['as_of']} {_text(citation.as_of)}"
        lines.append(f"**{_text(citation.marker)} {_text(citation.title)}**  ")
        lines.append(f"{_text(citation.source)}{dated}")
        if citation.quote:
            lines.append(f"> {_text(citation.quote[:400])}")
        lines.append("")
    return "\n".join(lines)


def _pairs(values: dict[str, Any]) -> list[str]:
    return [f"- {name.replace('_', ' ')}: `{_value(value)}`" for name, value in values.items()]


def _value(value: Any) -> str:
    text = ", ".join(str(item) for item in value) if isinstance(value, list) else str(value)
    return _text(text[:120]).replace("`", "'")


def _text(text: str) -> str:
    """User words and documents are data: no HTML, no line breaks."""
    return html.escape(" ".join(str(text).split()), quote=False)
