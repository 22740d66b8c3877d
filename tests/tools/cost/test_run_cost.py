from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.cost.currency import Currency
from tools.cost.interruptions import InterruptionRate
from tools.cost.run_cost import DearestPrices, Rental, run_cost, run_hours
from tools.cost.span import Span
from tools.cost.work import Freight
from tools.offer import ExchangeRate
from tools.provider import Provider
from tools.results import Cost
from tools.terms import PricingTerm

Make = Callable[..., Provider]
USD = Currency("USD", Decimal(1), None)
DEAREST = DearestPrices(0.2, 0.12)
ADAPTER = Freight(weights_gb=16, checkpoint_gb=2, result_gb=0.5)


def hours(value: float) -> Span:
    return Span(value * 0.8, value, value * 1.3)


def bill(provider: Provider | None, work: float = 10, price: str = "2", term: PricingTerm = PricingTerm.ON_DEMAND, **facts: object) -> Cost:
    rental = Rental(Decimal(price), 1, provider, term, **facts)  # type: ignore[arg-type]
    return run_cost(run_hours(hours(work), ADAPTER, rental), ADAPTER, rental, USD, DEAREST)


def parts(cost: Cost) -> float:
    return cost.compute + cost.setup + cost.storage + cost.egress + cost.interruptions


def test_the_parts_sum_to_the_expected_total(provider: Make) -> None:
    for term in (PricingTerm.ON_DEMAND, PricingTerm.SPOT):
        cost = bill(provider(), term=term)
        assert parts(cost) == pytest.approx(cost.total.expected, abs=0.001)


def test_ten_hours_at_two_dollars_by_the_second(provider: Make) -> None:
    cost = bill(provider())
    assert cost.compute == pytest.approx(20.0, abs=0.01)
    setup_hours = 6 / 60 + 16 / 0.3 / 3600 + 16 / 3600
    assert cost.setup == pytest.approx(2 * setup_hours, abs=0.01)
    assert cost.storage == pytest.approx(0.10 * (30 + 16 + 4 + 0.5) * (10 + setup_hours) / 730, abs=0.001)
    assert cost.egress == 0
    assert cost.interruptions == 0
    assert cost.unknown == []


def test_hourly_billing_rounds_the_whole_rental_up(provider: Make) -> None:
    cost = bill(provider(billing_step="hour"))
    assert cost.compute + cost.setup == pytest.approx(22.0)


def test_unknown_parts_are_named_and_raise_the_upper_end(provider: Make) -> None:
    silent = bill(provider(storage=(), egress_tiers=(), billing_step="unknown"))
    known = bill(provider(billing_step="hour", storage=(), egress_tiers=()))
    assert silent.unknown == ["billing_step", "storage", "egress"]
    assert silent.storage == silent.egress == 0
    assert silent.total.high >= known.total.high > 2 * 13
    assert silent.total.high > bill(None).total.high
    assert silent.total.low < silent.total.expected


def test_spot_pays_for_lost_work(provider: Make) -> None:
    steady, spot = bill(provider()), bill(provider(), term=PricingTerm.SPOT)
    assert spot.interruptions > 0
    assert spot.total.expected > steady.total.expected
    assert spot.total.high - steady.total.high > spot.total.expected - steady.total.expected


def test_own_machines_cost_their_hours_alone() -> None:
    cost = bill(None)
    assert (cost.storage, cost.egress, cost.unknown) == (0, 0, [])


def test_euros_are_converted_at_the_dated_rate(provider: Make) -> None:
    rate = ExchangeRate(currency="EUR", usd_per_unit=Decimal("1.25"), as_of=date(2026, 8, 21), source="a central bank")
    euro = Currency("EUR", rate.usd_per_unit, rate)
    rental = Rental(Decimal(2), 1, provider(), PricingTerm.ON_DEMAND)
    time = run_hours(hours(10), ADAPTER, rental)
    dollars, euros = (run_cost(time, ADAPTER, rental, money, DEAREST) for money in (USD, euro))
    assert euros.currency == "EUR"
    assert euros.total.expected == pytest.approx(dollars.total.expected / 1.25, abs=0.001)
    assert "1.25" in euro.note and "2026-08-21" in euro.note


def test_several_machines_are_interrupted_more_often(provider: Make) -> None:
    one = run_hours(hours(50), ADAPTER, Rental(Decimal(2), 1, provider(), PricingTerm.SPOT))
    four = run_hours(hours(50), ADAPTER, Rental(Decimal(8), 4, provider(), PricingTerm.SPOT))
    assert four.interruptions.expected > one.interruptions.expected


@settings(max_examples=60)
@given(
    st.floats(0.1, 500), st.floats(0.1, 500), st.sampled_from(["second", "minute", "hour", "unknown"]), st.sampled_from(list(PricingTerm))
)
def test_a_longer_run_never_costs_less(one: float, other: float, step: str, term: PricingTerm) -> None:
    record = Provider(id="x", display_name="X", billing_step=step)  # type: ignore[arg-type]
    short, long = sorted((one, other))
    assert bill(record, short, term=term).total.expected <= bill(record, long, term=term).total.expected + 1e-3


@settings(max_examples=60)
@given(st.floats(2.0, 400), st.floats(2.0, 400))
def test_more_interruptions_are_never_cheaper(one: float, other: float) -> None:
    record = Provider(id="x", display_name="X", billing_step="second")
    often, seldom = sorted((one, other))
    at = [bill(record, 40, term=PricingTerm.SPOT, rate=InterruptionRate(m * 2, m, m / 2, "test")).total.expected for m in (often, seldom)]
    assert at[0] >= at[1] - 1e-3
