"""Offers with the age of every price."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tools.arguments import OfferArguments
from tools.context import Context
from tools.errors import UnknownName
from tools.offer_results import OfferList
from tools.offers import OLD_DAYS, offers_matching


def found(ctx: Context, **arguments: object) -> OfferList:
    return offers_matching(ctx, OfferArguments.model_validate({"limit": 500} | arguments))


def test_cheapest_per_card_first_but_none_older_than_a_year_before_a_younger(ctx: Context) -> None:
    rows = [row for row in found(ctx, accelerator="T4").offers if row.usd_per_accelerator_hour is not None]
    old = [row.age_days > OLD_DAYS for row in rows]
    assert True in old
    assert False in old
    assert old == sorted(old)
    young = [row.usd_per_accelerator_hour for row in rows if row.age_days <= OLD_DAYS]
    assert young == sorted(young)


def test_prices_of_unknown_currency_come_last_without_a_dollar_figure(ctx: Context) -> None:
    result = found(ctx, accelerator="A30")
    unknown = [row.usd_per_hour is None for row in result.offers]
    assert True in unknown
    assert unknown == sorted(unknown)
    assert any("currency" in warning for warning in result.warnings)


def test_the_list_is_cut_but_says_how_many_matched(ctx: Context) -> None:
    result = found(ctx, accelerator="L4", limit=3)
    assert len(result.offers) == 3
    assert result.matched > 100


def test_an_ambiguous_name_matches_every_form(ctx: Context) -> None:
    assert {row.accelerator for row in found(ctx, accelerator="A100", limit=500).offers} >= {"A100 SXM 40GB", "A100 PCIe 80GB"}


def test_features_must_be_known_to_pass(ctx: Context) -> None:
    providers = {row.provider for row in found(ctx, features=["eu_company", "ssh"]).offers}
    records = {record.id: record for record in ctx.catalog.providers()}
    assert providers
    assert all(records[name].ssh == "yes" and records[name].hq_country in {"NL", "FI", "FR"} for name in providers)


def test_a_region_and_a_price_narrow(ctx: Context) -> None:
    result = found(ctx, minimum_memory_gb=40, region="FI", maximum_usd_per_hour=Decimal(5))
    assert result.offers
    assert all(row.country == "FI" and row.usd_per_hour is not None and row.usd_per_hour <= 5 for row in result.offers)


def test_stale_prices_are_marked_and_warned_of_once(ctx: Context) -> None:
    result = found(ctx, accelerator="L4", pricing_term="spot")
    assert all(row.stale == (row.age_days > 1) for row in result.offers)
    assert sum("older than" in warning for warning in result.warnings) == 1


def test_a_hyperscaler_list_price_stays_true_for_a_year(ctx: Context) -> None:
    rows = found(ctx, provider="azure", pricing_term="on_demand", accelerator="T4").offers
    assert rows
    assert all(row.stale == (row.age_days > 365) for row in rows)


def test_nothing_found_says_which_conditions_did_it(ctx: Context) -> None:
    result = found(ctx, accelerator="H100", maximum_usd_per_hour="0.01")
    assert (result.offers, result.matched) == ([], 0)
    assert "maximum_usd_per_hour" in result.warnings[0]


@pytest.mark.parametrize("name", ["accelerator", "provider"])
def test_an_unknown_name_is_said(ctx: Context, name: str) -> None:
    with pytest.raises(UnknownName):
        found(ctx, **{name: "Wombat 9000"})


def test_a_slice_appears_when_its_machine_type_is_named(ctx: Context) -> None:
    rows = found(ctx, accelerator="g6f.xlarge", provider="aws").offers
    assert any(row.accelerator_count < 1 for row in rows)
