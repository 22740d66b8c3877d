"""The plan to take along: JSON, CSV and Markdown of an answer, as files named for people."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path

from advisor.answer import Answer
from tools.results import Plan

FORMATS = ("json", "csv", "markdown")
ENDINGS = {"json": "json", "csv": "csv", "markdown": "md"}
CSV_COLUMNS = (
    "label", "accelerator", "accelerator_count", "nodes", "sharding", "provider", "region", "instance", "pricing_term", "usd_per_hour",
    "price_as_of", "price_source", "memory_low_bytes", "memory_expected_bytes", "memory_high_bytes", "usable_bytes", "hours_low",
    "hours_expected", "hours_high", "cost_currency", "cost_low", "cost_expected", "cost_high",
)  # fmt: skip


def plan_json(answer: Answer) -> str:
    """Everything but the conversation: what was understood, verdict, memory, plans, sources."""
    record = answer.model_dump(mode="json", include={"understood", "verdict", "memory", "plans", "citations", "warnings"})
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def plan_csv(answer: Answer) -> str:
    """One line per plan; cells that a table program would run as a formula are quoted as text."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")  # RFC 4180
    writer.writerow(CSV_COLUMNS)
    for plan in answer.plans:
        writer.writerow([_inert(cell) for cell in _cells(plan)])
    return out.getvalue()


def plan_markdown(answer: Answer) -> str:
    """The answer as text with its sources."""
    lines = [answer.text, ""]
    for citation in answer.citations:
        dated = "" if citation.as_of == "unknown" else f", {citation.as_of}"
        lines.append(f"{citation.marker} {citation.title}: {citation.source}{dated}")
    return "\n\n".join(part for part in "\n".join(lines).split("\n\n")) + "\n"


WRITERS = {"json": plan_json, "csv": plan_csv, "markdown": plan_markdown}


def write_files(answer: Answer, folder: Path) -> dict[str, Path]:
    """Write every format into a folder; format -> path."""
    folder.mkdir(parents=True, exist_ok=True)
    model = answer.memory.model if answer.memory else "answer"
    stem = re.sub(r"[^A-Za-z0-9.-]+", "-", model.rsplit("/", 1)[-1]).strip("-.")[:60] or "answer"
    paths = {}
    for name in FORMATS:
        paths[name] = folder / f"plan-{stem}.{ENDINGS[name]}"
        paths[name].write_text(WRITERS[name](answer), encoding="utf-8")
    return paths


def _cells(plan: Plan) -> list[object]:
    offer, memory, hours, cost = plan.offer, plan.memory, plan.hours, plan.cost
    return [
        plan.label, plan.accelerator, plan.accelerator_count, plan.nodes, plan.sharding.value, offer.provider, offer.region,
        offer.instance, offer.pricing_term.value, offer.usd_per_hour, offer.as_of.isoformat(), offer.source,
        memory.low, memory.expected, memory.high, plan.usable_bytes,
        *((hours.low, hours.expected, hours.high) if hours else ("", "", "")),
        *((cost.currency, cost.total.low, cost.total.expected, cost.total.high) if cost else ("", "", "", "")),
    ]  # fmt: skip


def _inert(cell: object) -> object:
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in ("=", "+", "-", "@", "\t") else cell
