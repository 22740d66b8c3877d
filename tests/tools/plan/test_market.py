from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from tools.arguments import PlanArguments
from tools.context import Context
from tools.errors import MissingFact, NoPlanFound
from tools.offer import Offer
from tools.plan.market import open_market
from tools.provider import Provider, StorageKind
from tools.terms import PricingTerm

Open = Callable[..., Context]
Sell = Callable[..., Offer]
H100 = "H100 SXM 80GB"


def opened(ctx: Context, **said: object) -> list[str]:
    arguments = PlanArguments.model_validate(said)
    cards = ctx.catalog.accelerator_candidates(arguments.accelerator) if arguments.accelerator else ctx.catalog.accelerators()
    return [priced.offer.region for priced in open_market(ctx, arguments, cards).offers]


def test_eu_is_told_by_the_country_of_a_region(market: Open, sold: Sell) -> None:
    inside = sold("a", accelerator=H100, region="fra", country="DE")
    outside = sold("b", accelerator=H100, region="lon", country="GB")
    assert opened(market(inside, outside), region="EU") == ["fra"]


def test_a_feature_no_source_states_does_not_pass(market: Open, sold: Sell) -> None:
    silent = Provider(id="silent", display_name="Silent")
    lasting = Provider(id="lasting", display_name="Lasting", storage=(StorageKind(name="disk", survives_stop="yes"),))
    ctx = market(
        sold("silent", accelerator=H100, region="s"), sold("lasting", "9", accelerator=H100, region="l"), providers=(silent, lasting)
    )
    assert opened(ctx, features=["persistent_storage"]) == ["l"]


def test_the_condition_that_empties_the_market_is_named(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator=H100, region="lon", country="GB"))
    with pytest.raises(NoPlanFound, match="region = EU"):
        opened(ctx, region="EU", pricing_term="on_demand")


def test_a_price_in_an_unknown_currency_is_never_ranked(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", "0.01", accelerator=H100, region="x", currency="unknown"), sold("b", accelerator=H100, region="y"))
    assert opened(ctx) == ["y"]
    with pytest.raises(NoPlanFound, match="unknown currency"):
        opened(market(sold("a", "0.01", accelerator=H100, currency="unknown")))


def test_reserved_prices_appear_only_where_asked_for(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator=H100, region="od"), sold("b", "1", accelerator=H100, region="r", pricing_term=PricingTerm.RESERVED))
    assert opened(ctx) == ["od"]
    assert opened(ctx, pricing_term="reserved") == ["r"]


def test_a_named_desktop_card_appears_whatever_is_said_of_desktop_cards(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator="RTX 4090", region="d"), sold("b", accelerator=H100, region="c"))
    assert opened(ctx, consumer_ok=False) == ["c"]
    assert opened(ctx, consumer_ok=False, accelerator="RTX 4090") == ["d"]


def test_a_machine_type_narrows_to_itself(market: Open, sold: Sell) -> None:
    ctx = market(
        sold("aws", accelerator="A10G", instance="g5.xlarge", region="one"),
        sold("aws", accelerator="A10G", count=4, instance="g5.12xlarge", region="four"),
    )
    assert opened(ctx, accelerator="g5.12xlarge") == ["four"]


def test_an_own_price_needs_its_card(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator=H100))
    with pytest.raises(MissingFact):
        opened(ctx, usd_per_hour="2.5")


def test_an_own_price_is_for_all_cards_of_the_plan(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator=H100))
    arguments = PlanArguments(accelerator=H100, accelerator_count=16, nodes=2, usd_per_hour=Decimal(32))
    found = open_market(ctx, arguments, ctx.catalog.accelerator_candidates(H100))
    assert [(priced.cards, priced.usd_per_hour) for priced in found.offers] == [(8, Decimal(16))]
