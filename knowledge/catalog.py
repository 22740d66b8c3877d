"""Accelerators, providers, offers and rates from tables, held in memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from pathlib import Path

from knowledge.card_names import CardNames
from knowledge.names import AliasIndex, normal
from knowledge.offer_columns import OfferColumns, offers_of
from knowledge.offer_index import OfferIndex
from knowledge.price_files import PriceFiles, catalog_version
from knowledge.private_offers import private_offers, without_record
from knowledge.provider_facts import provider_records
from knowledge.regions import Regions
from knowledge.tables import DATA, read_jsonl
from tools.accelerator import Accelerator
from tools.errors import AmbiguousName, UnknownName
from tools.offer import ExchangeRate, Offer, OfferKey, OfferQuery, offer_key
from tools.provider import Provider


@dataclass(frozen=True, slots=True)
class Tables:
    """What a catalog is made of."""

    accelerators: Sequence[Accelerator]
    providers: Sequence[Provider]
    read_offers: Callable[[], Sequence[Offer] | OfferColumns]
    rates: Sequence[ExchangeRate]
    regions: Regions
    history: Callable[[str], Sequence[Offer]] = lambda provider: ()
    """Superseded prices of a provider."""


class TableCatalog:
    """Implements `tools.context.Catalog` over tables that are read once."""

    def __init__(self, tables: Tables) -> None:
        """Index the tables. Offers are read when first asked for: describing and estimating need none of the thousands."""
        self._accelerators = {card.id: card for card in tables.accelerators}
        self._providers = {provider.id: provider for provider in tables.providers}
        self._rates = {rate.currency: rate for rate in tables.rates}
        self._regions = tables.regions
        self._card_names = CardNames(tables.accelerators)
        self._card_aliases = AliasIndex((card.id, card.aliases) for card in tables.accelerators)
        self._provider_aliases = AliasIndex((p.id, (p.display_name, *p.aliases)) for p in tables.providers)
        self._read_offers = tables.read_offers
        self._private: Sequence[Offer] = ()
        self.version = ""
        """What of the user's folder is in it; another version on the disk means that there are newer prices."""
        self._read_history = tables.history
        self._tables = tables
        self._history: dict[str, dict[OfferKey, list[Offer]]] = {}

    @cached_property
    def _offers(self) -> OfferIndex:
        """All offers, cheapest per card first. Raises BrokenData where one names a card that no table has."""
        read = self._read_offers()
        columns = read if isinstance(read, OfferColumns) else OfferColumns()
        if not isinstance(read, OfferColumns):
            columns.add_offers(read)
        columns.add_offers(self._private)
        usd = {"USD": 1.0} | {currency: float(rate.usd_per_unit) for currency, rate in self._rates.items()}
        return OfferIndex(columns, self._accelerators, usd)

    @cached_property
    def _instances(self) -> dict[str, set[tuple[str, float]]]:
        """Machine type -> what it may be; one that is spelled like a card means the card."""
        found: dict[str, set[tuple[str, float]]] = {}
        for name, cards in self._offers.instances().items():
            if not self._card_names.candidates(name):
                found.setdefault(normal(name), set()).update(cards)
        return found

    @classmethod
    def load(cls, data: Path = DATA, own: Path | None = None, *, private: bool = True) -> TableCatalog:
        """Read the tables that ship, and of the user's folder `own` refreshed prices and private offers. Raises BrokenData."""
        regions = Regions.load(data)
        version = catalog_version(own)
        files = PriceFiles(data, own)

        def read() -> OfferColumns:
            columns = OfferColumns()
            for file in files.offers():
                columns.add_text(file.provider, file.text, regions)
            return columns

        def past(provider: str) -> Sequence[Offer]:
            text = files.history(provider)
            return () if text is None else offers_of(provider, text, regions)

        catalog = cls(
            Tables(
                accelerators=read_jsonl(data / "accelerators.jsonl", Accelerator),
                providers=provider_records(data),
                read_offers=read,
                rates=files.rates(),
                regions=regions,
                history=past,
            )
        )
        catalog.version = version
        if own and private:
            catalog._add(private_offers(own, regions, catalog.accelerator, catalog._provider_id))
        return catalog

    def _add(self, private: Sequence[Offer]) -> None:
        """Offers of the user's own, before any question is answered."""
        self._private = private
        self._providers |= {provider.id: provider for provider in without_record(private, set(self._providers))}
        self._provider_aliases = AliasIndex((p.id, (p.display_name, *p.aliases)) for p in self._providers.values())

    def _provider_id(self, name: str) -> str:
        """Id of a provider by any alias; a name nobody knows is an id of its own."""
        found = self._provider_aliases.lookup(name)
        return found[0] if len(found) == 1 else name

    def accelerators(self) -> Sequence[Accelerator]:
        """All accelerators."""
        return tuple(self._accelerators.values())

    def accelerator(self, name: str) -> Accelerator:
        """One accelerator by any alias. Raises UnknownName or AmbiguousName.

        A name that leaves only the form factor open means the record of unstated form, which has the slower figures.
        """
        exact = self._card_aliases.lookup(name)
        if len(exact) == 1:
            return self._accelerators[exact[0]]
        found = self.accelerator_candidates(name)
        unstated = [card for card in found if not card.form_stated]
        if len(found) == 1:
            return found[0]
        if len(unstated) == 1 and len({card.memory_label_gb for card in found}) == 1:
            return unstated[0]
        raise AmbiguousName("accelerator", name, [card.id for card in found])

    def accelerator_candidates(self, name: str) -> Sequence[Accelerator]:
        """Every accelerator a name may mean, that of unstated form first. Raises UnknownName."""
        exact = self._card_aliases.lookup(name)
        found = self._card_names.candidates(name)
        if not found or (len(exact) == 1 and exact[0] not in found):
            found = exact  # a spelling that names a special part outright
        if not found and (instance := self.instance_accelerator(name)):
            found = (instance[0],)
        if not found:
            raise UnknownName("accelerator", name, self._card_aliases.suggest(name))
        return tuple(sorted((self._accelerators[id_] for id_ in found), key=lambda card: card.form_stated))

    def providers(self) -> Sequence[Provider]:
        """All provider records."""
        return tuple(self._providers.values())

    def provider(self, name: str) -> Provider:
        """One provider by any alias. Raises UnknownName."""
        found = self._provider_aliases.lookup(name)
        if len(found) == 1:
            return self._providers[found[0]]
        raise UnknownName("provider", name, found or self._provider_aliases.suggest(name))

    def offers(self, query: OfferQuery) -> Sequence[Offer]:
        """Offers that match: private ones first, then cheapest per accelerator and hour, those of unknown currency last."""
        inside = self._regions.predicate(query.region) if query.region else None
        return self._offers.matching(query, inside)

    def sellers(self) -> Mapping[str, int]:
        """Accelerator id -> how many providers offer it."""
        return self._offers.sellers

    def public_offers(self) -> Sequence[Offer]:
        """All offers but the user's own, specialised chips and slices included."""
        return [offer for offer in self._offers.everything if not offer.private]

    def superseded(self, provider: str) -> Sequence[Offer]:
        """All earlier prices of a provider."""
        return self._read_history(provider)

    def history(self, offer: Offer) -> Sequence[Offer]:
        """Earlier prices of the same offer, oldest first; empty where none is known."""
        if offer.private:
            return ()
        if offer.provider not in self._history:
            past: dict[OfferKey, list[Offer]] = {}
            for each in self._read_history(offer.provider):
                past.setdefault(offer_key(each), []).append(each)
            self._history[offer.provider] = past
        return sorted(self._history[offer.provider].get(offer_key(offer), ()), key=lambda each: each.as_of)

    def rates(self) -> Sequence[ExchangeRate]:
        """All dated rates."""
        return tuple(self._rates.values())

    def with_rates(self, rates: Sequence[ExchangeRate]) -> TableCatalog:
        """The same catalog under other rates."""
        return TableCatalog(replace(self._tables, rates=rates))

    def rate(self, currency: str) -> ExchangeRate:
        """The dated rate of a currency. Raises UnknownName."""
        found = self._rates.get(currency.upper())
        if found is None:
            raise UnknownName("currency", currency, sorted(self._rates))
        return found

    def usd_per_hour(self, offer: Offer) -> Decimal | None:
        """Price of the whole instance in US dollars; None where the currency is unknown."""
        if offer.currency == "USD":
            return offer.price_per_hour
        rate = self._rates.get(offer.currency)
        return None if rate is None else offer.price_per_hour * rate.usd_per_unit

    def instance_accelerator(self, instance: str) -> tuple[str, float] | None:
        """(accelerator id, count) of a machine type such as `g5.12xlarge`, or None."""
        found = self._instances.get(normal(instance))
        return next(iter(found)) if found and len(found) == 1 else None

    def regions(self) -> Regions:
        """Countries of regions."""
        return self._regions
