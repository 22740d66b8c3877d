"""The offers a plan may use: those that pass the caller's conditions, priced in US dollars, with their age."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from tools.accelerator import Accelerator
from tools.ageing import true_for_days
from tools.arguments import PlanArguments
from tools.context import Catalog, Context
from tools.errors import InvalidArguments, MissingFact, NoPlanFound
from tools.offer import Offer, OfferQuery
from tools.plan.features import lacks
from tools.provider import Provider
from tools.terms import Availability, Interconnect, PricingTerm

OWN = "own"
"""Provider id of machines at the caller's own price."""

OLD_DAYS = 365
"""A price older than a year never ranks first over a younger one."""
OLD_DAYS_VOLATILE = 180
"""The same for prices that hold for a day only, on spot and on marketplaces: half a year later they say little."""


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


def open_market(ctx: Context, arguments: PlanArguments, cards: Sequence[Accelerator]) -> Market:
    """Offers that pass; raises NoPlanFound naming the condition that emptied the list, MissingFact for a price without a card."""
    if arguments.usd_per_hour is not None:
        return _own(ctx, arguments, cards)
    found = _matching(ctx.catalog, arguments, cards)
    if not found:
        raise _emptied(ctx.catalog, arguments, cards)
    records = {provider.id: provider for provider in ctx.catalog.providers()}
    offers, unpriced = [], sum(1 for offer in found if offer.currency == "unknown")
    for offer in _cheapest_regions(found):
        usd = ctx.catalog.usd_per_hour(offer)
        if usd is None:
            continue
        provider = records.get(offer.provider)
        offers.append(_priced(offer, usd, provider, ctx.today))
    if not offers:
        raise NoPlanFound(
            f"All {unpriced} matching offers are priced in an unknown currency, so they cannot be ranked.",
            "Widen region, provider or pricing_term, or give your own price with usd_per_hour.",
        )
    return Market(tuple(offers), len(found), unpriced)


def _cheapest_regions(offers: Sequence[Offer]) -> Iterable[Offer]:
    """The cheapest region of each machine type's size, card, links, provider, term and date; the catalog lists cheaper ones first."""
    best: dict[tuple[object, ...], Offer] = {}
    for offer in offers:
        key = (offer.accelerator, offer.accelerator_count, offer.interconnect, offer.provider, offer.pricing_term, offer.as_of)
        best.setdefault(key, offer)
    return best.values()


def _priced(offer: Offer, usd: Decimal, provider: Provider | None, today: date) -> PricedOffer:
    age, holds = offer.age_days(today), true_for_days(offer.pricing_term, provider)
    old = age > (OLD_DAYS_VOLATILE if holds <= 1 else OLD_DAYS)
    return PricedOffer(offer, usd, age, age > holds, provider, old)


def _matching(catalog: Catalog, arguments: PlanArguments, cards: Sequence[Accelerator]) -> list[Offer]:
    named = arguments.accelerator is not None
    providers = (catalog.provider(arguments.provider).id,) if arguments.provider else ()
    query = OfferQuery(
        accelerators=tuple(card.id for card in cards) if named else (),
        pricing_term=arguments.pricing_term,
        providers=providers,
        region=arguments.region,
        consumer_ok=arguments.consumer_ok or named,
        include_specialised=named,
    )
    records = {provider.id: provider for provider in catalog.providers()}
    features = arguments.features or []
    machine = _machine_type(catalog, arguments.accelerator)
    return [
        offer
        for offer in catalog.offers(query)
        if float(offer.accelerator_count).is_integer()
        and (machine is None or _plain(offer.instance) == machine)
        and (arguments.pricing_term is not None or offer.pricing_term is not PricingTerm.RESERVED)
        and not (features and lacks(records.get(offer.provider), features))
    ]


def _machine_type(catalog: Catalog, name: str | None) -> str | None:
    """The machine type a name stands for (`g5.12xlarge`), None where it names a card."""
    return _plain(name) if name and catalog.instance_accelerator(name) is not None else None


def _plain(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


def _emptied(catalog: Catalog, arguments: PlanArguments, cards: Sequence[Accelerator]) -> NoPlanFound:
    """Which single condition, left out, would bring offers back."""
    guilty = []
    for name in ("features", "region", "provider", "pricing_term", "consumer_ok"):
        default = PlanArguments.model_fields[name].default
        if getattr(arguments, name) != default and _matching(catalog, arguments.model_copy(update={name: default}), cards):
            value = getattr(arguments, name)
            guilty.append(f"{name} = {', '.join(value) if isinstance(value, list) else value}")
    what = f" for {arguments.accelerator}" if arguments.accelerator else ""
    if guilty:
        return NoPlanFound(
            f"No offer{what} passes {' or '.join(guilty)}; without it there are some.", "Leave that condition out or widen it."
        )
    if arguments.accelerator and not _matching(catalog, PlanArguments(accelerator=arguments.accelerator), cards):
        return NoPlanFound(
            f"The catalog holds no offer for {arguments.accelerator}.",
            "Name another card, or give your own price with usd_per_hour.",
        )
    return NoPlanFound(f"No offer{what} passes all conditions together.", "Leave out region, provider, pricing_term or features.")


def _own(ctx: Context, arguments: PlanArguments, cards: Sequence[Accelerator]) -> Market:
    if not arguments.accelerator or not cards:
        raise MissingFact("accelerator", "A price of your own needs the card it is for.", "Say which accelerator, and how many.")
    if len(cards) > 1 and len({card.memory_label_gb for card in cards}) > 1:
        names = ", ".join(card.id for card in cards)
        raise InvalidArguments(f"'{arguments.accelerator}' names several cards: {names}.", "Say which one your price is for.")
    price = arguments.usd_per_hour
    assert price is not None
    count, nodes = arguments.accelerator_count or 1, arguments.nodes or 1
    term = arguments.pricing_term or PricingTerm.ON_DEMAND
    offers = []
    for card in cards[:1]:
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
        offers.append(PricedOffer(offer, price / nodes, 0, False, None))
    return Market(tuple(offers), len(offers), 0)
