"""Replies of providers in the shape they were seen in, read through the same refresh."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from knowledge.catalog import TableCatalog
from tests.knowledge.prices.conftest import Lists, Refresh, only
from tools.offer import OfferQuery
from tools.terms import Availability

AKAMAI = {
    "data": [
        {"id": "g6-nanode-1", "label": "Nanode 1GB", "gpus": 0, "price": {"hourly": 0.0075}, "region_prices": []},
        {
            "id": "g2-gpu-rtx4000a1-m",
            "label": "RTX4000 Ada x1 Medium",
            "gpus": 1,
            "memory": 32768,
            "vcpus": 8,
            "price": {"hourly": 0.67},
            "region_prices": [{"id": "us-sea", "hourly": 0.7}],
        },
        {"id": "g3-gpu-rtxpro6000-blackwell-1", "label": "RTX PRO 6000 Blackwell x1", "gpus": 1, "price": {"hourly": 0.0}},
    ],
    "page": 1,
    "pages": 1,
}
AKASH = {
    "availability": {"total": 400, "available": 200},
    "models": [
        {
            "vendor": "nvidia",
            "model": "h100",
            "ram": "80Gi",
            "interface": "SXM5",
            "availability": {"total": 100, "available": 40},
            "price": {"currency": "USD", "min": 1.2, "max": 3.0, "avg": 2.0, "weightedAverage": 1.8, "med": 1.9},
        },
        {
            "vendor": "nvidia",
            "model": "a100",
            "ram": "80Gi",
            "interface": "PCIe",
            "availability": {"total": 3, "available": 0},
            "price": None,
        },
    ],
}
CUDO = {
    "machineTypes": [
        {
            "machineType": "epyc-milan-rtx-a5000",
            "dataCenterId": "no-luster-1",
            "gpuModel": "RTX A5000",
            "gpuPriceHr": {"value": "0.35"},
            "totalGpuFree": 4,
        },
        {
            "machineType": "epyc-l40s",
            "dataCenterId": "ca-montreal-1",
            "gpuModel": "L40S (compute mode)",
            "gpuPriceHr": {"value": "0.87"},
            "totalGpuFree": 0,
        },
        {"machineType": "epyc-milan", "dataCenterId": "no-luster-1", "gpuModel": ""},
    ]
}
OVH: dict[str, Any] = {
    "locale": {"currencyCode": "EUR"},
    "addons": [
        {
            "planCode": "l40s-90.consumption",
            "pricings": [{"price": 140_000_000}],
            "configurations": [{"name": "region", "values": ["GRA11", "WAW1"]}],
            "blobs": {
                "technical": {"gpu": {"model": "L40S", "number": 1, "memory": {"size": 48}}, "cpu": {"cores": 15}, "memory": {"size": 90}}
            },
        },
        {
            "planCode": "l40s-90.monthly.postpaid",
            "pricings": [{"price": 100_000_000_000}],
            "blobs": {"technical": {"gpu": {"model": "L40S"}}},
        },
        {"planCode": "b2-7.consumption", "pricings": [{"price": 6_000_000}], "blobs": {"technical": {"cpu": {"cores": 2}}}},
    ],
}


def found(folder: Path, provider: str) -> dict[str, tuple[str, str, Decimal, str, Availability]]:
    offers = TableCatalog.load(own=folder).offers(OfferQuery(providers=(provider,)))
    return {f"{o.instance} {o.region}": (o.accelerator, o.currency, o.price_per_hour, o.country, o.availability) for o in offers}


def test_akamai(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    lists.say("/akamai/v4/linode/types", AKAMAI)
    told = only(refresh("akamai", accept=True), "akamai")
    assert told.held_back == 1, "a price of 0 is none"
    unknown = Availability.UNKNOWN
    assert (
        found(tmp_path, "akamai").items()
        >= {
            "g2-gpu-rtx4000a1-m global": ("RTX 4000 Ada", "USD", Decimal("0.67"), "unknown", unknown),
            "g2-gpu-rtx4000a1-m us-sea": ("RTX 4000 Ada", "USD", Decimal("0.7"), "US", unknown),
        }.items()
    )


def test_akash(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    lists.say("/akash/v1/gpu-prices", AKASH)
    told = only(refresh("akash", accept=True), "akash")
    assert told.held_back == 1
    ((name, offer),) = found(tmp_path, "akash").items()
    assert name.startswith("weighted average 1x h100")
    assert offer == ("H100 SXM 80GB", "USD", Decimal("1.8"), "unknown", Availability.AVAILABLE)


def test_cudo(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    lists.say("/cudo/v1/vms/machine-types", CUDO)
    assert only(refresh("cudo", accept=True), "cudo").rows == 2
    assert found(tmp_path, "cudo") == {
        "epyc-milan-rtx-a5000 no-luster-1": ("RTX A5000", "USD", Decimal("0.35"), "NO", Availability.AVAILABLE),
        "epyc-l40s ca-montreal-1": ("L40S", "USD", Decimal("0.87"), "CA", Availability.LIMITED),
    }


def test_ovh(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    lists.say("/ovh/v1/order/catalog/public/cloud", OVH)
    assert only(refresh("ovh", accept=True), "ovh").rows == 2
    assert found(tmp_path, "ovh") == {
        "l40s-90 GRA11": ("L40S", "EUR", Decimal("1.4"), "FR", Availability.UNKNOWN),
        "l40s-90 WAW1": ("L40S", "EUR", Decimal("1.4"), "PL", Availability.UNKNOWN),
    }


@pytest.mark.parametrize(
    ("provider", "path"),
    [
        ("akamai", "/akamai/v4/linode/types"),
        ("akash", "/akash/v1/gpu-prices"),
        ("cudo", "/cudo/v1/vms/machine-types"),
        ("ovh", "/ovh/v1/order/catalog/public/cloud"),
    ],
)
@pytest.mark.parametrize("body", ["[]", "null", '{"data": 1, "models": 1, "machineTypes": 1, "addons": 1, "locale": 1}', "<html>"])
def test_another_shape_is_told_and_changes_nothing(lists: Lists, refresh: Refresh, provider: str, path: str, body: str) -> None:
    lists.say(path, body)
    assert only(refresh(provider), provider).outcome == "failed"
