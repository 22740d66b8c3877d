"""The offers a plan may use: those that pass the caller's conditions, priced in US dollars, with their age."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from functools import lru_cache

from tools.accelerator import Accelerator
from tools.ageing import true_for_days
from tools.arguments import Feature, PlanArguments
from tools.context import Catalog, Context
from tools.errors import InvalidArguments, MissingFact, NoPlanFound
from tools.offer import Offer, OfferQuery
from tools.plan.features import lacks
from tools.plan.price_notes import note_kinds
from tools.provider import Provider
from tools.terms import Availability, Interconnect, Network, PricingTerm

OWN = "own"
"""Provider id of machines at the caller's own price."""

OLD_DAYS = 365
"""A price older than a year never ranks first over a younger one."""
OLD_DAYS_VOLATILE = 180
"""The same for prices that hold for a day only, on spot and on marketplaces: half a year later they say little."""
FULL_NODE = 8
"""Cards in a machine of the caller's own, where more are named and nothing is said of machines."""
OFFERS_PER_MACHINES = 3
"""Cheapest offers, of different providers, that are worked out for the same machines, term and age class."""
UNPLACED = frozenset({"global", "unspecified"})
"""Regions under which sources list prices without saying where the machine stands: they pass no region that a caller names."""
FEW_SELLERS = 3
"""A card that fewer providers sell than this is seldom to be had, and stands behind the others unless it was named."""


@dataclass(frozen=True, slots=True)
class PricedOffer:
    """An offer with what ranking needs of it."""

    offer: Offer
    usd_per_hour: Decimal
    """Whole instance."""
    age_days: int
    stale: bool
    provider: Provider | None
    """None for own machines and for providers without a record."""
    old: bool = False
    """So old that any younger price goes before it."""
    scarce: bool = False
    """Its card, which the caller did not name, is sold by few."""
    notes: tuple[str, ...] = ()
    """Kinds of note beside the price."""

    @property
    def spot(self) -> bool:
        """Whether it may be interrupted."""
        return self.offer.pricing_term is PricingTerm.SPOT

    @property
    def cards(self) -> int:
        """Cards in the instance."""
        return int(self.offer.accelerator_count)


@dataclass(frozen=True, slots=True)
class Shelf:
    """Offers of machines alike: the few of them worth working out, and what all have in common."""

    accelerator: str
    cards: int
    interconnect: Interconnect
    network: Network
    network_gbps: float | None
    offers: tuple[PricedOffer, ...]


@dataclass(frozen=True, slots=True)
class Market:
    """What is on sale under the caller's conditions."""

    shelves: tuple[Shelf, ...]
    considered: int
    """Offers looked at."""
    unpriced: int
    """Offers left out because their currency is unknown."""
    unplaced: int = 0
    """Offers left out because no source states where they stand, and the caller asked for a region."""

    @property
    def offers(self) -> tuple[PricedOffer, ...]:
        """Everything on the shelves."""
        return tuple(priced for shelf in self.shelves for priced in shelf.offers)


@dataclass(frozen=True, slots=True)
class Conditions:
    """What narrows the market; hashable, so that the same market is not opened twice."""

    name: str | None
    """The card or machine type as the caller wrote it."""
    cards: tuple[str, ...]
    """Accelerator ids the name may mean; empty where none was named."""
    region: str | None
    provider: str | None
    pricing_term: PricingTerm | None
    consumer_ok: bool
    features: tuple[Feature, ...]

    @classmethod
    def of(cls, arguments: PlanArguments, cards: Sequence[Accelerator]) -> Conditions:
        """Those of the arguments; a desktop card that was named may appear whatever `consumer_ok` says."""
        name = arguments.accelerator
        ids = tuple(card.id for card in cards) if name else ()
        features = tuple(sorted(arguments.features or ()))
        return cls(
            name, ids, arguments.region, arguments.provider, arguments.pricing_term, arguments.consumer_ok or name is not None, features
        )


def open_market(ctx: Context, arguments: PlanArguments, cards: Sequence[Accelerator]) -> Market:
    """Offers that pass; raises NoPlanFound naming the condition that emptied the list, MissingFact for a price without a card."""
    if arguments.usd_per_hour is not None:
        return _own(ctx, arguments, cards)
    conditions = Conditions.of(arguments, cards)
    market = _shelf(ctx.catalog, ctx.today, conditions)  # type: ignore[arg-type]  # a loaded catalog is hashed by identity
    if not market.considered:
        raise _emptied(ctx.catalog, conditions)
    if not market.shelves:
        raise NoPlanFound(
            f"All {market.unpriced} matching offers are priced in an unknown currency, so they cannot be ranked.",
            "Widen region, provider or pricing_term, or give your own price with usd_per_hour.",
        )
    return market


@lru_cache(maxsize=64)
def _shelf(catalog: Catalog, today: date, conditions: Conditions) -> Market:
    """The market under some conditions; a loaded catalog does not change, a refreshed one is another object."""
    found, considered = _matching(catalog, conditions)
    records = {provider.id: provider for provider in catalog.providers()}
    sellers = catalog.sellers()
    offers, unpriced = [], 0
    for offer in found:
        usd = catalog.usd_per_hour(offer)
        if usd is None:
            unpriced += 1
            continue
        scarce = conditions.name is None and sellers[offer.accelerator] < FEW_SELLERS
        offers.append(_priced(offer, usd, records.get(offer.provider), today, scarce))
    unplaced = 0
    if conditions.region is not None:
        anywhere, _ = _matching(catalog, replace(conditions, region=None))
        unplaced = sum(1 for offer in anywhere if offer.region in UNPLACED and offer.country == "unknown")
    return Market(shelved(offers), considered, unpriced, unplaced)


def shelved(offers: Iterable[PricedOffer]) -> tuple[Shelf, ...]:
    """Offers by machines alike; of each the few worth working out."""
    shelves: dict[tuple[str, int, Interconnect, Network, float | None], list[PricedOffer]] = defaultdict(list)
    for priced in offers:
        network = priced.provider.network if priced.provider else Network.UNKNOWN
        gbps = priced.provider.network_gbps if priced.provider else None
        shelves[(priced.offer.accelerator, priced.cards, priced.offer.interconnect, network, gbps)].append(priced)
    return tuple(Shelf(*machine, tuple(cheapest_of(group))) for machine, group in shelves.items())


def cheapest_of(group: Sequence[PricedOffer]) -> list[PricedOffer]:
    """The few offers of machines alike worth working out: by term and age class the cheapest of each provider."""
    best: dict[tuple[object, ...], PricedOffer] = {}
    for priced in group:
        key = (priced.offer.pricing_term, priced.old, priced.offer.provider)
        if key not in best or priced.usd_per_hour < best[key].usd_per_hour:
            best[key] = priced
    classes: dict[tuple[object, ...], list[PricedOffer]] = defaultdict(list)
    for (term, old, _), priced in best.items():
        classes[(term, old)].append(priced)
    kept: list[PricedOffer] = []
    for members in classes.values():
        kept += sorted(members, key=lambda priced: (priced.usd_per_hour, priced.stale))[:OFFERS_PER_MACHINES]
    return kept


def _priced(offer: Offer, usd: Decimal, provider: Provider | None, today: date, scarce: bool) -> PricedOffer:
    age, holds = offer.age_days(today), true_for_days(offer.pricing_term, provider)
    old = age > (OLD_DAYS_VOLATILE if holds <= 1 else OLD_DAYS)
    return PricedOffer(offer, usd, age, age > holds, provider, old, scarce, note_kinds(offer.notes))


def _matching(catalog: Catalog, conditions: Conditions) -> tuple[list[Offer], int]:
    """Offers that pass, the cheapest region of each kind of machine alone, and how many passed in all."""
    machine = _machine_type(catalog, conditions.name)
    query = OfferQuery(
        accelerators=conditions.cards,
        pricing_term=conditions.pricing_term,
        providers=_able(catalog, conditions),
        region=conditions.region,
        consumer_ok=conditions.consumer_ok,
        include_specialised=conditions.name is not None,
        one_per_shape=machine is None,
    )
    considered = len(catalog.offers(query.model_copy(update={"one_per_shape": False})))
    if conditions.pricing_term is None:
        considered -= len(catalog.offers(query.model_copy(update={"one_per_shape": False, "pricing_term": PricingTerm.RESERVED})))
    passing = [
        offer
        for offer in catalog.offers(query)
        if float(offer.accelerator_count).is_integer()
        and (machine is None or _plain(offer.instance) == machine)
        and (conditions.pricing_term is not None or offer.pricing_term is not PricingTerm.RESERVED)
    ]
    return passing, considered if machine is None else len(passing)


NOBODY = "-"
"""No provider's id."""


def _able(catalog: Catalog, conditions: Conditions) -> tuple[str, ...]:
    """Providers that may sell; empty where any may."""
    named = (catalog.provider(conditions.provider).id,) if conditions.provider else ()
    if not conditions.features:
        return named
    able = {provider.id for provider in catalog.providers() if not lacks(provider, conditions.features)}
    return tuple(sorted(able.intersection(named) if named else able)) or (NOBODY,)


def _machine_type(catalog: Catalog, name: str | None) -> str | None:
    """The machine type a name stands for (`g5.12xlarge`), None where it names a card."""
    return _plain(name) if name and catalog.instance_accelerator(name) is not None else None


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


NO_CONDITION: dict[str, object] = {"features": (), "region": None, "provider": None, "pricing_term": None, "consumer_ok": True}
"""Condition -> the value under which it narrows nothing."""


def _emptied(catalog: Catalog, conditions: Conditions) -> NoPlanFound:
    """Which single condition, left out, would bring offers back."""
    guilty = []
    for name, free in NO_CONDITION.items():
        value = getattr(conditions, name)
        if value != free and _matching(catalog, replace(conditions, **{name: free}))[0]:  # type: ignore[arg-type]  # the table's values fit
            guilty.append(f"{name} = {', '.join(value) if isinstance(value, tuple) else value}")
    what = f" for {conditions.name}" if conditions.name else ""
    if guilty:
        return NoPlanFound(f"No offer{what} passes {' or '.join(guilty)}; without it there are some.", "Drop that condition or widen it.")
    if conditions.name and not _matching(catalog, replace(conditions, **NO_CONDITION))[0]:  # type: ignore[arg-type]  # as above
        return NoPlanFound(
            f"The catalog holds no offer for {conditions.name}.",
            "Name another card, or give your own price with usd_per_hour.",
        )
    return NoPlanFound(f"No offer{what} passes all conditions together.", "Leave out region, provider, pricing_term or features.")


def _own(ctx: Context, arguments: PlanArguments, cards: Sequence[Accelerator]) -> Market:
    if not arguments.accelerator or not cards:
        raise MissingFact("accelerator", "A price of your own needs the card it is for.", "Say which accelerator, and how many.")
    if len(cards) > 1 and cards[0].form_stated:
        names = ", ".join(card.id for card in cards)
        raise InvalidArguments(f"'{arguments.accelerator}' names several cards: {names}.", "Say which one your price is for.")
    price = arguments.usd_per_hour
    assert price is not None
    count = arguments.accelerator_count or 1
    nodes = arguments.nodes or (count // FULL_NODE if count > FULL_NODE and count % FULL_NODE == 0 else 1)
    term = arguments.pricing_term or PricingTerm.ON_DEMAND
    card = cards[0]  # the record of unstated form, which has the slower figures, comes first
    offer = Offer(
        provider=OWN,
        region="own",
        instance=f"{count // nodes}x {card.id}",
        accelerator=card.id,
        accelerator_count=count // nodes,
        interconnect=arguments.interconnect or (Interconnect.NONE if count == 1 else card.interconnect),
        pricing_term=term,
        price_per_hour=price / nodes,
        currency="USD",
        as_of=ctx.today,
        availability=Availability.AVAILABLE,
        source="your own price",
    )
    return Market(shelved([PricedOffer(offer, price / nodes, 0, False, None)]), 1, 0)
