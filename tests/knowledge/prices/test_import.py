"""Price lists in SkyPilot's format from a folder."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from knowledge.catalog import TableCatalog
from knowledge.prices.import_folder import import_folder
from knowledge.prices.listed import SourceFailed
from tests.knowledge.prices.conftest import NOW, only
from tools.errors import InvalidArguments, UnknownName
from tools.offer import OfferQuery

HEADER = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
SOURCE = "https://github.com/skypilot-org/skypilot-catalog"
AWS = HEADER + (
    "p5.48xlarge,192.0,2048.0,H100,8.0,\"{'Gpus': [{'Name': 'H100'}]}\",eu-north-1,eu-north-1a,55.04,16.1\n"
    "p5.48xlarge,192.0,2048.0,H100,8.0,\"{'Gpus': [{'Name': 'H100'}]}\",eu-north-1,eu-north-1b,55.04,15.2\n"
    "g6.xlarge,4.0,16.0,L4,1.0,,eu-central-1,eu-central-1a,1.006,\n"
    "m5.large,2.0,8.0,,,,eu-central-1,eu-central-1a,0.115,0.05\n"
)


def folder(root: Path, **files: str) -> Path:
    for cloud, text in files.items():
        (root / cloud).mkdir(parents=True)
        (root / cloud / "vms.csv").write_text(text, encoding="utf-8")
    return root


def test_zones_become_regions_and_spot_its_own_row(tmp_path: Path) -> None:
    source = folder(tmp_path / "v8", aws=AWS, kubernetes=HEADER)
    report = import_folder(tmp_path, source, ("aws",), as_of=date(2026, 11, 10), source=SOURCE, accept=True, now=NOW)
    assert (only(report, "aws").outcome, only(report, "aws").rows) == ("refreshed", 3)
    found = {(o.instance, o.pricing_term.value): o for o in TableCatalog.load(own=tmp_path).offers(OfferQuery(providers=("aws",)))}
    assert found[("p5.48xlarge", "spot")].price_per_hour == Decimal("15.2")
    assert found[("p5.48xlarge", "on_demand")].accelerator == "H100 SXM 80GB", "as the machine type was known"
    assert (found[("g6.xlarge", "on_demand")].region, found[("g6.xlarge", "on_demand")].country) == ("eu-central-1", "DE")
    assert {o.as_of for o in found.values()} == {date(2026, 11, 10)}


def test_a_list_with_fewer_rows_needs_consent(tmp_path: Path) -> None:
    source = folder(tmp_path / "v8", aws=AWS)
    report = import_folder(tmp_path, source, as_of=date(2026, 11, 10), source=SOURCE, now=NOW)
    assert only(report, "aws").outcome == "refused"


def test_a_cloud_that_nobody_knows_is_told(tmp_path: Path) -> None:
    source = folder(tmp_path / "v8", atlantis=AWS)
    report = import_folder(tmp_path, source, as_of=date(2026, 11, 10), source=SOURCE, now=NOW)
    assert only(report, "atlantis").outcome == "no_source"


@pytest.mark.parametrize(
    ("text", "told"),
    [("a,b\n1,2\n", "vms.csv:1: no column"), (HEADER + "p5,1,1,H100\n", "vms.csv:2: not as many cells"), ("", "vms.csv:1: no column")],
)
def test_a_broken_file_is_told_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    source = folder(tmp_path / "v8", aws=text)
    report = import_folder(tmp_path, source, as_of=date(2026, 11, 10), source=SOURCE, now=NOW)
    assert only(report, "aws").outcome == "failed"
    assert told in only(report, "aws").message


def test_what_cannot_be_imported_is_refused_with_words(tmp_path: Path) -> None:
    source = folder(tmp_path / "v8", aws=AWS)
    with pytest.raises(InvalidArguments, match="future"):
        import_folder(tmp_path, source, as_of=date(2027, 1, 1), source=SOURCE, now=NOW)
    with pytest.raises(UnknownName, match="price list"):
        import_folder(tmp_path, source, ("gcp",), as_of=date(2026, 1, 1), source=SOURCE, now=NOW)
    with pytest.raises(SourceFailed, match=r"vms\.csv"):
        import_folder(tmp_path, tmp_path / "v8" / "aws" / "x", as_of=date(2026, 1, 1), source=SOURCE, now=NOW)
