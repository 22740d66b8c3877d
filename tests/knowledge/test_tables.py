"""A broken row is named by file and line, and never read past."""

from __future__ import annotations

from pathlib import Path

import pytest

from knowledge.offer_columns import read_offers
from knowledge.regions import Regions
from knowledge.tables import read_csv, read_jsonl
from tools.accelerator import Accelerator
from tools.errors import BrokenData
from tools.offer import ExchangeRate

GOOD_CARD = '{"id": "X1", "vendor": "nvidia", "architecture": "Test", "memory_label_gb": 24}'
RATES = "currency,usd_per_unit,as_of,source\nEUR,1.1,2026-08-21,somebody\n"
OFFERS = "region,instance,accelerator,accelerator_count,pricing_term,price_per_hour,currency,as_of,source\n"


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{not json", "not JSON"),
        ('{"id": "X2"}', "vendor"),
        ('{"id": "X2", "vendor": "nvidia", "architecture": "T", "memory_label_gb": -1}', "memory_label_gb"),
        ('{"id": "X2", "vendor": "nvidia", "architecture": "T", "memory_label_gb": 24, "colour": "green"}', "colour"),
    ],
    ids=["not JSON", "a field missing", "an impossible value", "an unknown field"],
)
def test_a_broken_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = written(tmp_path, "cards.jsonl", f"{GOOD_CARD}\n\n{line}\n{GOOD_CARD}\n")
    with pytest.raises(BrokenData, match=reason) as caught:
        read_jsonl(path, Accelerator)
    assert caught.value.where == "cards.jsonl:3"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("EUR,zero,2026-08-21,somebody", "usd_per_unit"),
        ("EUR,0,2026-08-21,somebody", "usd_per_unit"),
        ("EUR,1.1,yesterday,somebody", "as_of"),
        ("EUR,1.1", "2 cells where the header names 4"),
    ],
    ids=["not a number", "zero", "not a date", "cells missing"],
)
def test_a_broken_row_is_named(tmp_path: Path, row: str, reason: str) -> None:
    path = written(tmp_path, "rates.csv", f"{RATES}{row}\n")
    with pytest.raises(BrokenData, match=reason) as caught:
        read_csv(path, ExchangeRate)
    assert caught.value.where == "rates.csv:3"


@pytest.mark.parametrize(
    ("text", "reason"),
    [("", "header is missing"), ("a,a\n1,2\n", "named twice"), (b"\xff\xfe", "not UTF-8")],
    ids=["empty", "a column twice", "not text"],
)
def test_a_broken_file_is_named(tmp_path: Path, text: str | bytes, reason: str) -> None:
    with pytest.raises(BrokenData, match=reason):
        read_csv(written(tmp_path, "rates.csv", text), ExchangeRate)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BrokenData, match=r"rates\.csv: the file is missing"):
        read_csv(tmp_path / "rates.csv", ExchangeRate)


def test_a_price_of_zero_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "acme.csv", f"{OFFERS}fra,big,L4,1,on_demand,0,USD,2026-10-01,somebody\n")
    with pytest.raises(BrokenData, match=r"acme\.csv:2: price_per_hour"):
        read_offers(path, Regions.load())


def test_the_file_name_is_the_provider_and_the_region_tells_the_country(tmp_path: Path) -> None:
    row = "eu-central-1,big,L4,1,on_demand,1.5,USD,2026-10-01,somebody\n"
    (offer,) = read_offers(written(tmp_path, "aws.csv", OFFERS + row), Regions.load())
    assert (offer.provider, offer.country) == ("aws", "DE")
