"""What changed between two price lists of a provider, and the history of its superseded prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from knowledge.prices.report import SHOWN, Move
from tools.offer import Offer, OfferKey, offer_key


@dataclass(frozen=True, slots=True)
class Changes:
    """Two lists compared."""

    new: int
    gone: int
    moves: Sequence[Move]
    """Every changed price, largest change first."""
    superseded: Sequence[Offer]
    """Old rows whose price is no longer in force."""

    @property
    def shown(self) -> list[Move]:
        """The largest changes."""
        return list(self.moves[:SHOWN])


def changes(before: Sequence[Offer], after: Sequence[Offer]) -> Changes:
    """Compare by region, machine type, card, count and term."""
    old: dict[OfferKey, Offer] = {offer_key(offer): offer for offer in before}
    new: dict[OfferKey, Offer] = {offer_key(offer): offer for offer in after}
    moves = []
    superseded = [offer for place, offer in old.items() if place not in new]
    for place, offer in new.items():
        was = old.get(place)
        if was is None or (was.price_per_hour, was.currency) == (offer.price_per_hour, offer.currency):
            continue
        superseded.append(was)
        if was.currency == offer.currency:
            moves.append(
                Move(
                    region=offer.region,
                    instance=offer.instance,
                    pricing_term=offer.pricing_term.value,
                    before=was.price_per_hour,
                    after=offer.price_per_hour,
                    currency=offer.currency,
                    before_as_of=was.as_of,
                )
            )
    moves.sort(key=lambda move: (-abs(move.percent), move.region, move.instance))
    return Changes(len(new.keys() - old.keys()), len(old.keys() - new.keys()), moves, superseded)


def longer(history: Sequence[Offer], superseded: Sequence[Offer]) -> Sequence[Offer]:
    """The history with superseded rows added; a row that is there already is not doubled."""
    known = {(*offer_key(offer), offer.as_of, offer.price_per_hour) for offer in history}
    return [*history, *(offer for offer in superseded if (*offer_key(offer), offer.as_of, offer.price_per_hour) not in known)]
