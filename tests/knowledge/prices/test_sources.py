"""What is asked for whom, and how places are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.catalog import TableCatalog
from knowledge.prices.gpuhunt_source import OFFLINE, ONLINE, region_of
from knowledge.prices.public_lists import PUBLIC_LISTS
from knowledge.prices.skypilot_folder import host_shape

DOCUMENT = (Path(__file__).parent.parent.parent.parent / "docs" / "catalog.md").read_text(encoding="utf-8")


def test_every_source_belongs_to_a_known_provider() -> None:
    known = {provider.id for provider in TableCatalog.load().providers()}
    assert OFFLINE.keys() | ONLINE.keys() | PUBLIC_LISTS.keys() <= known
    assert not PUBLIC_LISTS.keys() & (OFFLINE.keys() | ONLINE.keys()), "one source for each"


def test_the_library_knows_the_names_it_is_asked_for() -> None:
    from gpuhunt._internal import catalog

    assert set(OFFLINE.values()) <= set(catalog.OFFLINE_PROVIDERS)
    assert {name for name, _, _ in ONLINE.values()} <= set(catalog.ONLINE_PROVIDERS)


def test_the_document_names_every_source() -> None:
    table = DOCUMENT[DOCUMENT.index("## What a refresh asks") : DOCUMENT.index("## What is believed")]
    named = {name.strip() for line in table.splitlines() if line.startswith("| ") for name in line.split("|")[1].split(",")}
    assert OFFLINE.keys() | ONLINE.keys() | PUBLIC_LISTS.keys() <= named


@pytest.mark.parametrize(
    ("provider", "place", "region"),
    [
        ("gcp", "us-central1-a", "us-central1"),
        ("gcp", "europe-west4", "europe-west4"),
        ("aws", "us-east-1a", "us-east-1"),
        ("aws", "ap-southeast-2", "ap-southeast-2"),
        ("aws", "us-gov-west-1b", "us-gov-west-1"),
        ("azure", "westus3", "westus3"),
        ("runpod", "EU-RO-1", "EU-RO-1"),
    ],
)
def test_a_zone_belongs_to_its_region(provider: str, place: str, region: str) -> None:
    assert region_of(provider, place) == region


@pytest.mark.parametrize(
    ("instance", "shape"),
    [
        ("a2-megagpu-16g", ("A100", 16)),
        ("a3-megagpu-8g", ("H100-MEGA", 8)),
        ("a3-edgegpu-8g-nolssd", ("H100", 8)),
        ("a4-highgpu-8g", ("B200", 8)),
        ("g2-standard-24", ("L4", 2)),
        ("g2-standard-96", ("L4", 8)),
        ("n1-standard-8", None),
        ("g2-standard-7", None),
        ("a9-futuregpu-8g", None),
    ],
)
def test_google_machines_and_their_cards(instance: str, shape: tuple[str, float] | None) -> None:
    assert host_shape(instance) == shape
