"""The catalog: filters, regions, own offers, rates."""

from __future__ import annotations

import sys
from decimal import Decimal
from pathlib import Path

import pytest

from knowledge.catalog import TableCatalog
from knowledge.context import open_context
from knowledge.regions import Regions
from tools.context import Context
from tools.errors import BrokenData, UnknownName
from tools.offer import OfferQuery
from tools.terms import PricingTerm

HEADER = "region,instance,accelerator,accelerator_count,pricing_term,price_per_hour,currency,as_of,source,source_licence\n"
EU = set("AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE".split())  # noqa: SIM905


def own_offers(folder: Path, rows: str) -> Path:
    (folder / "offers").mkdir()
    (folder / "offers" / "rack.csv").write_text(HEADER + rows, encoding="utf-8")
    return folder


def test_offers_come_cheapest_per_card_first(ctx: Context) -> None:
    found = ctx.catalog.offers(OfferQuery(accelerators=("L4",)))
    prices = [ctx.catalog.usd_per_hour(offer) for offer in found]
    each = [price / Decimal(str(offer.accelerator_count)) for price, offer in zip(prices, found, strict=True) if price is not None]
    assert len(each) > 50
    assert each == sorted(each)


@pytest.mark.parametrize("written", ["EU", "eu", "European Union"])
def test_eu_means_member_states_not_a_prefix(ctx: Context, written: str) -> None:
    found = ctx.catalog.offers(OfferQuery(region=written, include_specialised=True))
    assert found
    assert {offer.country for offer in found} <= EU
    regions = {offer.region for offer in found}
    assert "eu-west-2" not in regions, "London"
    assert "eu-central-2" not in regions, "Zurich"
    assert "northeurope" in regions, "Dublin"


@pytest.mark.parametrize(
    ("written", "countries"),
    [("DE", {"DE"}), ("Deutschland", {"DE"}), ("finland", {"FI"}), ("USA", {"US"}), ("Norwegen", {"NO"})],
)
def test_a_country_by_code_or_name(ctx: Context, written: str, countries: set[str]) -> None:
    assert {offer.country for offer in ctx.catalog.offers(OfferQuery(region=written))} == countries


def test_europe_is_wider_than_the_union(ctx: Context) -> None:
    countries = {offer.country for offer in ctx.catalog.offers(OfferQuery(region="Europe"))}
    assert {"GB", "CH", "NO", "DE"} <= countries
    assert "US" not in countries


def test_a_region_as_the_provider_names_it(ctx: Context) -> None:
    assert {offer.region for offer in ctx.catalog.offers(OfferQuery(region="eu-central-1"))} == {"eu-central-1"}


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        (OfferQuery(accelerator_count=8), lambda o: o.accelerator_count == 8),
        (OfferQuery(minimum_count=4), lambda o: o.accelerator_count >= 4),
        (OfferQuery(providers=("lambda",)), lambda o: o.provider == "lambda"),
        (OfferQuery(pricing_term=PricingTerm.SPOT), lambda o: o.pricing_term is PricingTerm.SPOT),
        (OfferQuery(maximum_usd_per_hour=Decimal(1)), lambda o: o.price_per_hour <= 1),
    ],
    ids=["count", "least count", "provider", "term", "price"],
)
def test_each_field_narrows(ctx: Context, query: OfferQuery, holds) -> None:  # type: ignore[no-untyped-def]
    found = ctx.catalog.offers(query)
    assert found
    assert all(holds(offer) for offer in found)
    assert len(found) < len(ctx.catalog.offers(OfferQuery()))


def test_desktop_cards_can_be_left_out(ctx: Context) -> None:
    consumer = {card.id for card in ctx.catalog.accelerators() if card.consumer}
    assert consumer & {offer.accelerator for offer in ctx.catalog.offers(OfferQuery())}
    assert not consumer & {offer.accelerator for offer in ctx.catalog.offers(OfferQuery(consumer_ok=False))}


def test_other_chips_and_slices_appear_only_when_named(ctx: Context) -> None:
    usual = ctx.catalog.offers(OfferQuery())
    assert {offer.accelerator for offer in usual}.isdisjoint({"TPU-v5e", "Trainium1", "Inferentia2", "K80"})
    assert all(offer.accelerator_count == int(offer.accelerator_count) for offer in usual)
    assert ctx.catalog.offers(OfferQuery(accelerators=("TPU-v5e",)))
    named = ctx.catalog.offers(OfferQuery(accelerators=("A16",)))
    assert all(offer.accelerator_count >= 1 for offer in named)


def test_a_machine_type_names_its_cards(ctx: Context) -> None:
    assert ctx.catalog.instance_accelerator("g5.12xlarge") == ("A10G", 4)
    assert ctx.catalog.instance_accelerator("P4D.24XLARGE") == ("A100 SXM 40GB", 8)
    assert ctx.catalog.instance_accelerator("A100") is None
    assert ctx.catalog.instance_accelerator("m7i.large") is None


@pytest.mark.parametrize(
    ("written", "id_"), [("RunPod", "runpod"), ("run pod", "runpod"), ("Lambda Labs", "lambda"), ("DataCrunch", "verda")]
)
def test_a_provider_by_any_of_its_names(ctx: Context, written: str, id_: str) -> None:
    assert ctx.catalog.provider(written).id == id_


def test_an_unknown_provider_or_currency_is_said(ctx: Context) -> None:
    with pytest.raises(UnknownName, match="provider"):
        ctx.catalog.provider("Cloudy McCloudface")
    with pytest.raises(UnknownName, match="currency"):
        ctx.catalog.rate("XYZ")
    assert ctx.catalog.rate("eur").usd_per_unit > 1


def test_own_offers_join_the_shipped_ones(tmp_path: Path) -> None:
    own = own_offers(tmp_path, "cellar,node1,RTX 4090,4,on_demand,0.80,EUR,2026-11-01,our rack,own\n")
    catalog = TableCatalog.load(own=own)
    (offer,) = catalog.offers(OfferQuery(providers=("rack",)))
    assert (offer.country, offer.currency) == ("unknown", "EUR")
    assert catalog.usd_per_hour(offer) == offer.price_per_hour * catalog.rate("EUR").usd_per_unit
    assert len(catalog.offers(OfferQuery())) > 1000


def test_own_offers_of_an_unknown_card_are_refused_by_name(tmp_path: Path) -> None:
    own = own_offers(tmp_path, "cellar,node1,RTX 9999,4,on_demand,0.80,EUR,2026-11-01,our rack,own\n")
    with pytest.raises(BrokenData, match="RTX 9999"):
        TableCatalog.load(own=own)


def test_opening_a_context_imports_nothing_heavy() -> None:
    ctx = open_context()
    assert ctx.catalog.accelerators()
    assert "knowledge.retriever" not in sys.modules or "chromadb" not in sys.modules


def test_the_day_can_be_set(ctx: Context) -> None:
    assert open_context(today=ctx.today).today == ctx.today


@pytest.mark.parametrize(
    ("written", "regions"),
    [
        ("Frankfurt", {"eu-central-1", "germanywestcentral", "europe-west3", "eu-de", "FRA (DE)"}),
        ("in Zürich", {"eu-central-2", "switzerlandnorth", "europe-west6"}),
        ("Mailand", {"eu-south-1", "italynorth"}),
    ],
)
def test_a_city_is_known_by_the_regions_that_lie_there(ctx: Context, written: str, regions: set[str]) -> None:
    assert {offer.region for offer in ctx.catalog.offers(OfferQuery(region=written, include_specialised=True))} == regions


def test_only_before_a_country_adds_nothing(ctx: Context) -> None:
    plain = list(ctx.catalog.offers(OfferQuery(region="Germany")))
    assert plain
    assert list(ctx.catalog.offers(OfferQuery(region="nur Deutschland"))) == plain


def test_a_zone_lies_in_the_country_of_its_region() -> None:
    regions = Regions.load()
    assert regions.country("scaleway", "pl-waw-3") == "PL"
    assert regions.country("gcp", "europe-west3-b") == "unknown", "the collectors name regions, not zones"
    assert regions.country("scaleway", "moon-1") == "unknown"
