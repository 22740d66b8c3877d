"""An index over offers: every condition is a set of places in rank order, kept as the bits of one number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import compress
from math import inf
from typing import Any, overload

from knowledge.offer_columns import OfferColumns
from knowledge.offer_conditions import conditions
from knowledge.regions import Place
from tools.accelerator import Accelerator
from tools.errors import BrokenData
from tools.offer import Offer, OfferQuery

_BITS = bytes.maketrans(b"01", b"\x00\x01")
_DIGITS = bytes.maketrans(b"\x00\x01", b"01")
_FIRST = 1e15
"""Larger than any price: sets private offers before and unpriced ones behind all others."""
ANY_REGION = frozenset(("global", "unspecified", "any", "*"))
"""Regions of a private price that stands wherever its provider sells."""


class Offers(Sequence[Offer]):
    """Found offers in rank order; each becomes a value when it is looked at."""

    def __init__(self, index: OfferIndex, places: Sequence[int]) -> None:
        """Remember where they lie."""
        self._index, self._places = index, places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> Offer: ...
    @overload
    def __getitem__(self, place: slice) -> list[Offer]: ...
    def __getitem__(self, place: int | slice) -> Offer | list[Offer]:
        if isinstance(place, slice):
            return [self._index.at(each) for each in self._places[place]]
        return self._index.at(self._places[place])

    def __iter__(self) -> Iterator[Offer]:
        return map(self._index.at, self._places)


class OfferIndex:
    """Offers cheapest per card first: private ones before all, those of unknown currency behind all."""

    def __init__(self, columns: OfferColumns, cards: Mapping[str, Accelerator], usd_per_unit: Mapping[str, float]) -> None:
        """Rank the rows. Raises BrokenData where one names a card that no table has."""
        self._columns, self._cards = columns, cards
        for name in set(columns.accelerator) - cards.keys():
            row = columns.accelerator.index(name)
            where = f"{columns.provider[row]}.csv"
            raise BrokenData(where, f"{columns.instance[row]} names an unknown accelerator '{name}'.")
        self._usd = [
            price * rate if (rate := usd_per_unit.get(currency)) else None
            for price, currency in zip(columns.price, columns.currency, strict=True)
        ]
        keys = [
            (_FIRST if usd is None else usd / count) - (_FIRST * 2 if private else 0)
            for usd, count, private in zip(self._usd, columns.accelerator_count, columns.private, strict=True)
        ]
        hidden = self._outranked()
        order = range(len(columns)) if not hidden else [row for row in range(len(columns)) if row not in hidden]
        self._order: list[int] = sorted(order, key=keys.__getitem__)
        self._made: dict[int, Offer] = {}
        self._places: dict[str, dict[Any, list[int]]] = {}
        self._masks: dict[tuple[str, object], int] = {}

    def __len__(self) -> int:
        return len(self._order)

    @cached_property
    def everything(self) -> Offers:
        """All offers in rank order."""
        return Offers(self, range(len(self)))

    def at(self, place: int) -> Offer:
        """The offer at a place in rank order."""
        row = self._order[place]
        offer = self._made.get(row)
        if offer is None:
            offer = self._made[row] = self._columns.offer(row)
        return offer

    def instances(self) -> dict[str, set[tuple[str, float]]]:
        """Machine type -> (card, count) it may be."""
        found: dict[str, set[tuple[str, float]]] = {}
        columns = self._columns
        for name, card, count in set(zip(columns.instance, columns.accelerator, columns.accelerator_count, strict=True)):
            found.setdefault(name, set()).add((card, count))
        return found

    @cached_property
    def sellers(self) -> Mapping[str, int]:
        """Card -> how many providers offer it."""
        return Counter(card for card, _ in set(zip(self._columns.accelerator, self._columns.provider, strict=True)))

    def providers(self) -> frozenset[str]:
        """Ids of all providers that offer something."""
        return frozenset(self._columns.provider)

    def matching(self, query: OfferQuery, inside: Callable[[Place], bool] | None) -> Offers:
        """Offers that pass the query and lie inside a place, in rank order."""
        mask = (1 << len(self)) - 1
        for column, passes in conditions(query, self._cards):
            mask &= self._among(column, passes)
        if inside is not None:
            mask &= self._among("place", inside)
        if query.maximum_usd_per_hour is not None:
            mask &= self._at_most(self._whole, float(query.maximum_usd_per_hour))
        if query.maximum_usd_per_accelerator_hour is not None:
            mask &= self._at_most(self._per_card, float(query.maximum_usd_per_accelerator_hour))
        places: Sequence[int] = list(compress(range(len(self)), self._flags(mask)))
        return Offers(self, self._cheapest_of_each_shape(places) if query.one_per_shape else places)

    def _by(self, column: str) -> dict[Any, list[int]]:
        """Value of a column -> places that hold it."""
        found = self._places.get(column)
        if found is None:
            cells = self._where if column == "place" else getattr(self._columns, column)
            found = {}
            for place, row in enumerate(self._order):
                found.setdefault(cells[row], []).append(place)
            self._places[column] = found
        return found

    def _among(self, column: str, passes: Callable[..., bool]) -> int:
        return self._union(column, {value for value in self._by(column) if passes(value)})

    def _union(self, column: str, values: set[object]) -> int:
        """Bits of all places that hold one of the values."""
        mask = 0
        for value in values:
            bits = self._masks.get((column, value))
            if bits is None:
                bits = self._masks[(column, value)] = self._bits(self._places[column][value])
            mask |= bits
        return mask

    @cached_property
    def _whole(self) -> list[float]:
        """For each place the price of the instance; infinite where the currency is unknown."""
        return [inf if (usd := self._usd[row]) is None else usd for row in self._order]

    @cached_property
    def _per_card(self) -> list[float]:
        """For each place the price of one card."""
        return [usd / self._columns.accelerator_count[row] for usd, row in zip(self._whole, self._order, strict=True)]

    def _at_most(self, prices: Sequence[float], dearest: float) -> int:
        """Bits of the places with a price of at most that."""
        limit = dearest * (1 + 1e-12)  # 2.0 per card is 16.0 / 8, whatever the binary digits
        return int(bytes(map(limit.__ge__, prices)).translate(_DIGITS) or b"0", 2)

    def _bits(self, places: Sequence[int]) -> int:
        flags = bytearray(b"0" * len(self))
        for place in places:
            flags[place] = 49
        return int(flags, 2)

    def _flags(self, mask: int) -> bytes:
        """One byte for each place: 1 where its bit is set."""
        return format(mask, f"0{len(self)}b").encode().translate(_BITS) if len(self) else b""

    @property
    def _where(self) -> list[Place]:
        return list(map(Place, self._columns.provider, self._columns.country, self._columns.region))

    @cached_property
    def _shapes(self) -> list[int]:
        """For each place the number of its shape: card, count, links, provider, term, date."""
        c = self._columns
        numbers: dict[object, int] = {}
        shapes = zip(c.accelerator, c.accelerator_count, c.interconnect, c.provider, c.pricing_term, c.as_of, strict=True)
        by_row = [numbers.setdefault(shape, len(numbers)) for shape in shapes]
        return [by_row[row] for row in self._order]

    def _cheapest_of_each_shape(self, places: Sequence[int]) -> list[int]:
        first: dict[int, int] = {}
        shapes = self._shapes
        for place in places:
            first.setdefault(shapes[place], place)
        return list(first.values())

    def _outranked(self) -> set[int]:
        """Rows of a public price for which the user has a price of their own."""
        c = self._columns
        own = [row for row, private in enumerate(c.private) if private]
        if not own:
            return set()
        public: dict[tuple[str, str, float, str], list[int]] = {}
        machines: set[tuple[str, str]] = set()
        for row, private in enumerate(c.private):
            if not private:
                public.setdefault((c.provider[row], c.accelerator[row], c.accelerator_count[row], c.pricing_term[row]), []).append(row)
                machines.add((c.provider[row], c.instance[row]))
        hidden = set()
        for row in own:
            listed = (c.provider[row], c.instance[row]) in machines
            for other in public.get((c.provider[row], c.accelerator[row], c.accelerator_count[row], c.pricing_term[row]), ()):
                same_place = c.region[row] in ANY_REGION or c.region[row] == c.region[other]
                if same_place and (not listed or c.instance[row] == c.instance[other]):
                    hidden.add(other)
        return hidden
