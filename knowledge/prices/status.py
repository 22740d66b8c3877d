"""The state of the catalog: how much there is, how old it is, and what the last refresh kept back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from knowledge.catalog import TableCatalog
from knowledge.price_files import PriceFiles
from knowledge.prices.report import RefreshReport
from tools.ageing import is_stale
from tools.base import Value
from tools.offer import Offer, OfferQuery


class ProviderStatus(Value):
    """One provider's price list."""

    provider: str
    """Provider id."""
    offers: int
    """Rows."""
    oldest: date
    """Oldest price."""
    newest: date
    """Newest price."""
    stale_share: float
    """Share of prices older than their kind stays true."""
    origin: str
    """`shipped`, `refreshed`, or `private`."""


class CatalogStatus(Value):
    """The catalog as a whole."""

    today: date
    """Day on which ages are counted."""
    offers: int
    """Prices, private ones included."""
    private_offers: int
    """Prices of the user's own files."""
    providers: int
    """Providers with at least one price."""
    accelerators: int
    """Cards with at least one price."""
    oldest: date | None
    """Oldest price."""
    newest: date | None
    """Newest price."""
    stale_share: float
    """Share of prices older than their kind stays true (a year, 30 days, or a day)."""
    unranked: int
    """Prices in a currency no source states."""
    rates_as_of: date
    """Date of the exchange rates."""
    snapshot: str | None
    """Id of the user's snapshot in force; None where all prices are those that ship."""
    last_refresh: RefreshReport | None
    """What the refresh behind that snapshot did, and what it kept back."""
    by_provider: list[ProviderStatus]
    """Each provider's list."""


def catalog_status(today: date, own: Path | None = None) -> CatalogStatus:
    """Read the catalog in force. Raises DamagedSnapshot, BrokenData."""
    files = PriceFiles(own=own)
    catalog = TableCatalog.load(own=own)
    refreshed = {file.provider for file in files.offers() if file.refreshed}
    records = {provider.id: provider for provider in catalog.providers()}
    offers = catalog.offers(OfferQuery(include_specialised=True))
    by_provider: dict[tuple[str, bool], list[Offer]] = {}
    for offer in offers:
        by_provider.setdefault((offer.provider, offer.private), []).append(offer)

    def stale(among: Sequence[Offer]) -> float:
        return round(sum(is_stale(offer, records.get(offer.provider), today) for offer in among) / len(among), 4) if among else 0.0

    dates = [offer.as_of for offer in offers]
    return CatalogStatus(
        today=today,
        offers=len(offers),
        private_offers=sum(offer.private for offer in offers),
        providers=len({provider for provider, _ in by_provider}),
        accelerators=len({offer.accelerator for offer in offers}),
        oldest=min(dates, default=None),
        newest=max(dates, default=None),
        stale_share=stale(offers),
        unranked=sum(catalog.usd_per_hour(offer) is None for offer in offers),
        rates_as_of=max(rate.as_of for rate in catalog.rates()),
        snapshot=files.snapshot,
        last_refresh=files.manifest.report if files.manifest else None,
        by_provider=[
            ProviderStatus(
                provider=provider,
                offers=len(among),
                oldest=min(offer.as_of for offer in among),
                newest=max(offer.as_of for offer in among),
                stale_share=stale(among),
                origin="private" if private else "refreshed" if provider in refreshed else "shipped",
            )
            for (provider, private), among in sorted(by_provider.items())
        ],
    )


def refreshed_on(status: CatalogStatus) -> datetime | None:
    """When the prices in force were last refreshed."""
    return status.last_refresh.at if status.last_refresh else None
