from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tools.ageing import is_stale
from tools.offer import Offer
from tools.provider import Provider
from tools.terms import PricingTerm

TODAY = date(2026, 11, 15)


@pytest.mark.parametrize(
    ("category", "term", "age", "stale"),
    [
        pytest.param("hyperscaler", PricingTerm.ON_DEMAND, 365, False, id="a hyperscaler's list holds for a year"),
        pytest.param("hyperscaler", PricingTerm.ON_DEMAND, 366, True, id="and not a day longer"),
        pytest.param("hyperscaler", PricingTerm.SPOT, 2, True, id="its spot price holds for a day"),
        pytest.param("neocloud", PricingTerm.ON_DEMAND, 30, False, id="a specialised cloud's price holds for 30 days"),
        pytest.param("neocloud/marketplace", PricingTerm.ON_DEMAND, 31, True, id="the first word of a category counts"),
        pytest.param("marketplace", PricingTerm.ON_DEMAND, 2, True, id="a marketplace price holds for a day"),
        pytest.param("unknown", PricingTerm.ON_DEMAND, 31, True, id="an unknown kind counts as specialised"),
    ],
)
def test_age_by_kind(sold: Callable[..., Offer], category: str, term: PricingTerm, age: int, stale: bool) -> None:
    provider = Provider(id="p", display_name="P", category=category)
    assert is_stale(sold("p", age=age, pricing_term=term), provider, TODAY) is stale
