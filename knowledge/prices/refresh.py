"""A refresh: fetch, take in, guard, and put a new snapshot in force."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from knowledge.catalog import TableCatalog
from knowledge.offer_columns import text_of
from knowledge.prices.changes import changes, longer
from knowledge.prices.fetch import LATER, Fetch, fetch
from knowledge.prices.gpuhunt_source import GpuHunt, NeedsKey
from knowledge.prices.guards import guarded, medians_of
from knowledge.prices.intake import taken_in
from knowledge.prices.listed import ListedPrice, SourceFailed
from knowledge.prices.public_lists import PUBLIC_LISTS, PublicList
from knowledge.prices.reference_rates import ADDRESS as RATES_ADDRESS
from knowledge.prices.reference_rates import rates_text, reference_rates
from knowledge.prices.report import SHOWN, Kept, ProviderReport, RefreshReport
from knowledge.prices.snapshots import SnapshotStore
from knowledge.tables import DATA
from tools.errors import AdvisorError
from tools.offer import ExchangeRate, Offer
from tools.terms import PricingTerm

log = logging.getLogger(__name__)

Lister = Callable[[], Iterable[ListedPrice]]
"""Fetches one provider's price list. Raises SourceFailed."""
Medians = Mapping[tuple[str, PricingTerm], Decimal]
"""US dollars per card and hour by card and term."""
MALFORMED = (AttributeError, KeyError, IndexError, TypeError, ValueError, ArithmeticError)
"""What reading a reply of another shape raises."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where prices come from."""

    public_lists: Mapping[str, PublicList] = field(default_factory=lambda: PUBLIC_LISTS)
    library: GpuHunt = field(default_factory=GpuHunt)
    rates_address: str = RATES_ADDRESS
    get: Fetch = fetch

    def lister(self, provider: str, today: date) -> Lister | None:
        """How to fetch a provider's prices, None where no source has them."""
        if (own := self.public_lists.get(provider)) is not None:
            return lambda: own.read(own.address, self.get, today)
        if self.library.knows(provider):
            return lambda: self.library.prices(provider, today)
        return None


class Refresher:
    """Replaces price lists in the user's copy of the catalog."""

    def __init__(self, data_dir: Path, *, now: datetime | None = None, data: Path = DATA) -> None:
        """`data_dir` is the user's data folder, `data` the tables that ship."""
        self._data = data
        self._store = SnapshotStore(data_dir / "catalog")
        self._data_dir = data_dir
        self._now = now or datetime.now(UTC)

    @property
    def today(self) -> date:
        """Day of the refresh."""
        return self._now.date()

    def refresh(self, providers: Sequence[str] = (), *, sources: Sources | None = None, accept: bool = False) -> RefreshReport:
        """Fetch the named providers, or all; one that fails leaves the others. Raises RefreshRunning, UnknownName, BrokenData."""
        sources = sources or Sources()
        today = self.today
        with self._store.locked():
            catalog = TableCatalog.load(self._data, self._data_dir, private=False)
            wanted = [catalog.provider(name).id for name in providers] or [provider.id for provider in catalog.providers()]
            listers = {id_: sources.lister(id_, today) for id_ in dict.fromkeys(wanted)}
            rates, said = self._rates(catalog, sources)
            return self._replace(catalog, listers, rates, said, accept=accept, told_of_missing=bool(providers))

    def take(self, listers: Mapping[str, Lister], *, accept: bool = False) -> RefreshReport:
        """Replace price lists by those of an import. Raises RefreshRunning, BrokenData."""
        with self._store.locked():
            catalog = TableCatalog.load(self._data, self._data_dir, private=False)
            known = {provider.id for provider in catalog.providers()}
            wanted = {id_: lister if id_ in known else None for id_, lister in listers.items()}
            return self._replace(catalog, wanted, None, "", accept=accept, told_of_missing=True)

    def _rates(self, catalog: TableCatalog, sources: Sources) -> tuple[Sequence[ExchangeRate] | None, str]:
        before = catalog.rates()
        try:
            rates = reference_rates(before, sources.get, sources.rates_address)
        except SourceFailed as error:
            return None, f"kept: {error.message}"
        if {(rate.currency, rate.usd_per_unit, rate.as_of) for rate in rates} == {(r.currency, r.usd_per_unit, r.as_of) for r in before}:
            return None, f"unchanged, of {rates[0].as_of}"
        return rates, f"of {rates[0].as_of}, {len(rates)} currencies"

    def _replace(
        self,
        catalog: TableCatalog,
        listers: Mapping[str, Lister | None],
        rates: Sequence[ExchangeRate] | None,
        said: str,
        *,
        accept: bool,
        told_of_missing: bool,
    ) -> RefreshReport:
        parent = self._store.current_id()
        manifest = None if parent is None else self._store.manifest(parent)
        kept = dict(manifest.providers) if manifest else {}
        if rates is not None:
            catalog = catalog.with_rates(rates)
        everything = catalog.public_offers()
        before: dict[str, list[Offer]] = {}
        for offer in everything:
            before.setdefault(offer.provider, []).append(offer)
        medians = medians_of(everything, catalog.usd_per_hour)
        reports = []
        for provider, lister in listers.items():
            if lister is None:
                if told_of_missing:
                    reports.append(ProviderReport(provider=provider, outcome="no_source", message=NO_SOURCE))
                continue
            report, offers = one_provider(catalog, provider, lister, before.get(provider, []), medians, accept=accept)
            if offers is not None:
                superseded = longer(catalog.superseded(provider), changes(before.get(provider, []), offers).superseded)
                kept[provider] = Kept(
                    file=self._store.keep(text_of(offers)),
                    rows=len(offers),
                    newest=max(offer.as_of for offer in offers),
                    refreshed_at=self._now,
                    history=self._store.keep(text_of(superseded)) if superseded else None,
                )
            reports.append(report)
        result = RefreshReport(at=self._now, providers=reports, rates=said)
        if result.refreshed or rates is not None:
            rates_file = self._store.keep(rates_text(rates)) if rates is not None else (manifest.rates if manifest else None)
            id_ = self._store.commit(kept, rates_file, result, parent=parent, made_at=self._now)
            self._store.prune()
            return result.model_copy(update={"snapshot": id_})
        return result


NO_SOURCE = "No source gives its prices without an account; `advisor catalog import` or a file of your own brings them."


def one_provider(
    catalog: TableCatalog,
    provider: str,
    lister: Lister,
    before: Sequence[Offer],
    medians: Mapping[tuple[str, PricingTerm], Decimal],
    *,
    accept: bool,
) -> tuple[ProviderReport, Sequence[Offer] | None]:
    """Fetch, take in and guard one provider; offers only where the list is replaced. Nothing it raises stops the rest."""
    try:
        listed = list(lister())
    except NeedsKey as error:
        return ProviderReport(provider=provider, outcome="needs_key", message=f"{error.message} {error.hint}", rows=len(before)), None
    except AdvisorError as error:
        return ProviderReport(provider=provider, outcome="failed", message=error.message, rows=len(before)), None
    except MALFORMED as error:
        log.info("price list of %s: %s: %s", provider, type(error).__name__, error)
        message = f"Its price list has a shape this version does not know ({type(error).__name__}). {LATER}"
        return ProviderReport(provider=provider, outcome="failed", message=message, rows=len(before)), None
    intake = taken_in(catalog, listed, before)
    checked = guarded(intake.offers, before, medians, catalog.usd_per_hour, doubted=intake.unread, accept=accept)
    held = [*intake.held, *checked.held]
    facts = {"held_back": len(held), "held": held[:SHOWN], "unknown_cards": intake.unknown_cards}
    if checked.refused:
        return ProviderReport(provider=provider, outcome="refused", message=checked.refused, rows=len(before), **facts), None
    moved = changes(before, checked.offers)
    same = text_of(before) == text_of(checked.offers)
    report = ProviderReport(
        provider=provider,
        outcome="unchanged" if same else "refreshed",
        rows=len(checked.offers),
        new=moved.new,
        gone=moved.gone,
        moved=len(moved.moves),
        moves=moved.shown,
        **facts,
    )
    return report, None if same else checked.offers
