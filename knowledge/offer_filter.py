"""Whether an offer passes a filter: facts per offer worked out once, and a pure predicate over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from tools.accelerator import Accelerator
from tools.offer import Offer, OfferQuery


@dataclass(frozen=True, slots=True)
class Priced:
    """An offer with what filters and ranking ask of it."""

    offer: Offer
    usd_per_hour: Decimal | None
    memory_gb: float
    consumer: bool
    whole: bool
    """No slice of a card."""
    usual: bool
    """Usual PyTorch code trains on the card."""

    @classmethod
    def of(cls, offer: Offer, card: Accelerator, usd_per_hour: Decimal | None) -> Priced:
        """Work the facts out."""
        whole = offer.accelerator_count == int(offer.accelerator_count)
        return cls(offer, usd_per_hour, card.memory_label_gb, card.consumer, whole, card.training_support == "yes")

    @property
    def rank(self) -> tuple[bool, Decimal, str, str]:
        """Cheapest per card first, unknown currencies last."""
        usd = self.usd_per_hour
        per_card = Decimal(0) if usd is None else usd / Decimal(str(self.offer.accelerator_count))
        return (usd is None, per_card, self.offer.provider, self.offer.region)


def conditions(query: OfferQuery) -> list[Callable[[Priced], bool]]:
    """The conditions of a query that are not None, one test each; the region is left to the caller, who knows the countries.

    Slices of a card appear only where asked for, other chips also where they are named.
    """
    tests: list[Callable[[Priced], bool]] = []
    if query.accelerators:
        named = frozenset(query.accelerators)
        tests.append(lambda p: p.offer.accelerator in named)
    if not query.include_specialised:
        tests.append((lambda p: p.whole) if query.accelerators else (lambda p: p.whole and p.usual))
    if not query.consumer_ok:
        tests.append(lambda p: not p.consumer)
    if query.pricing_term is not None:
        term = query.pricing_term
        tests.append(lambda p: p.offer.pricing_term is term)
    if query.providers:
        providers = frozenset(query.providers)
        tests.append(lambda p: p.offer.provider in providers)
    if query.accelerator_count is not None:
        exactly = query.accelerator_count
        tests.append(lambda p: p.offer.accelerator_count == exactly)
    if query.minimum_count is not None:
        least = query.minimum_count
        tests.append(lambda p: p.offer.accelerator_count >= least)
    if query.minimum_memory_gb is not None:
        memory = query.minimum_memory_gb
        tests.append(lambda p: p.memory_gb >= memory)
    if query.maximum_usd_per_hour is not None:
        dearest = query.maximum_usd_per_hour
        tests.append(lambda p: p.usd_per_hour is not None and p.usd_per_hour <= dearest)
    return tests


class OfferIndex:
    """Offers in rank order, by accelerator, so that a query over one card does not look at the rest."""

    def __init__(self, priced: Iterable[Priced]) -> None:
        """Sort and index."""
        self.all: Sequence[Priced] = sorted(priced, key=lambda p: p.rank)
        self._places: dict[str, list[int]] = {}
        for place, each in enumerate(self.all):
            self._places.setdefault(each.offer.accelerator, []).append(place)

    def matching(self, query: OfferQuery, inside: Callable[[Offer], bool] | None) -> list[Offer]:
        """Offers that pass the query and lie inside, in rank order."""
        among = self.all
        if query.accelerators:
            places = sorted(place for id_ in set(query.accelerators) for place in self._places.get(id_, ()))
            among = [self.all[place] for place in places]
        for test in conditions(query):
            among = [each for each in among if test(each)]
        return [each.offer for each in among if inside is None or inside(each.offer)]
