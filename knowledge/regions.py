"""Where a region lies: countries per region, and what `EU` means."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from pydantic import Field

from knowledge.names import normal
from knowledge.tables import DATA, read_csv
from tools.base import Value

UNIONS = {"eu": ("EU",), "eea": ("EU", "EEA"), "ewr": ("EU", "EEA"), "europeanunion": ("EU",), "europäischeunion": ("EU",)}
"""Names of a union and the members that count; law follows the country, not the prefix of a region's name."""

AREAS = {"europe": "europe", "europa": "europe", "asia": "asia", "asien": "asia", "africa": "africa", "afrika": "africa"}
"""Names of a continent and its key in the table."""


FILLERS = frozenset(("only", "nur", "in", "within", "innerhalb", "aus", "from", "der", "the", "region"))
"""Words before a place that add nothing."""

_ZONE = re.compile(r"-?\d+[a-z]?$")


class Country(Value):
    """A country in which somebody rents out accelerators."""

    code: str = Field(min_length=2, max_length=2)
    """ISO 3166-1 code."""
    english: str
    """Names in English, separated by semicolons."""
    german: str
    """Names in German, separated by semicolons."""
    union: str = ""
    """EU, EEA (not EU), or empty."""
    area: str
    """Continent."""


class RegionCountry(Value):
    """The country of one region."""

    provider: str
    """Provider id."""
    region: str
    """Region as the provider names it."""
    country: str = Field(min_length=2, max_length=2)
    """ISO 3166-1 code."""
    city: str = ""
    """Names of the city, or of the state where the provider names only that, separated by semicolons."""


class Place(NamedTuple):
    """Where an offer lies."""

    provider: str
    """Provider id."""
    country: str
    """ISO 3166-1 code, or `unknown`."""
    region: str
    """As the provider names it."""


class Regions:
    """Countries of regions and a predicate for what a person asks for."""

    def __init__(self, countries: tuple[Country, ...], regions: tuple[RegionCountry, ...]) -> None:
        """Index both tables."""
        self._countries = {country.code: country for country in countries}
        self._regions = {(row.provider, row.region): row for row in regions}
        self._cities: dict[str, set[tuple[str, str]]] = {}
        for row in regions:
            for name in filter(None, row.city.split(";")):
                self._cities.setdefault(normal(name), set()).add((row.provider, row.region))
        self._names: dict[str, str] = {}
        for country in countries:
            for name in (country.code, *country.english.split(";"), *country.german.split(";")):
                self._names[normal(name)] = country.code

    @classmethod
    def load(cls, data: Path = DATA) -> Regions:
        """Read `countries.csv` and `regions.csv`. Raises BrokenData."""
        return cls(read_csv(data / "countries.csv", Country), read_csv(data / "regions.csv", RegionCountry))

    def country(self, provider: str, region: str) -> str:
        """ISO code of a region, or `unknown`. A zone lies where its region does (`fr-par-2` in `fr-par`)."""
        row = self._row(provider, region)
        return row.country if row else "unknown"

    def _row(self, provider: str, region: str) -> RegionCountry | None:
        found = self._regions.get((provider, region))
        if found is None and (shorter := _ZONE.sub("", region)) != region:
            found = self._regions.get((provider, shorter))
        return found

    def countries(self) -> tuple[Country, ...]:
        """All countries of the table."""
        return tuple(self._countries.values())

    def code(self, name: str) -> str | None:
        """ISO code of a country by its English or German name or code."""
        return self._names.get(normal(name))

    def cities(self) -> frozenset[str]:
        """Every city by name, in normal form."""
        return frozenset(self._cities)

    def predicate(self, wanted: str) -> Callable[[Place], bool]:
        """Whether a place lies in a union, a continent, a country, a city, or a region whose name begins so.

        A country's name wins over a city's and that over a region's; a place whose country is unknown lies in none. Words
        such as "only" or "nur" before the name add nothing.
        """
        words = wanted.split()
        while len(words) > 1 and words[0].casefold() in FILLERS:
            words.pop(0)
        key = normal(" ".join(words))
        members: set[str] | None = None
        if key in UNIONS:
            members = {code for code, country in self._countries.items() if country.union in UNIONS[key]}
        elif key in AREAS:
            members = {code for code, country in self._countries.items() if country.area == AREAS[key]}
        elif code := self._names.get(key):
            members = {code}
        if members is not None:
            inside = frozenset(members)
            return lambda place: place.country in inside
        if there := self._cities.get(key):
            return lambda place: (row := self._row(place.provider, place.region)) is not None and (row.provider, row.region) in there
        return lambda place: _plain(place.region).startswith(key)


@cache
def _plain(region: str) -> str:
    return normal(region)
