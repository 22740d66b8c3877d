"""Providers with known prices, written for these tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tools.provider import PriceTier, Provider, StorageKind


@pytest.fixture(scope="session")
def provider() -> Callable[..., Provider]:
    def make(**facts: Any) -> Provider:
        base: dict[str, Any] = {
            "id": "example",
            "display_name": "Example Cloud",
            "category": "hyperscaler",
            "billing_step": "second",
            "storage": (StorageKind(name="disk", usd_per_gb_month=0.10, survives_stop="yes"),),
            "egress_tiers": (PriceTier(up_to_gb=100, usd_per_gb=0), PriceTier(usd_per_gb=0.09)),
        }
        return Provider(**(base | facts))

    return make
