"""Many short runs under each billing step."""

from __future__ import annotations

from advisor.phrasing.providers import STEPS
from advisor.phrasing.tables import table
from advisor.phrasing.view import View
from advisor.phrasing.words import say
from tools.units import decimal_text, hours_text, money_text


def bills_section(view: View) -> str:
    """What starting and stopping costs, step by step; empty where it was not computed."""
    if not view.found.bills:
        return ""
    result = view.found.bills[0]
    language = view.language
    used = hours_text(result["used_hours"], language)
    finest, coarsest = result["bills"][0], result["bills"][-1]
    pair = (
        "**{u} of work are billed as {f} per second, but as {c} per hour**: every start is rounded up, so {i} % of that bill is idle.",
        "**{u} Arbeit kosten sekundengenau {f}, bei stündlicher Abrechnung (pro Stunde) {c}**: Jeder Start wird aufgerundet, {i} % der "
        "Rechnung sind Leerlauf.",
    )
    text = say(
        pair,
        language,
        u=used,
        f=hours_text(finest["billed_hours"], language),
        c=hours_text(coarsest["billed_hours"], language),
        i=decimal_text(100 * coarsest["idle_share"], 0, language),
    )
    priced = any(bill.get("usd") is not None for bill in result["bills"])
    head = [say(("billing", "Abrechnung"), language), say(("billed", "berechnet"), language)] + (["USD"] if priced else [])
    rows = [
        [say(STEPS[bill["billing_step"]], language), hours_text(bill["billed_hours"], language)]
        + ([money_text(bill["usd"], "USD", language)] if priced and bill.get("usd") is not None else [])
        for bill in result["bills"]
    ]
    return f"{text}\n\n{table(head, rows)}"
