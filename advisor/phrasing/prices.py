"""Plans and offers in an answer: the table, the dates behind it, and where the prices come from."""

from __future__ import annotations

from datetime import date

from advisor.phrasing.comparison import comparison_plans
from advisor.phrasing.escape import quoted
from advisor.phrasing.figures import cards_text, hours_range, money, price
from advisor.phrasing.found import Job
from advisor.phrasing.german import in_language
from advisor.phrasing.tables import offer_table, plan_table
from advisor.phrasing.unknown import failures
from advisor.phrasing.view import View
from advisor.phrasing.words import TERMS, say
from tools.estimate import Citation
from tools.offer_results import OfferRow
from tools.results import Plan, PlanOffer
from tools.terms import PricingTerm

SPOT_NOTE = (
    "Spot only with checkpoints kept outside the instance and a script that resumes.",
    "Spot nur mit Checkpoints außerhalb der Instanz und einem Skript, das fortsetzt.",
)


def all_plans(view: View) -> list[Plan]:
    """Plans of all calls; where several alternatives were planned, the best of each comes first."""
    lists = [result.plans for _, result in view.found.plans] or [comparison_plans(view)]
    if len(lists) < 2:
        return lists[0] if lists else []
    depth = max(len(plans) for plans in lists)
    return [plans[index] for index in range(depth) for plans in lists if index < len(plans)]


def plan_section(view: View, limit: int) -> str:
    """The best plans as a table with their dates; what nearly worked where nothing did."""
    if view.found.comparisons:
        return ""  # the comparison has its own table
    plans = all_plans(view)
    if not plans:
        return _near_misses(view)
    shown = plans[:limit]
    marks = {plan.offer.source: view.cites.mark(_price_source(plan.offer)) for plan in shown}
    line = say(("Sources of the prices: {m}.", "Quellen der Preise: {m}."), view.language, m=" ".join(dict.fromkeys(marks.values())))
    spot = say(SPOT_NOTE, view.language) if any(plan.offer.pricing_term is PricingTerm.SPOT for plan in shown) else ""
    if spot:
        line = f"{line} {spot}"
    return f"{plan_table(shown, view.language)}\n\n{dates_line(view, [plan.offer.as_of for plan in shown])} {line}"


def best_plan_sentence(view: View) -> str:
    """The first plan in one sentence, for questions about money."""
    plans = all_plans(view)
    if not plans or view.found.comparisons:
        return ""
    plan, language = plans[0], view.language
    offer = plan.offer
    values = {
        "c": cards_text(plan.accelerator, plan.accelerator_count),
        "p": offer.provider_name,
        "r": offer.region,
        "u": price(offer.usd_per_hour, "USD", language),
        "t": say(TERMS[offer.pricing_term.value], language),
    }
    if plan.cost is None or plan.hours is None:
        pair = (
            "**Cheapest by the hour of what carries it: {c} at {p}, {r}, for {u} {t}.**",
            "**Am günstigsten je Stunde von allem, was reicht: {c} bei {p}, {r}, für {u} {t}.**",
        )
        return say(pair, language, **values)
    pair = (
        "**About {m} for the finished run**: {c} at {p}, {r}, for {u} {t}, in {h}.",
        "**Rund {m} für den fertigen Lauf**: {c} bei {p}, {r}, für {u} {t}, in {h}.",
    )
    return say(pair, language, **values, m=money(plan.cost, language), h=hours_range(plan.hours, language))


def offer_section(view: View, limit: int) -> str:
    """Dated prices where no job is known."""
    lists = [found for _, found in view.found.offers]
    offers = [offer for found in lists for offer in found.offers if offer.usd_per_hour is not None][:limit]
    if not offers:
        return _nothing_there(view) if lists else ""
    there = [found for arguments, found in view.found.offers if _narrow(arguments)]
    note = f"{_nothing_there(view)}\n\n" if there and not any(found.offers for found in there) else _cheapest(view, offers[0])
    marks = [
        view.cites.mark(
            Citation(id=f"price:{offer.source}", title=f"{offer.provider}: price list", source=offer.source, as_of=str(offer.as_of))
        )
        for offer in offers
    ]
    line = say(("Sources of the prices: {m}.", "Quellen der Preise: {m}."), view.language, m=" ".join(dict.fromkeys(marks)))
    return f"{note}{offer_table(lists, view.language, limit)}\n\n{dates_line(view, [offer.as_of for offer in offers])} {line}"


def _narrow(arguments: Job) -> bool:
    return "region" in arguments or "provider" in arguments


def _cheapest(view: View, offer: OfferRow) -> str:
    """The first offer in a sentence."""
    assert offer.usd_per_hour is not None
    count = int(offer.accelerator_count) if float(offer.accelerator_count).is_integer() else 1
    values = {
        "c": cards_text(offer.accelerator, count),
        "p": offer.provider,
        "u": price(offer.usd_per_hour, "USD", view.language),
        "t": say(TERMS[offer.pricing_term.value], view.language),
        "d": offer.as_of.isoformat(),
    }
    if len({row.accelerator for _, found in view.found.offers for row in found.offers}) > 3:
        return ""
    pair = (
        "**From {u} {t}** for {c} ({p}, {d}); these are the cheapest offers in the catalog.\n\n",
        "**Ab {u} {t}** für {c} ({p}, {d}); das sind die günstigsten Angebote im Katalog.\n\n",
    )
    return say(pair, view.language, **values)


def _nothing_there(view: View) -> str:
    """That the catalog has no offer at the place or provider asked for."""
    places = [str(arguments[name]) for arguments, _ in view.found.offers for name in ("provider", "region") if name in arguments]
    if not places:
        return say(("The catalog has no such offer.", "Dazu hat der Katalog kein Angebot."), view.language)
    pair = (
        "The catalog has no such offer for {x}; I know no price there. Elsewhere:",
        "Für {x} hat der Katalog kein solches Angebot, einen Preis dort kenne ich nicht. Anderswo:",
    )
    return say(pair, view.language, x=", ".join(dict.fromkeys(quoted(place) for place in places)))


def dates_line(view: View, dates: list[date]) -> str:
    """From when the prices are, and what is not in them."""
    oldest, newest = min(dates).isoformat(), max(dates).isoformat()
    if oldest == newest:
        pair = (
            "Prices as of {a}, a dated snapshot, VAT not included.",
            "Preise vom {a}, eine datierte Momentaufnahme ohne Mehrwertsteuer.",
        )
        return say(pair, view.language, a=oldest)
    pair = (
        "Prices from {a} to {b}, dated snapshots, VAT not included.",
        "Preise vom {a} bis {b}, datiert und ohne Mehrwertsteuer.",
    )
    return say(pair, view.language, a=oldest, b=newest)


def _near_misses(view: View) -> str:
    if any(result.tool == "plan_job" for result, _ in view.found.errors):
        return failures(view)
    misses = [miss for _, result in view.found.plans for miss in result.near_misses][:3]
    if not misses:
        return ""
    head = say(("**No offer meets all conditions.** Nearest:", "**Kein Angebot erfüllt alle Bedingungen.** Am nächsten:"), view.language)
    lines = []
    for miss in misses:
        told = [in_language(part, view.language) for part in (miss.missing, miss.remedy) if part]
        lines.append(f"- {cards_text(miss.accelerator, miss.accelerator_count)}: {'; '.join(told)}")
    return "\n".join([head, *lines])


def _price_source(offer: PlanOffer) -> Citation:
    return Citation(
        id=f"price:{offer.source}", title=f"{offer.provider_name}: price list", source=offer.source, as_of=offer.as_of.isoformat()
    )
