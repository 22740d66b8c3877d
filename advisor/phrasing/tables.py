"""Markdown tables. Cells carry no padding: a table costs as many words as it has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.phrasing.escape import cell
from advisor.phrasing.figures import argument_text, bare_gib, bytes_range, cards_text, hours_short, model_name, money, price
from advisor.phrasing.found import Job
from advisor.phrasing.reading import Row, differences
from advisor.phrasing.words import AVAILABILITY, PARTS, TERMS, say
from tools.offer_results import OfferList
from tools.results import MEMORY_PARTS, DurationEstimate, MemoryEstimate, Plan
from tools.units import Language, gib_text

ALWAYS = ("weights", "gradients", "optimizer_states", "activations", "logits", "overhead")
"""Parts every memory answer shows, also where they are nothing."""

HELPS_BELOW = 0.98
"""A change that leaves more than this part of the peak is no remedy."""

CARD_FIELDS = ("accelerator", "accelerator_count")


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = ["|" + "|".join(head) + "|", "|" + "|".join("---" for _ in head) + "|"]
    return "\n".join(lines + ["|" + "|".join(cell(text) for text in row) + "|" for row in rows])


def memory_table(rows: Sequence[Row], language: Language) -> str:
    """Breakdown at the peak in GiB per card, one row an alternative; the first column is left out for a single row."""
    shown = [part for part in MEMORY_PARTS if part in ALWAYS or any(estimate.parts.get(part) for _, estimate in rows)]
    labels = labels_of(rows, language)
    judged = any(estimate.verdict.fits is not None for _, estimate in rows) and len(rows) > 1
    several = any(int(job.get("accelerator_count") or 1) > 1 for job, _ in rows)
    head = [say(("GiB per card", "GiB pro Karte"), language) if several else "GiB"] if len(rows) > 1 else []
    head += [say(PARTS[part], language) for part in shown] + [say(("**peak**", "**Spitze**"), language)]
    head += [say(("fits", "passt"), language)] if judged else []
    body = []
    for label, (_, estimate) in zip(labels, rows, strict=True):
        cells = [label] if len(rows) > 1 else []
        cells += [bare_gib(estimate.parts.get(part, 0), language) for part in shown]
        peak = estimate.peak_device_bytes
        cells.append(f"**{bare_gib(peak.expected, language)}** ({bare_gib(peak.low, language)}–{bare_gib(peak.high, language)})")
        body.append(cells + ([fit_word(estimate, language)] if judged else []))
    return table(head, body)


def remedy_table(base: Row, variants: Sequence[Row], language: Language) -> str:
    """What each change does to the peak."""
    head = [say(("change", "Maßnahme"), language), say(("peak, GiB", "Spitze, GiB"), language), say(("fits", "passt"), language)]
    rows = [[say(("as asked", "wie gefragt"), language), _peak(base[1], language), fit_word(base[1], language)]]
    for job, estimate in variants:
        if estimate.peak_device_bytes.expected > HELPS_BELOW * base[1].peak_device_bytes.expected:
            continue
        changed = [name for name in differences([base[0], job]) if job.get(name) is not None and name != "gradient_accumulation_steps"]
        if changed and set(changed) <= {"accelerator_count", "nodes"}:
            rows.append([_count_label(job, language), _peak(estimate, language), fit_word(estimate, language)])
            continue
        label = _without_method(
            ", ".join(argument_text(name, job[name], language) for name in changed if not _implied(name, changed)), language
        )
        rows.append([label, _peak(estimate, language), fit_word(estimate, language)])
    return table(head, rows)


def sensitivity_line(estimate: MemoryEstimate, language: Language, shown: Sequence[str]) -> str:
    """How the peak moves with context, batch and method, in one line; what is `shown` already, or moves nothing, is left out."""
    peak = estimate.peak_device_bytes.expected
    rows = [
        row for row in estimate.sensitivity if row.change not in shown and abs(row.peak_device_bytes.expected / peak - 1) > 1 - HELPS_BELOW
    ]
    first: dict[str, str] = {}
    for row in rows:
        label = _without_method(argument_text(row.change, row.value, language), language)
        first.setdefault(row.change, f"{label} → {gib_text(row.peak_device_bytes.expected, language)}")
    return "; ".join(first.values())


def _peak(estimate: MemoryEstimate, language: Language) -> str:
    peak = estimate.peak_device_bytes
    return f"{bare_gib(peak.expected, language)} ({bare_gib(peak.low, language)}–{bare_gib(peak.high, language)})"


def fit_word(estimate: MemoryEstimate, language: Language) -> str:
    """yes, tight, no, or a dash; what hangs on something unsaid is told at the sizes of the row."""
    verdict = estimate.verdict
    if verdict.fits is True:
        return say(("tight", "knapp"), language) if verdict.tight else say(("yes", "ja"), language)
    if verdict.fits is None or verdict.headroom_bytes is None:
        return "–"
    return say(("yes", "ja") if verdict.fits == "conditional" and verdict.headroom_bytes >= 0 else ("no", "nein"), language)


def labels_of(rows: Sequence[tuple[Job, MemoryEstimate | DurationEstimate]], language: Language) -> list[str]:
    """What tells each job from the others: `QLoRA`, `4× A100 80GB, LoRA`; what only one of them states is assumed in the others."""
    names = differences([job for job, _ in rows])
    labels = []
    for stated, estimate in rows:
        job: dict[str, Any] = {assumption.name: assumption.value for assumption in estimate.assumptions if assumption.name in names} | dict(
            stated
        )
        parts = []
        if any(name in names for name in CARD_FIELDS) and job.get("accelerator"):
            parts.append(cards_text(str(job["accelerator"]), int(job.get("accelerator_count") or 1)))
        if "model" in names and job.get("model"):
            parts.append(model_name(str(job["model"])))
        elif "parameters_billion" in names and job.get("parameters_billion"):
            parts.append(f"{float(job['parameters_billion']):g}B")
        skipped = (*CARD_FIELDS, "model", "parameters_billion")
        parts += [argument_text(name, job[name], language) for name in names if name not in skipped and job.get(name) is not None]
        labels.append(", ".join(parts))
    return [_without_method(label, language) for label in labels]


def _count_label(job: Job, language: Language) -> str:
    count, nodes = int(job["accelerator_count"]), int(job.get("nodes") or 1)
    label = cards_text(str(job.get("accelerator")), count)
    return label if nodes == 1 else f"{label}, {say(('{n} nodes', '{n} Knoten'), language, n=nodes)}"


def _implied(name: str, changed: Sequence[str]) -> bool:
    """FSDP in place of ZeRO goes without saying beside QLoRA."""
    return name == "sharding" and "method" in changed


def _without_method(label: str, language: Language) -> str:
    for pair in (("method ", "Methode "), ("objective ", "Ziel ")):
        label = label.replace(say(pair, language), "")
    return label


def plan_table(plans: Sequence[Plan], language: Language) -> str:
    """Ways to run the job: what to rent, where, at which dated price, and what the finished run costs."""
    timed = any(plan.hours is not None for plan in plans)
    head = [
        say(("rent", "mieten"), language),
        say(("provider, region, instance", "Anbieter, Region, Instanz"), language),
        say(("price", "Preis"), language),
        say(("as of", "Stand"), language),
        say(("GiB per card", "GiB pro Karte"), language),
    ]
    head += [say(("hours", "Dauer"), language), say(("finished run", "fertiger Lauf"), language)] if timed else []
    rows = []
    for plan in plans:
        offer = plan.offer
        term = say(TERMS[offer.pricing_term.value], language)
        cells = [
            cards_text(plan.accelerator, plan.accelerator_count),
            f"{offer.provider_name}, {offer.region}, {offer.instance}",
            f"{price(offer.usd_per_hour, 'USD', language)} {term}",
            offer.as_of.isoformat(),
            bytes_range(plan.memory, language).replace(" GiB", ""),
        ]
        if timed:
            cells.append(hours_short(plan.hours, language) if plan.hours else "–")
            cells.append(money(plan.cost, language) if plan.cost else "–")
        rows.append(cells)
    return table(head, rows)


def offer_table(lists: Sequence[OfferList], language: Language, limit: int) -> str:
    """Dated prices, cheapest per card first."""
    offers = [offer for found in lists for offer in found.offers if offer.usd_per_hour is not None][:limit]
    head = [
        say(("card", "Karte"), language),
        say(("provider, region, instance", "Anbieter, Region, Instanz"), language),
        say(("price", "Preis"), language),
        say(("as of", "Stand"), language),
        say(("availability", "Verfügbarkeit"), language),
    ]
    rows = []
    for offer in offers:
        count = offer.accelerator_count
        name = cards_text(offer.accelerator, int(count)) if float(count).is_integer() else f"{count:g}× {offer.accelerator}"
        available = say(AVAILABILITY[offer.availability.value], language).split()[-1]
        term = say(TERMS[offer.pricing_term.value], language)
        assert offer.usd_per_hour is not None
        amount = f"{price(offer.usd_per_hour, 'USD', language)} {term}"
        rows.append([name, f"{offer.provider}, {offer.region}, {offer.instance}", amount, offer.as_of.isoformat(), available])
    return table(head, rows) if rows else ""
