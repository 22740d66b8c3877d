"""From listed prices to offers: names of cards, links and countries; what cannot be placed goes into quarantine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from knowledge.card_names import MEMORY_TOLERANCE
from knowledge.catalog import TableCatalog
from knowledge.prices.listed import ListedPrice
from knowledge.prices.report import HeldBack
from tools.accelerator import Accelerator
from tools.errors import UnknownName
from tools.offer import Offer
from tools.terms import Interconnect, PricingTerm

USUAL_COUNTS = frozenset((1, 2, 4, 8, 16))
"""Cards in a machine; previews with 6 or 12 have turned out to be errors of the list, and Inferentia has such machines."""
FORMS = ("sxm", "pcie", "nvl")
"""Form factors as machine types spell them (`gpu_8x_h100_sxm5`)."""


@dataclass(slots=True)
class Intake:
    """What became of a price list."""

    offers: list[Offer] = field(default_factory=list)
    held: list[HeldBack] = field(default_factory=list)
    unknown_cards: dict[str, int] = field(default_factory=dict)
    unread: set[tuple[str, str]] = field(default_factory=set)
    """(region, machine type) of rows that gave no offer."""


class Placement:
    """Which card a listed price is for."""

    def __init__(self, catalog: TableCatalog, previous: Sequence[Offer]) -> None:
        """`previous` are the provider's offers so far: a machine type that was known keeps its card and its links."""
        self._catalog = catalog
        self._before = {(offer.instance, offer.accelerator_count): offer for offer in previous}
        self._candidates: dict[str, Sequence[Accelerator]] = {}

    def card(self, listed: ListedPrice) -> tuple[Accelerator | None, str]:
        """The card, or None and why not. An unknown name gives an empty reason: it waits until somebody knows it."""
        found = self._named(listed.card)
        if not found:
            return None, ""
        if listed.memory_gb:
            memory = listed.memory_gb
            fitting = [card for card in found if abs(card.memory_label_gb - memory) <= MEMORY_TOLERANCE * card.memory_label_gb]
            if not fitting:
                labels = ", ".join(f"{card.id} has {card.memory_label_gb:g} GB" for card in found)
                return None, f"{memory:g} GB listed for {listed.card}; {labels}"
            found = fitting
        if len(found) == 1:
            return found[0], ""
        before = self._before.get((listed.instance, listed.count))
        if before is not None and (same := [card for card in found if card.id == before.accelerator]):
            return same[0], ""
        form = next((form for form in FORMS if form in listed.instance.casefold()), "")
        if form and len(named := [card for card in found if form in card.id.casefold()]) == 1:
            return named[0], ""
        unstated = [card for card in found if not card.form_stated]
        if len(unstated) == 1 and len({card.memory_label_gb for card in found}) == 1:
            return unstated[0], ""
        return None, f"'{listed.card}' may be {', '.join(card.id for card in found)}"

    def count_doubt(self, listed: ListedPrice) -> str:
        """Why a count is not believed: clouds build machines of 1, 2, 4, 8 or 16 cards; others, and slices, only if known before."""
        usual = listed.count in USUAL_COUNTS or (listed.market and listed.count == int(listed.count))
        return "" if usual or (listed.instance, listed.count) in self._before else f"{listed.count:g} cards in one machine"

    def interconnect(self, listed: ListedPrice, card: Accelerator) -> Interconnect:
        """None for one card; as listed; as known of the machine type; NVLink where the form has nothing else; unknown."""
        if listed.count <= 1:
            return Interconnect.NONE
        if listed.interconnect is not Interconnect.UNKNOWN:
            return listed.interconnect
        before = self._before.get((listed.instance, listed.count))
        if before is not None and before.accelerator == card.id:
            return before.interconnect
        return card.interconnect if "SXM" in card.id else Interconnect.UNKNOWN

    def _named(self, name: str) -> Sequence[Accelerator]:
        if name not in self._candidates:
            try:
                self._candidates[name] = self._catalog.accelerator_candidates(name)
            except UnknownName:
                self._candidates[name] = ()
        return self._candidates[name]


def taken_in(catalog: TableCatalog, listed: Iterable[ListedPrice], previous: Sequence[Offer]) -> Intake:
    """Offers of one provider's price list; rows that cannot be placed are held back with the reason."""
    intake = Intake()
    placement = Placement(catalog, previous)
    regions = catalog.regions()
    for price in cheapest_of_market(listed):
        reason = impossible(price) or placement.count_doubt(price)
        card = None
        if not reason:
            card, reason = placement.card(price)
            if card is None and not reason:
                intake.unknown_cards[price.card] = intake.unknown_cards.get(price.card, 0) + 1
                intake.unread.add((price.region, price.instance))
                continue
        if card is None:
            intake.held.append(held(price, reason))
            intake.unread.add((price.region, price.instance))
            continue
        country = price.country if price.country != "unknown" else regions.country(price.provider, price.region)
        intake.offers.append(
            Offer(
                provider=price.provider,
                region=price.region or "unspecified",
                country=country,
                instance=price.instance,
                accelerator=card.id,
                accelerator_count=price.count,
                vcpus=price.vcpus or None,
                host_ram_gb=price.host_ram_gb or None,
                interconnect=placement.interconnect(price, card),
                pricing_term=PricingTerm.SPOT if price.spot else PricingTerm.ON_DEMAND,
                price_per_hour=price.price,
                currency=price.currency,
                as_of=price.as_of,
                availability=price.availability,
                source=price.source,
                source_licence=price.licence,
                notes=price.notes,
            )
        )
    return intake


def cheapest_of_market(listed: Iterable[ListedPrice]) -> Sequence[ListedPrice]:
    """Marketplace offers come and go by the minute: the cheapest of each card, count, memory, region and term stands for its kind."""
    rows: list[ListedPrice] = []
    kinds: dict[object, list[ListedPrice]] = {}
    for price in listed:
        if not price.market or impossible(price):
            rows.append(price)
        else:
            kinds.setdefault((price.card, price.count, price.memory_gb, price.region, price.spot), []).append(price)
    for among in kinds.values():
        cheapest = min(among, key=lambda price: price.price)
        note = f"cheapest of {len(among)} offers found at that moment; {cheapest.notes}".rstrip("; ")
        rows.append(replace(cheapest, instance=f"cheapest {cheapest.count:g}x {cheapest.card}", notes=note))
    return rows


def impossible(price: ListedPrice) -> str:
    """Why a row cannot be an offer at all, empty where it can."""
    if not price.price.is_finite() or price.price <= 0:
        return "no price" if not price.price.is_finite() else f"a price of {price.price}"
    if price.count <= 0 or price.count > 16 or (price.count > 1 and price.count != int(price.count)):
        return f"{price.count:g} cards in one machine"
    if len(price.currency) != 3 or not price.currency.isalpha():
        return "no currency stated"
    return ""


def held(price: ListedPrice, reason: str) -> HeldBack:
    """The row with its reason."""
    return HeldBack(region=price.region, instance=price.instance, card=price.card, price_per_hour=str(price.price), reason=reason)
