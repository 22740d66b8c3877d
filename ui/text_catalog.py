"""State and changes of the price catalog as text."""

from __future__ import annotations

from collections.abc import Sequence

from knowledge.prices.report import ProviderReport, RefreshReport
from knowledge.prices.status import CatalogStatus
from tools.offer import Offer
from ui.text_table import items, pairs, section, table

LISTED = 10
"""Most rows of a kind that the text shows; `--json` has more."""
NOTHING = "Nothing was fetched; the prices so far stay in force. Is there a network?"
REFRESH = "`advisor catalog refresh` fetches new prices."


def status_text(status: CatalogStatus) -> list[str]:
    """Lines of the state."""
    facts = {
        "offers": f"{status.offers:,} of {status.providers} providers, {status.accelerators} cards",
        "private": f"{status.private_offers:,} of your own" if status.private_offers else "",
        "prices of": f"{status.oldest} to {status.newest}",
        "older than their kind stays true": f"{status.stale_share:.0%}",
        "not ranked": f"{status.unranked:,} (no source states the currency)" if status.unranked else "",
        "exchange rates of": str(status.rates_as_of),
        "snapshot": status.snapshot[:12] if status.snapshot else "none: the prices that ship",
    }
    rows = [
        [each.provider, f"{each.offers:,}", str(each.oldest), str(each.newest), f"{each.stale_share:.0%}", each.origin]
        for each in status.by_provider
    ]
    last = refresh_text(status.last_refresh) if status.last_refresh else [f"Never refreshed. {REFRESH}"]
    return [
        *pairs(facts),
        "",
        *table(["provider", "offers", "oldest", "newest", "too old", "origin"], rows, right=(1, 4)),
        *section("Last refresh", last),
    ]


def refresh_text(report: RefreshReport) -> list[str]:
    """Lines of a change report."""
    rows = [
        [each.provider, each.outcome, *(f"{number:,}" for number in (each.rows, each.new, each.gone, each.moved, each.held_back))]
        for each in report.providers
    ]
    lines = [f"{report.at:%Y-%m-%d %H:%M} UTC: {report.refreshed} of {len(report.providers)} price lists replaced"]
    if report.rates:
        lines.append(f"exchange rates: {report.rates}")
    lines += ["", *table(["provider", "outcome", "rows", "new", "gone", "moved", "kept back"], rows, right=(2, 3, 4, 5, 6))]
    for title, told in (("Not refreshed", _told), ("Prices that moved", _moves), ("Kept back", _held), ("Unknown cards", _unknown)):
        lines += section(title, items(line for each in report.providers for line in told(each)))
    if not any(each.outcome in ("refreshed", "unchanged") for each in report.providers):
        lines += ["", NOTHING]
    return lines


def _told(report: ProviderReport) -> list[str]:
    return [f"{report.provider}: {report.message}"] if report.message else []


def _moves(report: ProviderReport) -> list[str]:
    return [
        f"{report.provider} {move.instance}, {move.region}, {move.pricing_term}: {move.before} -> {move.after} {move.currency}"
        f" ({move.percent:+.0f} % since {move.before_as_of})"
        for move in report.moves[:LISTED]
    ]


def _held(report: ProviderReport) -> list[str]:
    return [f"{report.provider} {row.instance}, {row.region}: {row.price_per_hour}: {row.reason}" for row in report.held[:LISTED]]


def _unknown(report: ProviderReport) -> list[str]:
    return [f"{report.provider}: '{card}' ({rows} rows wait)" for card, rows in sorted(report.unknown_cards.items())[:LISTED]]


def history_text(series: Sequence[tuple[Offer, Sequence[Offer]]]) -> list[str]:
    """Lines of price histories: each offer with its earlier prices, oldest first."""
    rows = [
        [
            offer.provider,
            offer.region,
            offer.instance,
            offer.pricing_term.value,
            ", ".join(f"{each.price_per_hour} ({each.as_of})" for each in [*past, offer]),
            offer.currency,
        ]
        for offer, past in series
    ]
    return table(["provider", "region", "instance", "term", "price of the instance an hour", "currency"], rows)
