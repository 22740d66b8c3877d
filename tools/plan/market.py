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
from tools.terms import Availability, Interconnect, PricingTerm

OWN = "own"
"""Provider id of machines at the caller's own price."""

OLD_DAYS = 365
"""A price older than a year never ranks first over a younger one."""
OLD_DAYS_VOLATILE = 180
"""The same for prices that hold for a day only, on spot and on marketplaces: half a year later they say little."""
FULL_NODE = 8
"""Cards in a machine of the caller's own, where more are named and nothing is said of machines."""
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
class Market:
    """What is on sale under the caller's conditions."""

    offers: tuple[PricedOffer, ...]
    considered: int
    """Offers looked at."""
    unpriced: int
    """Offers left out because their currency is unknown."""


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
    if not market.offers:
        raise NoPlanFound(
            f"All {market.unpriced} matching offers are priced in an unknown currency, so they cannot be ranked.",
            "Widen region, provider or pricing_term, or give your own price with usd_per_hour.",
        )
    return market


@lru_cache(maxsize=64)
def _shelf(catalog: Catalog, today: date, conditions: Conditions) -> Market:
    """The market under some conditions; a loaded catalog does not change, a refreshed one is another object."""
    found = _matching(catalog, conditions)
    records = {provider.id: provider for provider in catalog.providers()}
    sellers = sellers_of(catalog)  # type: ignore[arg-type]  # as above
    offers, unpriced = [], sum(1 for offer in found if offer.currency == "unknown")
    for offer in _cheapest_regions(found):
        usd = catalog.usd_per_hour(offer)
        if usd is None:
            continue
        scarce = conditions.name is None and sellers[offer.accelerator] < FEW_SELLERS
        offers.append(_priced(offer, usd, records.get(offer.provider), today, scarce))
    return Market(tuple(offers), len(found), unpriced)


@lru_cache(maxsize=4)
def sellers_of(catalog: Catalog) -> dict[str, int]:
    """How many providers sell each card: no price list says what is in stock, but few sellers mean little to choose from."""
    sellers: dict[str, set[str]] = defaultdict(set)
    for offer in catalog.offers(OfferQuery(include_specialised=True)):
        sellers[offer.accelerator].add(offer.provider)
    return {card: len(providers) for card, providers in sellers.items()}


def _cheapest_regions(offers: Sequence[Offer]) -> Iterable[Offer]:
    """The cheapest region of each machine type's size, card, links, provider, term and date; the catalog lists cheaper ones first."""
    best: dict[tuple[object, ...], Offer] = {}
    for offer in offers:
        key = (offer.accelerator, offer.accelerator_count, offer.interconnect, offer.provider, offer.pricing_term, offer.as_of)
        best.setdefault(key, offer)
    return best.values()


def _priced(offer: Offer, usd: Decimal, provider: Provider | None, today: date, scarce: bool) -> PricedOffer:
    age, holds = offer.age_days(today), true_for_days(offer.pricing_term, provider)
    old = age > (OLD_DAYS_VOLATILE if holds <= 1 else OLD_DAYS)
    return PricedOffer(offer, usd, age, age > holds, provider, old, scarce, note_kinds(offer.notes))


def _matching(catalog: Catalog, conditions: Conditions) -> list[Offer]:
    query = OfferQuery(
        accelerators=conditions.cards,
        pricing_term=conditions.pricing_term,
        providers=(catalog.provider(conditions.provider).id,) if conditions.provider else (),
        region=conditions.region,
        consumer_ok=conditions.consumer_ok,
        include_specialised=conditions.name is not None,
    )
    records = {provider.id: provider for provider in catalog.providers()}
    machine = _machine_type(catalog, conditions.name)
    return [
        offer
        for offer in catalog.offers(query)
        if float(offer.accelerator_count).is_integer()
        and (machine is None or _plain(offer.instance) == machine)
        and (conditions.pricing_term is not None or offer.pricing_term is not PricingTerm.RESERVED)
        and not (conditions.features and lacks(records.get(offer.provider), conditions.features))
    ]


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
        if value != free and _matching(catalog, replace(conditions, **{name: free})):  # type: ignore[arg-type]  # the table's values fit
            guilty.append(f"{name} = {', '.join(value) if isinstance(value, tuple) else value}")
    what = f" for {conditions.name}" if conditions.name else ""
    if guilty:
        return NoPlanFound(f"No offer{what} passes {' or '.join(guilty)}; without it there are some.", "Drop that condition or widen it.")
    if conditions.name and not _matching(catalog, replace(conditions, **NO_CONDITION)):  # type: ignore[arg-type]  # as above
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
    return Market((PricedOffer(offer, price / nodes, 0, False, None),), 1, 0)
