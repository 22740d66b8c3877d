"""Price lists in SkyPilot's format: `<cloud>/vms.csv` with one row for each machine type and zone.

Host and card of Google's A2, A3, A4 and G2 machines are two rows, which are added up here. Cards that are attached to
any host (T4, V100, P100, P4) have no single price and are left out.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from decimal import Decimal
from pathlib import Path

from knowledge.prices.gpuhunt_source import region_of
from knowledge.prices.listed import ListedPrice, SourceFailed
from knowledge.prices.public_lists import number

NAMES: Mapping[str, str] = {"do": "digitalocean", "ovhcloud": "ovh"}
"""Folder -> provider id, where they differ."""
NEEDED = ("InstanceType", "AcceleratorName", "AcceleratorCount", "Region", "Price", "SpotPrice")
LICENCE = "Apache-2.0 (SkyPilot catalog); prices are the providers' public list prices"

HOST_CARDS: Mapping[str, str] = {
    "a2-highgpu": "A100",
    "a2-megagpu": "A100",
    "a2-ultragpu": "A100-80GB",
    "a3-highgpu": "H100",
    "a3-edgegpu": "H100",
    "a3-megagpu": "H100-MEGA",
    "a3-ultragpu": "H200",
    "a4-highgpu": "B200",
}
"""Google's machine families and their cards (https://cloud.google.com/compute/docs/gpus)."""
G2_CARDS: Mapping[str, int] = {"4": 1, "8": 1, "12": 1, "16": 1, "32": 1, "24": 2, "48": 4, "96": 8}
"""Processors of a G2 machine -> its L4 cards (same page)."""


def folders(root: Path) -> Mapping[str, Path]:
    """Provider id -> its file below a folder. Raises SourceFailed where there is none."""
    found = {NAMES.get(path.parent.name, path.parent.name): path for path in sorted(root.glob("*/vms.csv"))}
    if not found and (root / "vms.csv").is_file():
        found = {NAMES.get(root.name, root.name): root / "vms.csv"}
    if not found:
        raise SourceFailed(f"No <cloud>/vms.csv below {root}.", "Name the folder of a catalog version, such as catalogs/v8.")
    return found


def read_folder(path: Path, provider: str, as_of: date, source: str) -> Iterator[ListedPrice]:
    """Rows of one file, on-demand and spot apart. Raises SourceFailed naming file and line."""
    rows = list(_rows(path))
    if provider == "gcp":
        rows = list(_with_hosts(rows))
    for row in rows:
        if not row["AcceleratorName"] or not row["InstanceType"]:
            continue
        zone = row.get("AvailabilityZone") or row["Region"]
        for spot, column in ((False, "Price"), (True, "SpotPrice")):
            if row[column].strip() in ("", "nan") and spot:
                continue
            yield ListedPrice(
                provider=provider,
                region=row["Region"] or region_of(provider, zone) or "unspecified",
                instance=row["InstanceType"],
                card=row["AcceleratorName"],
                count=float(number(row["AcceleratorCount"] or 0)),
                vcpus=_positive(row.get("vCPUs", "")),
                host_ram_gb=_positive(row.get("MemoryGiB", "")),
                price=number(row[column] or "nan"),
                currency="USD",
                as_of=as_of,
                source=source,
                licence=LICENCE,
                spot=spot,
            )


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        if missing := [name for name in NEEDED if name not in (reader.fieldnames or ())]:
            raise SourceFailed(f"{path.parent.name}/{path.name}:1: no column {', '.join(missing)}.", "Is it a SkyPilot catalog?")
        for row in reader:
            if None in row or None in row.values():
                raise SourceFailed(f"{path.parent.name}/{path.name}:{reader.line_num}: not as many cells as the header names.", "Mend it.")
            yield row


def _with_hosts(rows: Sequence[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Machines with their cards: the price of the host plus that of so many cards in the same zone."""
    cards = {
        (row["AcceleratorName"], float(row["AcceleratorCount"]), row["AvailabilityZone"]): row for row in rows if not row["InstanceType"]
    }
    for row in rows:
        if not row["InstanceType"]:
            continue
        if row["AcceleratorName"]:
            yield row
            continue
        shape = host_shape(row["InstanceType"])
        if shape is None or (card := cards.get((*shape, row["AvailabilityZone"]))) is None:
            continue
        prices = {column: _sum(row[column], card[column]) for column in ("Price", "SpotPrice")}
        yield {**row, "AcceleratorName": shape[0], "AcceleratorCount": str(shape[1]), **prices}


def host_shape(instance: str) -> tuple[str, float] | None:
    """Card and count that belong to one of Google's machine types, None where none does."""
    if found := re.fullmatch(r"g2-standard-(\d+)", instance):
        return ("L4", float(G2_CARDS[found[1]])) if found[1] in G2_CARDS else None
    if found := re.match(r"(a\d-[a-z]+gpu)-(\d+)g\b", instance):
        card = HOST_CARDS.get(found[1])
        return (card, float(found[2])) if card else None
    return None


def _sum(host: str, card: str) -> str:
    """Both prices together; one without the other is no price."""
    total = number(host or "nan") + number(card or "nan")
    return str(total) if total.is_finite() else ""


def _positive(cell: str) -> float | None:
    value = number(cell or "nan")
    return float(value) if value.is_finite() and value > Decimal(0) else None
