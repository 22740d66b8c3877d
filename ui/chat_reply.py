"""An answer as the chat shows it: text whose markers open their source, steps, sources, and what a change changed."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence

import gradio as gr

from advisor.answer import Answer, Step
from advisor.understanding.settings_line import read_settings
from tools.units import gib_text, hours_text, money_text
from ui.chat_words import Language, word
from ui.controls import described, label_of

MARKER = re.compile(r"\[(\d{1,2})\](?!\()")


def as_language_of(answer: Answer) -> Language:
    """Language of an answer's text, for the words around it."""
    return "de" if answer.language == "de" else "en"


def user_text(question: str, language: Language) -> str:
    """A question as typed, HTML included; a control's line as words."""
    settings = read_settings(question)
    if settings is None:
        return html.escape(question, quote=False)
    parts = [f"{label_of(slot, language)}: {'–' if value is None else value}" for slot, value in settings.items()]
    return html.escape("⚙ " + "; ".join(parts), quote=False)


def reply(answer: Answer, turn: int, before: Answer | None = None, changed: Mapping[str, object] | None = None) -> gr.ChatMessage:
    """The answer as a message; markers link to the passage of this turn."""
    known = {citation.marker for citation in answer.citations}
    text = MARKER.sub(lambda found: f"[{found[0]}](#source-{turn}-{found[1]})" if found[0] in known else found[0], answer.text)
    if before is not None and changed:
        text = f"{change_line(before, answer, changed)}\n\n{text}"
    return gr.ChatMessage(role="assistant", content=text, options=[{"value": question} for question in answer.follow_ups[:4]])


def change_line(before: Answer, after: Answer, changed: Mapping[str, object]) -> str:
    """What was changed and what that moved: memory, verdict, time and cost of the first plan."""
    language = as_language_of(after)
    moved = []
    if before.memory and after.memory:
        old, new = before.memory.peak_device_bytes.expected, after.memory.peak_device_bytes.expected
        moved.append(f"{word('memory', language)} {gib_text(old, language)} → {gib_text(new, language)}")
    old_fit, new_fit = _fit(before, language), _fit(after, language)
    if old_fit and new_fit and old_fit != new_fit:
        moved.append(f"{word('verdict', language)} {old_fit} → {new_fit}")
    if before.plans and after.plans:
        first, then = before.plans[0], after.plans[0]
        if first.hours and then.hours:
            moved.append(
                f"{word('hours', language)} {hours_text(first.hours.expected, language)} → {hours_text(then.hours.expected, language)}"
            )
        if first.cost and then.cost:
            moved.append(
                f"{word('cost', language)} {money_text(first.cost.total.expected, first.cost.currency, language)} → "
                f"{money_text(then.cost.total.expected, then.cost.currency, language)}"
            )
    line = f"**{word('changed', language)}:** {html.escape(described(changed, before.understood, language), quote=False)}"
    return f"{line}. {'; '.join(moved)}." if moved else f"{line}."


def _fit(answer: Answer, language: Language) -> str:
    if answer.verdict is None or answer.verdict.fits is None:
        return ""
    key = {True: "fits", False: "fits_not", "conditional": "fits_if"}[answer.verdict.fits]
    return word(key, language)


def working(steps: Mapping[str, Step], language: Language) -> gr.ChatMessage:
    """The steps so far as one collapsible message."""
    marks = {"running": "…", "done": "✓", "failed": "✗"}
    lines = [f"- {marks[step.status]} {step.title}" for step in steps.values()]
    running = [step.title for step in steps.values() if step.status == "running"]
    title = running[-1] if running else word("working", language)
    return gr.ChatMessage(role="assistant", content="\n".join(lines), metadata={"title": title, "status": "pending" if running else "done"})


def sources_html(answers: Sequence[tuple[int, Answer]], language: Language) -> str:
    """Every cited passage of the conversation, newest turn first; each can be opened, and each has an anchor."""
    blocks = []
    for turn, answer in sorted(answers, key=lambda pair: -pair[0]):
        rows = []
        for citation in answer.citations:
            number = citation.marker.strip("[]")
            dated = "" if citation.as_of == "unknown" else f" · {word('as_of', language)} {_text(citation.as_of)}"
            quote = f"<blockquote>{_text(citation.quote)}</blockquote>" if citation.quote else ""
            rows.append(
                f'<details id="source-{turn}-{_text(number)}"><summary>{_text(citation.marker)} {_text(citation.title)}</summary>'
                f"<p>{_linked(citation.source)}{dated}</p>{quote}</details>"
            )
        if rows:
            blocks.append(f'<section aria-label="{word("sources", language)} {turn}"><p class="turn">{turn}.</p>{"".join(rows)}</section>')
    return "".join(blocks) or f"<p>{word('no_sources', language)}</p>"


def _linked(text: str) -> str:
    """Escaped text; addresses in it become links that open elsewhere."""
    parts = re.split(r"(https?://[^\s<>\"'\];,)]+)", " ".join(text.split()))
    return "".join(
        f'<a href="{html.escape(part)}" target="_blank" rel="noopener noreferrer">{html.escape(part)}</a>'
        if index % 2
        else html.escape(part, quote=False)
        for index, part in enumerate(parts)
    )


def _text(text: str) -> str:
    """User words and documents are data: no HTML, no line breaks."""
    return html.escape(" ".join(str(text).split()))
