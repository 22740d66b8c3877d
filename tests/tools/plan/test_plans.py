"""Plans over a market of known prices, with the real memory and time."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest

from tools.arguments import PlanArguments
from tools.context import Context
from tools.errors import NoPlanFound
from tools.offer import ExchangeRate, Offer
from tools.plan.rank import plans_for
from tools.provider import PriceTier, Provider
from tools.results import PlanResult
from tools.terms import PricingTerm, Sharding

Open = Callable[..., Context]
Sell = Callable[..., Offer]
H100, A100, L40S, R4090 = "H100 SXM 80GB", "A100 SXM 80GB", "L40S", "RTX 4090"
JOB = {"model": "meta-llama/Llama-3.1-8B", "method": "qlora", "sequence_length": 2048, "dataset_tokens": 20_000_000}


def plan(ctx: Context, **said: object) -> PlanResult:
    return plans_for(ctx, PlanArguments.model_validate(JOB | said))


@pytest.fixture(scope="module")
def shop(market: Open, sold: Sell) -> Context:
    return market(
        sold("big", "3.00", accelerator=H100),
        sold("big", "24.00", 8, accelerator=H100),
        sold("old", "1.60", accelerator=A100),
        sold("mid", "0.90", accelerator=L40S),
        sold("small", "0.40", accelerator=R4090),
        sold("small", "0.80", 2, accelerator=R4090),
        sold("spot", "1.10", accelerator=H100, pricing_term=PricingTerm.SPOT),
    )


def test_the_cheapest_hour_is_not_the_measure(shop: Context) -> None:
    found = plan(shop)
    costs = [one.cost.total.expected for one in found.plans[1:] if one.cost and one.offer.pricing_term is PricingTerm.ON_DEMAND]
    assert costs == sorted(costs)
    assert all(one.cost is not None and one.hours is not None for one in found.plans)


def test_parts_of_a_cost_sum_to_its_total(shop: Context) -> None:
    for one in plan(shop).plans:
        assert one.cost is not None
        cost = one.cost
        assert cost.compute + cost.setup + cost.storage + cost.egress + cost.interruptions == pytest.approx(cost.total.expected, abs=0.01)
        assert cost.total.low <= cost.total.expected <= cost.total.high


def test_a_spot_plan_carries_its_interruptions(shop: Context) -> None:
    spot = [one for one in plan(shop).plans if one.offer.pricing_term is PricingTerm.SPOT]
    assert spot and all(one.cost is not None and one.cost.interruptions > 0 for one in spot)
    assert "interruptible" in spot[0].reasons


def test_without_data_nothing_is_shown_that_cannot_be_priced(shop: Context) -> None:
    found = plan(shop, dataset_tokens=None)
    assert found.plans
    assert all(one.cost is None and one.hours is None and one.usd_per_million_tokens for one in found.plans)
    assert all(one.offer.pricing_term is PricingTerm.ON_DEMAND for one in found.plans)
    assert any("dataset_tokens" in warning for warning in found.warnings)


def test_memory_and_duration_are_those_of_the_first_plan(shop: Context) -> None:
    found = plan(shop)
    first = found.plans[0]
    assert found.memory is not None and found.duration is not None
    assert found.memory.peak_device_bytes == first.memory
    assert found.memory.verdict.accelerator == first.accelerator
    assert found.duration.hours is not None and first.hours is not None
    assert found.duration.hours.expected == pytest.approx(first.hours.expected, rel=1e-6)


def test_full_tuning_goes_to_a_node_that_shares_the_states(shop: Context) -> None:
    found = plan(shop, method="full")
    assert (found.plans[0].accelerator, found.plans[0].accelerator_count, found.plans[0].nodes) == (H100, 8, 1)
    assert all(one.accelerator_count >= 8 for one in found.plans)
    assert found.plans[0].sharding in (Sharding.ZERO2, Sharding.FSDP, Sharding.ZERO3)


def test_cards_that_miss_by_little_say_by_how_much_and_what_would_help(market: Open, sold: Sell) -> None:
    small = "RTX A4500"  # 20 GB, less than the 16-bit weights and the rest of a LoRA on 8B take
    found = plan(market(sold("a", accelerator=A100), sold("b", accelerator=small)), method="lora")
    miss = next(miss for miss in found.near_misses if miss.accelerator == small)
    assert "GiB" in miss.missing
    assert miss.remedy


def test_a_budget_below_every_plan_leaves_near_misses_with_figures(shop: Context) -> None:
    found = plan(shop, budget=0.01, pricing_term="on_demand")
    assert found.plans == []
    assert not found.found
    assert all("over the budget" in miss.missing for miss in found.near_misses)


def test_a_tighter_condition_never_gives_a_cheaper_plan(shop: Context) -> None:
    def least(result: PlanResult) -> float:
        return min((one.cost.total.expected for one in result.plans if one.cost), default=float("inf"))

    free = least(plan(shop, limit=50))
    for said in ({"deadline": 2.0}, {"provider": "big"}, {"pricing_term": "on_demand"}, {"consumer_ok": False}, {"budget": 6.0}):
        assert least(plan(shop, limit=50, **said)) >= free - 1e-6


def test_a_deadline_counts_set_up(shop: Context) -> None:
    for one in plan(shop, deadline=1.0, limit=50).plans:
        assert one.wall_hours is not None and one.hours is not None
        assert one.hours.expected < one.wall_hours.expected <= 1.0


def test_a_count_that_is_not_sold_is_rented_with_idle_cards(shop: Context) -> None:
    found = plan(shop, accelerator=H100, accelerator_count=6)
    assert [(one.accelerator_count, one.offer.usd_per_hour) for one in found.plans] == [(6, Decimal("24.0000"))]
    assert any("idle" in warning for warning in found.plans[0].warnings)


def test_own_price_is_the_only_offer(shop: Context) -> None:
    found = plan(shop, accelerator=H100, usd_per_hour="2.10")
    assert [one.offer.source for one in found.plans] == ["your own price"]
    assert "own_price" in found.plans[0].reasons
    assert found.plans[0].cost is not None and found.plans[0].cost.storage == 0


def test_hourly_billing_makes_a_short_run_dearer(market: Open, sold: Sell) -> None:
    def cost_by(step: str) -> float:
        record = Provider(id="p", display_name="P", billing_step=step, egress_tiers=(PriceTier(usd_per_gb=0),))  # type: ignore[arg-type]
        found = plan(market(sold("p", "2.00", accelerator=H100), providers=(record,)), dataset_tokens=1_000_000)
        assert found.plans[0].cost is not None
        return found.plans[0].cost.total.expected

    assert cost_by("hour") >= 2.0 > cost_by("second")


def test_euros_show_their_rate_and_date(market: Open, sold: Sell) -> None:
    rate = ExchangeRate(currency="EUR", usd_per_unit=Decimal("1.25"), as_of=date(2026, 8, 21), source="a central bank")
    ctx = market(sold("a", accelerator=H100), rates=(rate,))
    dollars, euros = plan(ctx).plans[0].cost, plan(ctx, currency="EUR")
    assert dollars is not None and euros.plans[0].cost is not None
    assert euros.plans[0].cost.total.expected == pytest.approx(dollars.total.expected / 1.25, rel=1e-3)
    assert any("2026-08-21" in warning for warning in euros.warnings)


def test_what_fits_nowhere_says_what_it_needs(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator="T4"))
    with pytest.raises(NoPlanFound, match=r"fits nowhere.*per card"):
        plan(ctx, model="meta-llama/Llama-3.1-405B", method="full")


def test_a_named_card_that_is_far_too_small_says_what_would_do(market: Open, sold: Sell) -> None:
    found = plan(market(sold("a", accelerator=L40S)), model="Qwen/Qwen2.5-32B", method="lora", accelerator=L40S)
    assert not found.plans
    assert "QLoRA" in found.near_misses[0].remedy


def test_a_card_the_job_cannot_run_on_is_left_out(market: Open, sold: Sell) -> None:
    ctx = market(sold("a", accelerator=A100), sold("b", "9.00", accelerator=H100))
    found = plan(ctx, method="full", model="meta-llama/Llama-3.2-1B", compute_precision="fp8")
    assert {one.accelerator for one in found.plans} == {H100}


def test_a_price_for_the_cards_alone_is_told_and_widens_the_upper_end(market: Open, sold: Sell) -> None:
    whole = plan(market(sold("a", "2.00", accelerator=H100))).plans[0]
    bare = plan(market(sold("a", "2.00", accelerator=H100, notes="GPU-only price; RAM billed separately"))).plans[0]
    assert whole.cost is not None and bare.cost is not None
    assert "cpu_and_ram" in bare.cost.unknown and "cpu_and_ram" not in whole.cost.unknown
    assert bare.cost.total.high > whole.cost.total.high
    assert any("billed on top" in warning for warning in bare.warnings)


def test_images_are_priced_by_their_number(market: Open, sold: Sell) -> None:
    found = plan(market(sold("a", accelerator=R4090)), model="sdxl", method="lora", dataset_tokens=None, dataset_examples=500, epochs=4)
    assert found.plans[0].hours is not None and found.duration is not None and found.duration.hours is not None
    assert found.duration.hours.expected == pytest.approx(found.plans[0].hours.expected, rel=0.01)


def test_a_stated_number_of_cards_is_spread_over_as_many_machines_as_it_takes(shop: Context) -> None:
    found = plan(shop, accelerator=H100, accelerator_count=64, method="full")
    assert [(one.accelerator_count, one.nodes, one.offer.usd_per_hour) for one in found.plans] == [(64, 8, Decimal("192.0000"))]


def test_an_own_cluster_is_taken_in_machines_of_eight(shop: Context) -> None:
    found = plan(shop, accelerator=H100, accelerator_count=16, method="full", usd_per_hour="40")
    assert [(one.nodes, one.offer.usd_per_hour) for one in found.plans] == [(2, Decimal("40.0000"))]
