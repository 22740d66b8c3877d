"""Time of a run, and what interruptions cost it."""

from __future__ import annotations

from typing import Any

from advisor.phrasing.figures import cards_text, hours_range, rate
from advisor.phrasing.subjects import name_of
from advisor.phrasing.tables import labels_of
from advisor.phrasing.view import View
from advisor.phrasing.words import BOUND_BY, say


def duration_section(view: View) -> str:
    """Hours first where the data is known, tokens per second else; one line an alternative."""
    rows = view.found.durations
    if not rows:
        return ""
    language = view.language
    labels = labels_of(rows, language) if len(rows) > 1 else [""]
    lines = []
    for label, (job, duration) in zip(labels, rows, strict=True):
        card = cards_text(str(job.get("accelerator") or ""), int(job.get("accelerator_count") or 1))
        mark = "".join(view.cites.mark(citation) for citation in duration.citations[:1])
        values: dict[str, Any] = {
            "c": label or f"{_model(view, job)}, {card}",
            "r": rate(duration.tokens_per_second, language),
            "b": say(BOUND_BY.get(duration.bound_by, (duration.bound_by,) * 2), language),
            "m": f" {mark}" if mark else "",
        }
        if duration.hours is not None:
            pair = ("**About {h}** for {c}: {r}, bound by {b}{m}.", "**Rund {h}** für {c}: {r}, begrenzt durch {b}{m}.")
            lines.append(say(pair, language, **values, h=hours_range(duration.hours, language)))
        else:
            pair = ("**{r}** for {c}, bound by {b}{m}.", "**{r}** für {c}, begrenzt durch {b}{m}.")
            lines.append(say(pair, language, **values))
    return "\n".join(f"- {line}" for line in lines) if len(lines) > 1 else lines[0]


def _model(view: View, job: Any) -> str:
    if view.found.memory:
        return name_of(view, job, view.found.memory[0][1])
    return str(job.get("model") or "").rsplit("/", 1)[-1]
