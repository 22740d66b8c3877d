"""Offers by column: what filters and ranking ask, read without building an object for each of many thousand rows."""

from __future__ import annotations

import csv
import io
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from operator import itemgetter
from pathlib import Path
from typing import Any, Protocol

from knowledge.regions import Regions
from knowledge.tables import read_text, rows_of
from tools.errors import BrokenData
from tools.offer import Offer

NEEDED = ("region", "instance", "accelerator", "accelerator_count", "pricing_term", "price_per_hour", "currency", "as_of")
"""Columns without which a file holds no offers."""
COLUMNS = tuple(name for name in Offer.model_fields if name not in ("provider", "private"))
"""Columns of a provider's file."""
DEFAULTS = {"interconnect": "unknown", "availability": "unknown", "country": "unknown", "provider": ""}
"""Columns that filters read and that a file may leave out."""


class OfferSource(Protocol):
    """Where a stretch of rows comes from."""

    def offer(self, row: int, country: str) -> Offer:
        """The row as a value, in the country its region lies in. Raises BrokenData."""
        ...


@dataclass(slots=True)
class OfferColumns:
    """Equally long columns; row `i` of each is one offer."""

    provider: list[str] = field(default_factory=list)
    region: list[str] = field(default_factory=list)
    country: list[str] = field(default_factory=list)
    instance: list[str] = field(default_factory=list)
    accelerator: list[str] = field(default_factory=list)
    accelerator_count: list[float] = field(default_factory=list)
    interconnect: list[str] = field(default_factory=list)
    pricing_term: list[str] = field(default_factory=list)
    price: list[float] = field(default_factory=list)
    currency: list[str] = field(default_factory=list)
    as_of: list[str] = field(default_factory=list)
    availability: list[str] = field(default_factory=list)
    private: list[bool] = field(default_factory=list)
    _starts: list[tuple[int, OfferSource]] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.price)

    def offer(self, row: int) -> Offer:
        """One row as a value. Raises BrokenData."""
        start, source = self._starts[bisect_right(self._starts, row, key=itemgetter(0)) - 1]
        return source.offer(row - start, self.country[row])

    def add_offers(self, offers: Sequence[Offer]) -> None:
        """Append values."""
        self._starts.append((len(self), _Values(offers)))
        for name in ("provider", "region", "country", "instance", "accelerator", "accelerator_count", "currency", "private"):
            getattr(self, name).extend(getattr(offer, name) for offer in offers)
        for name in ("interconnect", "pricing_term", "availability"):
            getattr(self, name).extend(getattr(offer, name).value for offer in offers)
        self.price.extend(float(offer.price_per_hour) for offer in offers)
        self.as_of.extend(offer.as_of.isoformat() for offer in offers)

    def add_text(self, provider: str, text: str, regions: Regions) -> None:
        """Append the text of a provider's file. Raises BrokenData naming file and line.

        Only what is compared is read here; a row becomes an `Offer`, with everything checked, when somebody asks for it.
        """
        rows = list(csv.reader(text.splitlines()))
        if not rows:
            raise BrokenData(f"{provider}.csv:1", "the header is missing.")
        header, cells = rows[0], [row for row in rows[1:] if row]
        if missing := [name for name in NEEDED if name not in header]:
            raise BrokenData(f"{provider}.csv:1", f"no column {', '.join(missing)}.")
        width = len(header)
        try:
            if any(len(row) != width for row in cells):
                raise ValueError
            given = {name: [row[place] for row in cells] for place, name in enumerate(header)}
            counts, prices = [float(text) for text in given["accelerator_count"]], [float(text) for text in given["price_per_hour"]]
            if not all(number > 0 and isfinite(number) for number in (*counts, *prices)):
                raise ValueError
        except ValueError:
            offers_of(provider, text, regions)  # names file and line
            raise
        self._starts.append((len(self), _Rows(provider, text, header, cells, regions)))
        self.accelerator_count.extend(counts)
        self.price.extend(prices)
        self.private.extend([False] * len(cells))
        for name in (*NEEDED, *DEFAULTS):
            if name in ("accelerator_count", "price_per_hour", "country"):
                continue
            default = provider if name == "provider" else DEFAULTS.get(name, "")
            column = given.get(name)
            getattr(self, name).extend([default] * len(cells) if column is None else [text or default for text in column])
        sites = list(zip(self.provider[len(self.country) :], given["region"], strict=True))
        places = {site: regions.country(*site) for site in set(sites)}
        stated = given.get("country", [""] * len(cells))
        self.country.extend(code if code and code != "unknown" else places[site] for code, site in zip(stated, sites, strict=True))


@dataclass(frozen=True, slots=True)
class _Values:
    offers: Sequence[Offer]

    def offer(self, row: int, country: str) -> Offer:
        return self.offers[row]


@dataclass(frozen=True, slots=True)
class _Rows:
    provider: str
    text: str
    header: Sequence[str]
    cells: Sequence[Sequence[str]]
    regions: Regions

    def offer(self, row: int, country: str) -> Offer:
        values = {name: cell for name, cell in zip(self.header, self.cells[row], strict=True) if cell != ""}
        values.setdefault("provider", self.provider)
        values["country"] = country
        try:
            return Offer.model_validate(values)
        except ValueError:
            offers_of(self.provider, self.text, self.regions)  # names file and line
            raise


def read_offers(path: Path, regions: Regions, constant: Mapping[str, Any] | None = None) -> Sequence[Offer]:
    """The offers of a provider's file, whose name is the provider's id. Raises BrokenData naming file and line."""
    return offers_of(path.stem, read_text(path), regions, constant)


def offers_of(provider: str, text: str, regions: Regions, constant: Mapping[str, Any] | None = None) -> Sequence[Offer]:
    """Every row of a provider's file, checked; a column `provider` overrides. The country follows from the region.

    Raises BrokenData naming file and line.
    """
    rows = rows_of(text, f"{provider}.csv", Offer, constant={"provider": provider, **(constant or {})})
    return [
        row if row.country != "unknown" else row.model_copy(update={"country": regions.country(row.provider, row.region)}) for row in rows
    ]


def text_of(offers: Sequence[Offer]) -> str:
    """The file of one provider's offers, in the catalog's schema and a stable order."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for offer in sorted(offers, key=lambda o: (o.accelerator, o.accelerator_count, o.instance, o.region, o.pricing_term, o.as_of)):
        record = offer.model_dump(mode="json")
        count = offer.accelerator_count
        record["accelerator_count"] = int(count) if count == int(count) else count
        record["price_per_hour"] = f"{offer.price_per_hour.normalize():f}"
        writer.writerow(["" if record[name] is None else record[name] for name in COLUMNS])
    return out.getvalue()
