"""The user's own alternatives side by side, by the finished run."""

from __future__ import annotations

from typing import Any

from advisor.phrasing.figures import hours_short, money, price
from advisor.phrasing.found import typed
from advisor.phrasing.tables import table
from advisor.phrasing.view import View
from advisor.phrasing.words import say
from tools.estimate import Citation
from tools.results import Plan
from tools.units import decimal_text


def comparison_section(view: View) -> str:
    """Who is cheapest and fastest, and a row for each; empty where nothing was compared."""
    if not view.found.comparisons:
        return ""
    result = view.found.comparisons[0]
    language = view.language
    rows = [row for row in result.get("rows", []) if row.get("plan")]
    if not rows:
        return ""
    plans = [typed(Plan, row["plan"]) for row in rows]
    timed = all(plan.hours is not None and plan.cost is not None for plan in plans)
    ratio = ("cost ratio", "Kostenverhältnis") if timed else ("price per token, ratio", "Preis je Token, Verhältnis")
    head = [say(("alternative", "Alternative"), language), say(("price", "Preis"), language), say(("as of", "Stand"), language)]
    head += [say(("time", "Dauer"), language), say(("finished run", "fertiger Lauf"), language)] if timed else []
    head.append(say(ratio, language))
    body = []
    for row, plan in zip(rows, plans, strict=True):
        cells = [
            str(row["name"]),
            _price(plan, view),
            _date(plan),
        ]
        if timed and plan.hours and plan.cost:
            cells += [hours_short(plan.hours, language), money(plan.cost, language)]
        cells.append("–" if row.get("cost_ratio") is None else decimal_text(row["cost_ratio"], 2, language))
        body.append(cells)
    return f"{_sentence(view, result)}\n\n{table(head, body)}\n\n{_sources(view, plans)}"


def _price(plan: Plan, view: View) -> str:
    whose = say(("your price", "Ihr Preis"), view.language) if plan.offer.provider == "own" else plan.offer.provider_name
    return f"{price(plan.offer.usd_per_hour, 'USD', view.language)} ({whose})"


def _date(plan: Plan) -> str:
    return "–" if plan.offer.provider == "own" else plan.offer.as_of.isoformat()


def comparison_plans(view: View) -> list[Plan]:
    """Plans of the alternatives that run, cheapest finished run first."""
    rows = [row for result in view.found.comparisons for row in result.get("rows", []) if row.get("plan")]
    return [typed(Plan, row["plan"]) for row in sorted(rows, key=lambda row: row.get("cost_ratio") or float("inf"))]


def _sentence(view: View, result: dict[str, Any]) -> str:
    names = {"c": result.get("cheapest"), "f": result.get("fastest")}
    if result.get("alike"):
        pair = (
            "**The two cheapest are alike within the drift of prices;** fastest is {f}.",
            "**Die beiden günstigsten liegen innerhalb der Preisschwankung gleichauf;** am schnellsten ist {f}.",
        )
    elif names["c"] == names["f"]:
        pair = ("**{c} is both cheaper and faster per finished run.**", "**{c} ist je fertigem Lauf günstiger und schneller.**")
    else:
        pair = ("**{c} is cheaper per finished run, {f} is faster.**", "**{c} ist je fertigem Lauf günstiger, {f} ist schneller.**")
    return say(pair, view.language, **names)


def _sources(view: View, plans: list[Plan]) -> str:
    marks = [
        view.cites.mark(
            Citation(
                id=f"price:{plan.offer.source}",
                title=f"{plan.offer.provider_name}: price list",
                source=plan.offer.source,
                as_of=plan.offer.as_of.isoformat(),
            )
        )
        for plan in plans
    ]
    return say(
        ("Sources of the prices: {m}; VAT not included.", "Quellen der Preise: {m}; ohne Mehrwertsteuer."),
        view.language,
        m=" ".join(dict.fromkeys(marks)),
    )
