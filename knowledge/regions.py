"""Where a region lies: countries per region, and what `EU` means."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

from pydantic import Field

from knowledge.names import normal
from knowledge.tables import DATA, read_csv
from tools.base import Value

UNIONS = {"eu": ("EU",), "eea": ("EU", "EEA"), "ewr": ("EU", "EEA"), "europeanunion": ("EU",), "europäischeunion": ("EU",)}
"""Names of a union and the members that count; law follows the country, not the prefix of a region's name."""

AREAS = {"europe": "europe", "europa": "europe", "asia": "asia", "asien": "asia", "africa": "africa", "afrika": "africa"}
"""Names of a continent and its key in the table."""


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


class Regions:
    """Countries of regions and a predicate for what a person asks for."""

    def __init__(self, countries: tuple[Country, ...], regions: tuple[RegionCountry, ...]) -> None:
        """Index both tables."""
        self._countries = {country.code: country for country in countries}
        self._regions = {(row.provider, row.region): row.country for row in regions}
        self._names: dict[str, str] = {}
        for country in countries:
            for name in (country.code, *country.english.split(";"), *country.german.split(";")):
                self._names[normal(name)] = country.code

    @classmethod
    def load(cls, data: Path = DATA) -> Regions:
        """Read `countries.csv` and `regions.csv`. Raises BrokenData."""
        return cls(read_csv(data / "countries.csv", Country), read_csv(data / "regions.csv", RegionCountry))

    def country(self, provider: str, region: str) -> str:
        """ISO code of a region, or `unknown`."""
        return self._regions.get((provider, region), "unknown")

    def countries(self) -> tuple[Country, ...]:
        """All countries of the table."""
        return tuple(self._countries.values())

    def code(self, name: str) -> str | None:
        """ISO code of a country by its English or German name or code."""
        return self._names.get(normal(name))

    def predicate(self, wanted: str) -> Callable[[str, str], bool]:
        """Whether (country, region) lies in a union, a continent, a country, or a region whose name begins so.

        A country name wins over a region's; a place whose country is unknown lies in none.
        """
        key = normal(wanted)
        members: set[str] | None = None
        if key in UNIONS:
            members = {code for code, country in self._countries.items() if country.union in UNIONS[key]}
        elif key in AREAS:
            members = {code for code, country in self._countries.items() if country.area == AREAS[key]}
        elif code := self._names.get(key):
            members = {code}
        if members is not None:
            inside = frozenset(members)
            return lambda country, region: country in inside
        return lambda country, region: _plain(region).startswith(key)


@cache
def _plain(region: str) -> str:
    return normal(region)
