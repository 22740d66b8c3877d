"""Every price of the shipped catalog: possible, dated, sourced, and of a card that exists."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

import pytest

from knowledge.catalog import TableCatalog
from knowledge.regions import Regions
from knowledge.tables import DATA
from tools.offer import Offer, OfferQuery
from tools.terms import Availability, Interconnect, PricingTerm

FLOOR_USD = Decimal("0.02")
"""No card is rented out for less; a lower figure is a placeholder or a slice without its fraction."""
GATHERED = date(2026, 11, 30)
FILES = sorted((DATA / "offers").glob("*.csv"))


@pytest.fixture(scope="module")
def catalog() -> TableCatalog:
    return TableCatalog.load()


@pytest.fixture(scope="module")
def offers(catalog: TableCatalog) -> Sequence[Offer]:
    return catalog.offers(OfferQuery(include_specialised=True))


def test_the_catalog_holds_thousands_of_offers(offers: Sequence[Offer]) -> None:
    assert len(offers) > 4000
    assert len({offer.provider for offer in offers}) >= 30


def test_every_offer_has_a_provider_record(catalog: TableCatalog, offers: Sequence[Offer]) -> None:
    known = {provider.id for provider in catalog.providers()}
    assert {offer.provider for offer in offers} <= known


def test_prices_are_above_the_floor(catalog: TableCatalog, offers: Sequence[Offer]) -> None:
    low = []
    for offer in offers:
        usd = catalog.usd_per_hour(offer)
        if usd is not None and usd / Decimal(str(offer.accelerator_count)) < FLOOR_USD:
            low.append(offer)
    assert low == []


def test_no_spot_price_above_its_on_demand_price(offers: Sequence[Offer]) -> None:
    listed = {(o.provider, o.region, o.instance): o.price_per_hour for o in offers if o.pricing_term is PricingTerm.ON_DEMAND}
    spot = [o for o in offers if o.pricing_term is PricingTerm.SPOT]
    assert spot
    assert [o for o in spot if o.price_per_hour > listed.get((o.provider, o.region, o.instance), o.price_per_hour)] == []


def test_dates_lie_between_the_oldest_source_and_the_day_of_gathering(offers: Sequence[Offer]) -> None:
    assert all(date(2024, 12, 1) <= offer.as_of <= GATHERED for offer in offers)


def test_spot_prices_carry_their_own_dates(offers: Sequence[Offer]) -> None:
    dates = {(o.provider, o.region, o.instance, o.pricing_term): o.as_of for o in offers}
    apart = [k for k, day in dates.items() if k[3] is PricingTerm.SPOT and dates.get((*k[:3], PricingTerm.ON_DEMAND), day) != day]
    assert len(apart) > 500, "most clouds publish spot prices on other days than list prices"


def test_no_offer_is_listed_twice(offers: Sequence[Offer]) -> None:
    seen = Counter((o.provider, o.region, o.instance, o.accelerator, o.accelerator_count, o.pricing_term) for o in offers)
    assert [key for key, count in seen.items() if count > 1] == []


def test_counts_are_whole_or_documented_slices(offers: Sequence[Offer]) -> None:
    counts = {offer.accelerator_count for offer in offers}
    assert all(1 <= count <= 16 for count in counts if count == int(count))
    assert all(count < 1 for count in counts if count != int(count))


def test_one_card_has_no_link_and_several_never_have_none(offers: Sequence[Offer]) -> None:
    assert all((o.interconnect is Interconnect.NONE) == (o.accelerator_count <= 1) for o in offers)


def test_nobody_claims_to_know_what_is_free(offers: Sequence[Offer]) -> None:
    assert {offer.availability for offer in offers} == {Availability.UNKNOWN}


def test_sources_can_be_opened_and_licences_are_named(offers: Sequence[Offer]) -> None:
    assert all(offer.source.startswith("https://") for offer in offers)
    assert all(offer.source_licence != "unknown" for offer in offers)


def test_an_unknown_currency_is_never_ranked(catalog: TableCatalog, offers: Sequence[Offer]) -> None:
    unknown = [o for o in offers if o.currency == "unknown"]
    assert unknown
    assert all(catalog.usd_per_hour(o) is None for o in unknown)
    assert list(offers[-len(unknown) :]) == unknown, "they come last"


def test_hyperscaler_regions_all_have_a_country(offers: Sequence[Offer]) -> None:
    clouds = [o for o in offers if o.provider in {"aws", "azure", "gcp"}]
    assert {o.region for o in clouds if o.country == "unknown"} == set()


def test_countries_are_those_of_the_table(offers: Sequence[Offer]) -> None:
    known = {country.code for country in Regions.load().countries()}
    assert {o.country for o in offers} - {"unknown"} <= known


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_provider_has_one_file_without_a_provider_column(path) -> None:  # type: ignore[no-untyped-def]
    with path.open(encoding="utf-8", newline="") as file:
        header = next(csv.reader(file))
    assert "provider" not in header
    assert {"region", "instance", "accelerator", "pricing_term", "price_per_hour", "currency", "as_of", "source", "source_licence"} <= set(
        header
    )


def test_per_card_prices_stay_near_their_kind(catalog: TableCatalog, offers: Sequence[Offer]) -> None:
    """A price of a whole node in a per-card column, or the reverse, is off by eight."""
    by_card: dict[tuple[str, PricingTerm], list[Decimal]] = {}
    priced = []
    for offer in offers:
        usd = catalog.usd_per_hour(offer)
        if usd is not None:
            each = usd / Decimal(str(offer.accelerator_count))
            priced.append((offer, each))
            by_card.setdefault((offer.accelerator, offer.pricing_term), []).append(each)
    medians = {key: sorted(values)[len(values) // 2] for key, values in by_card.items()}
    high = [(o.provider, o.instance, each) for o, each in priced if each > 8 * medians[(o.accelerator, o.pricing_term)]]
    assert high == []
