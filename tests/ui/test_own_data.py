"""Offers of the user's own, in the data folder, on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ui.cli import MENDABLE, OK, main

HEADER = "region,instance,accelerator,accelerator_count,pricing_term,price_per_hour,currency,as_of,source,source_licence\n"


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADVISOR_DATA_DIR", str(tmp_path))
    (tmp_path / "offers").mkdir()
    return tmp_path / "offers" / "cellar.csv"


def test_an_own_offer_is_found(own: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text(HEADER + "cellar,rack-1,L40S,4,on_demand,0.40,USD,2026-11-01,our own,private\n", encoding="utf-8")
    assert main(["find-offers", "--accelerator", "L40S", "--limit", "1", "--json"]) == OK
    (offer,) = json.loads(capsys.readouterr().out)["offers"]
    assert (offer["provider"], offer["instance"], offer["usd_per_hour"]) == ("cellar", "rack-1", 0.4)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param("cellar,rack-1,L40S,4,on_demand,-1,USD,2026-11-01,our own,private\n", id="a negative price"),
        pytest.param("cellar,rack-1,L40S,4,on_demand,1,USD,yesterday,our own,private\n", id="a date that is none"),
        pytest.param("cellar,rack-1,L40S,4,sometimes,1,USD,2026-11-01,our own,private\n", id="an unknown pricing term"),
        pytest.param("cellar,rack-1,Abacus 9000,4,on_demand,1,USD,2026-11-01,our own,private\n", id="an unknown accelerator"),
    ],
)
def test_a_corrupt_row_names_its_file(own: Path, row: str, capsys: pytest.CaptureFixture[str]) -> None:
    own.write_text(HEADER + row, encoding="utf-8")
    assert main(["find-offers", "--accelerator", "L40S"]) == MENDABLE
    told = capsys.readouterr().err
    assert "cellar.csv" in told and "Mend the row" in told and "Traceback" not in told
