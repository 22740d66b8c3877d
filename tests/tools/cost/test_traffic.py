from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.cost.traffic import egress_charge, storage_charge, storage_price
from tools.provider import PriceTier, Provider, StorageKind

Make = Callable[..., Provider]


@pytest.mark.parametrize(
    ("gigabytes", "dollars"),
    [
        pytest.param(80, "0", id="inside the free tier"),
        pytest.param(141, "3.69", id="a 70B model: 41 GB beyond the free 100"),
        pytest.param(100, "0", id="exactly the free tier"),
    ],
)
def test_egress_charges_only_the_part_in_each_tier(provider: Make, gigabytes: float, dollars: str) -> None:
    assert egress_charge(provider(), gigabytes) == Decimal(dollars)


def test_unknown_prices_are_not_zero(provider: Make) -> None:
    silent = provider(egress_tiers=(), storage=())
    assert egress_charge(silent, 10) is None
    assert storage_charge(silent, 10, 5) is None


def test_a_disk_of_100_gb_for_a_month_costs_its_monthly_price(provider: Make) -> None:
    assert storage_charge(provider(), 100, 730) == Decimal("10")


def test_the_disk_that_survives_a_stop_is_priced_before_a_cheaper_one(provider: Make) -> None:
    kinds = (StorageKind(name="scratch", usd_per_gb_month=0.02), StorageKind(name="volume", usd_per_gb_month=0.2, survives_stop="yes"))
    assert storage_price(provider(storage=kinds)) == 0.2


def test_object_storage_is_no_disk(provider: Make) -> None:
    assert storage_price(provider(storage=(StorageKind(name="Object Storage", usd_per_gb_month=0.01),))) is None


@given(st.floats(0, 1e5), st.floats(0, 1e5))
def test_more_egress_is_never_cheaper(one: float, other: float) -> None:
    tiers = (PriceTier(up_to_gb=100, usd_per_gb=0), PriceTier(up_to_gb=1000, usd_per_gb=0.09), PriceTier(usd_per_gb=0.05))
    record = Provider(id="x", display_name="X", egress_tiers=tiers)
    few, many = sorted((one, other))
    small, large = egress_charge(record, few), egress_charge(record, many)
    assert small is not None and large is not None and small <= large
