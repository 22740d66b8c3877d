"""Price lists that providers publish without a key, for providers no library reads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from knowledge.prices.fetch import LATER, Fetch, json_at
from knowledge.prices.listed import ListedPrice, SourceFailed
from tools.terms import Availability

OWN_LIST = "the provider's own public price list"
"""Terms of a price that its provider publishes."""
GIB = 2**30


@dataclass(frozen=True, slots=True)
class PublicList:
    """A price list and how to read it."""

    provider: str
    """Provider id."""
    address: str
    """Where it is."""
    read: Callable[[str, Fetch, date], Iterator[ListedPrice]]
    """Address, fetcher, today -> rows. Raises SourceFailed."""


def number(value: Any) -> Decimal:
    """A figure of a reply as a decimal; NaN where it is none, which the guards keep back."""
    try:
        return Decimal(str(value))
    except (InvalidOperation, ValueError):
        return Decimal("NaN")


def part(reply: Any, name: str, kind: type, host: str) -> Any:
    """A part of a reply. Raises SourceFailed where the reply has changed its shape."""
    value = reply.get(name) if isinstance(reply, Mapping) else None
    if not isinstance(value, kind):
        raise SourceFailed(f"{host} answers in a shape this version does not know: no '{name}'.", LATER)
    return value


def scaleway(address: str, get: Fetch, today: date) -> Iterator[ListedPrice]:
    """Instances by zone; the price is in euros (https://www.scaleway.com/en/developers/api/instances/)."""
    stock = {"available": Availability.AVAILABLE, "scarce": Availability.LIMITED}
    for zone in ("fr-par-1", "fr-par-2", "nl-ams-1", "nl-ams-2", "pl-waw-2", "pl-waw-3"):
        base = f"{address}/instance/v1/zones/{zone}/products/servers"
        rows: dict[str, Any] = {}
        for page in range(1, 11):
            found = part(json_at(f"{base}?per_page=100&page={page}", get), "servers", dict, "Scaleway")
            rows |= found
            if len(found) < 100:
                break
        if not any(isinstance(row, Mapping) and row.get("gpu") for row in rows.values()):
            continue
        free = part(json_at(f"{base}/availability?per_page=100", get), "servers", dict, "Scaleway")
        for name, row in rows.items():
            if not isinstance(row, Mapping) or not row.get("gpu"):
                continue
            shape = re.fullmatch(r"(.+?)-(\d+)-(\d+)G", name)
            card = re.sub(r"^H100$", "H100 PCIe", shape[1].replace("-SXM", " SXM")) if shape else name
            state = free.get(name, {}).get("availability") if isinstance(free.get(name), Mapping) else None
            yield ListedPrice(
                provider="scaleway",
                region=zone,
                instance=name,
                card=card,
                memory_gb=float(shape[3]) if shape else None,
                count=float(row["gpu"]),
                vcpus=row.get("ncpus"),
                host_ram_gb=round(float(row["ram"]) / GIB, 1) if row.get("ram") else None,
                price=number(row.get("hourly_price")),
                currency="EUR",
                as_of=today,
                availability=stock.get(str(state), Availability.UNKNOWN),
                source=f"{base}",
                licence=OWN_LIST,
            )


def akamai(address: str, get: Fetch, today: date) -> Iterator[ListedPrice]:
    """Types of machine, with prices of regions that differ (https://techdocs.akamai.com/linode-api/reference/get-linode-types)."""
    for row in part(json_at(f"{address}/v4/linode/types?page_size=500", get), "data", list, "Akamai"):
        if not row.get("gpus"):
            continue
        prices = {"global": row.get("price", {}).get("hourly")}
        prices |= {each["id"]: each.get("hourly") for each in row.get("region_prices") or []}
        label = re.sub(r"^(?:Dedicated|Linode)\s+\d+GB\s*\+?\s*", "", str(row.get("label", "")))
        card = re.sub(r"\s*x\d+.*$|\s*GPU\s*", " ", label).strip()
        for region, price in prices.items():
            yield ListedPrice(
                provider="akamai",
                region=region,
                instance=str(row["id"]),
                card=card,
                count=float(row["gpus"]),
                vcpus=row.get("vcpus"),
                host_ram_gb=float(row["memory"]) / 1024 if row.get("memory") else None,
                price=number(price),
                currency="USD",
                as_of=today,
                source=f"{address}/v4/linode/types",
                licence=OWN_LIST,
            )


def akash(address: str, get: Fetch, today: date) -> Iterator[ListedPrice]:
    """Best bids of the network's hosts by card (https://akash.network/docs/)."""
    for row in part(json_at(f"{address}/v1/gpu-prices", get), "models", list, "Akash"):
        price, free = row.get("price") or {}, row.get("availability") or {}
        memory = re.match(r"\d+", str(row.get("ram") or ""))
        yield ListedPrice(
            provider="akash",
            region="global",
            instance=f"weighted average 1x {row.get('model')} {row.get('interface') or ''} {row.get('ram') or ''}".strip(),
            card=f"{row.get('model')} {row.get('interface') or ''}".strip(),
            memory_gb=float(memory[0]) if memory else None,
            count=1,
            price=number(price.get("weightedAverage")),
            currency=str(price.get("currency", "USD")),
            as_of=today,
            availability=Availability.AVAILABLE if free.get("available") else Availability.LIMITED,
            source=f"{address}/v1/gpu-prices",
            licence=OWN_LIST,
            notes="average over hosts; processor, memory and disk are billed on top",
        )


def cudo(address: str, get: Fetch, today: date) -> Iterator[ListedPrice]:
    """The card's own price by data centre (https://www.cudocompute.com/docs)."""
    for row in part(json_at(f"{address}/v1/vms/machine-types", get), "machineTypes", list, "CUDO"):
        if not row.get("gpuModel"):
            continue
        price = row.get("gpuPriceHr") or {}
        yield ListedPrice(
            provider="cudo",
            region=str(row.get("dataCenterId") or "unspecified"),
            instance=str(row.get("machineType") or row["gpuModel"]),
            card=str(row["gpuModel"]),
            count=1,
            price=number(price.get("value")),
            currency=str(price.get("currency") or "USD").upper(),
            as_of=today,
            availability=Availability.AVAILABLE if row.get("totalGpuFree") else Availability.LIMITED,
            source=f"{address}/v1/vms/machine-types",
            licence=OWN_LIST,
            notes="the card alone; processor and memory are billed on top",
        )


def ovh(address: str, get: Fetch, today: date) -> Iterator[ListedPrice]:
    """The public cloud's order catalog: amounts in 1e-8 of the currency (https://eu.api.ovh.com/console/?section=%2Forder)."""
    url = f"{address}/v1/order/catalog/public/cloud?ovhSubsidiary=DE"
    reply = json_at(url, get)
    currency = str(part(reply, "locale", dict, "OVHcloud").get("currencyCode", ""))
    for row in part(reply, "addons", list, "OVHcloud"):
        technical = ((row.get("blobs") or {}).get("technical")) or {}
        plan, card = str(row.get("planCode", "")), technical.get("gpu") or {}
        if not re.fullmatch(r"[\w-]+\.consumption", plan) or plan.startswith("win-") or not card.get("model"):
            continue
        regions = [
            value for each in row.get("configurations") or [] if "region" in str(each.get("name")) for value in each.get("values") or []
        ]
        for region in regions or ["unspecified"]:
            yield ListedPrice(
                provider="ovh",
                region=str(region),
                instance=plan.removesuffix(".consumption"),
                card=str(card["model"]),
                memory_gb=float((card.get("memory") or {}).get("size") or 0) or None,
                count=float(card.get("number") or 1),
                vcpus=(technical.get("cpu") or {}).get("cores"),
                host_ram_gb=(technical.get("memory") or {}).get("size"),
                price=number((row.get("pricings") or [{}])[0].get("price")) / 10**8,
                currency=currency,
                as_of=today,
                source=url,
                licence=OWN_LIST,
            )


PUBLIC_LISTS: Mapping[str, PublicList] = {
    each.provider: each
    for each in (
        PublicList("scaleway", "https://api.scaleway.com", scaleway),
        PublicList("akamai", "https://api.linode.com", akamai),
        PublicList("akash", "https://console-api.akash.network", akash),
        PublicList("cudo", "https://rest.compute.cudo.org", cudo),
        PublicList("ovh", "https://eu.api.ovh.com", ovh),
    )
}
"""Provider id -> its list."""
