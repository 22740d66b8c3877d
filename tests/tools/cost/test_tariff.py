from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.cost.currency import Currency
from tools.cost.run_cost import DearestPrices, Rental, run_cost, run_hours
from tools.cost.span import Span
from tools.cost.tariff import Tariff
from tools.cost.work import Freight
from tools.provider import Provider
from tools.terms import PricingTerm

USD = Currency("USD", Decimal(1), None)
STEPS = st.sampled_from(["second", "minute", "ten_minutes", "hour", "unknown"])


@settings(deadline=None, max_examples=60)
@given(
    step=STEPS,
    term=st.sampled_from([PricingTerm.ON_DEMAND, PricingTerm.SPOT]),
    work=st.floats(0.01, 400),
    price=st.decimals(Decimal("0.05"), Decimal(300), places=2),
    machines=st.integers(1, 8),
    size=st.floats(0.1, 900),
    own=st.booleans(),
)
def test_what_plans_are_ranked_by_is_what_their_bill_says(
    provider: Callable[..., Provider], step: str, term: PricingTerm, work: float, price: Decimal, machines: int, size: float, own: bool
) -> None:
    record = None if own else provider(billing_step=step, minimum_charge="5 minute minimum")
    freight = Freight(weights_gb=size, checkpoint_gb=size / 4, result_gb=size / 2)
    rental = Rental(price, machines, record, term)
    parts = run_hours(Span(work * 0.8, work, work * 1.4), freight, rental)
    bill = run_cost(parts, freight, rental, USD, DearestPrices(0.2, 0.1))
    assert Tariff.of(record, freight).expected_usd(parts, float(price)) == pytest.approx(bill.total.expected, rel=1e-6, abs=1e-3)
