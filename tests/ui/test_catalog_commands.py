"""`advisor catalog ...` and `GET /v1/catalog`."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from knowledge.context import open_context, with_newer_prices
from knowledge.prices.public_lists import PUBLIC_LISTS
from knowledge.prices.refresh import Refresher, Sources
from tests.knowledge.prices.conftest import NOW
from tests.knowledge.prices.rows import listed
from tools.arguments import OfferArguments
from tools.offers import offers_matching
from ui.cli import MENDABLE, OK, USAGE, main
from ui.http_catalog import catalog_router

NOWHERE = "http://127.0.0.1:9"
"""A port where nobody listens."""
HEADER = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ADVISOR_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


def run(*arguments: str) -> int:
    return main(arguments)


def take(folder: Path, price: int, days: int = 0) -> None:
    Refresher(folder, now=NOW.replace(day=NOW.day + days)).take({"lambda": lambda: listed("lambda", price)}, accept=True)


def test_the_state_before_any_refresh(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("catalog", "status") == OK
    out = capsys.readouterr().out
    assert "the prices that ship" in out
    assert "Never refreshed" in out
    assert not folder.exists(), "looking writes nothing"


def test_the_state_as_json_is_that_of_the_api(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take(folder, 3)
    assert run("catalog", "status", "--json") == OK
    told = json.loads(capsys.readouterr().out)
    app = FastAPI()
    app.include_router(catalog_router(lambda: date.fromisoformat(told["today"]), folder))
    assert TestClient(app).get("/v1/catalog").json() == told
    assert told["last_refresh"]["providers"][0]["provider"] == "lambda"


def test_a_damaged_snapshot_is_a_problem_with_a_hint(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take(folder, 3)
    (folder / "catalog" / "CURRENT").write_text("nonsense", encoding="ascii")
    assert run("catalog", "status") == MENDABLE
    assert "advisor catalog rollback" in capsys.readouterr().err
    app = FastAPI()
    app.include_router(catalog_router(lambda: NOW.date(), folder))
    reply = TestClient(app).get("/v1/catalog")
    assert reply.status_code >= 400
    assert reply.headers["content-type"] == "application/problem+json"
    assert run("catalog", "rollback") == OK
    assert run("catalog", "status") == OK


def test_a_refresh_without_a_network_says_so_and_keeps_everything(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = Sources(public_lists={"scaleway": replace(PUBLIC_LISTS["scaleway"], address=NOWHERE)}, rates_address=NOWHERE)
    monkeypatch.setattr("knowledge.prices.refresh.Sources", lambda: nowhere)
    assert run("catalog", "refresh", "scaleway") == MENDABLE
    out = capsys.readouterr().out
    assert "No connection to 127.0.0.1" in out
    assert "Nothing was fetched; the prices so far stay in force" in out
    assert not (folder / "catalog" / "CURRENT").exists()


def test_an_import_from_the_command_line(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "v8" / "lambda"
    source.mkdir(parents=True)
    source.joinpath("vms.csv").write_text(HEADER + "gpu_1x_h100_pcie_80gb,26,200,H100,1,,us-east-1,,2.99,\n", encoding="utf-8")
    assert run("catalog", "import", str(tmp_path / "v8")) == USAGE, "the day of the prices must be said"
    assert run("catalog", "import", str(tmp_path / "v8"), "--as-of", "2026-11-10") == MENDABLE
    assert "1 usable rows where there were" in capsys.readouterr().out
    assert run("catalog", "import", str(tmp_path / "v8"), "--as-of", "2026-11-10", "--accept") == OK
    assert run("catalog", "history", "H100", "--provider", "lambda") == OK


def test_an_export_can_be_read_as_private_offers(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("catalog", "export", str(tmp_path / "copy")) == OK
    assert "offers written" in capsys.readouterr().out
    own = tmp_path / "other" / "offers"
    own.mkdir(parents=True)
    own.joinpath("lambda.csv").write_bytes((tmp_path / "copy" / "lambda.csv").read_bytes())
    found = offers_matching(open_context(NOW.date(), own.parent), OfferArguments(provider="lambda", limit=500))
    assert found.offers
    assert all(offer.private for offer in found.offers)


def test_history_and_trend_after_two_refreshes(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    take(folder, 3)
    take(folder, 4, 1)
    assert run("catalog", "history", "H100 SXM") == OK
    assert "3 (2026-11-14), 4 (2026-11-14)" in capsys.readouterr().out


def test_a_running_server_takes_over_new_prices(folder: Path) -> None:
    ctx = open_context(NOW.date(), folder)
    assert with_newer_prices(ctx, folder) is ctx
    take(folder, 3)
    newer = with_newer_prices(ctx, folder)
    assert newer is not ctx
    found = offers_matching(newer, OfferArguments(provider="lambda", limit=1))
    assert found.offers[0].usd_per_hour == Decimal(3)
    assert with_newer_prices(newer, folder) is newer


def test_prices_that_cannot_be_read_leave_the_old_ones(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    ctx = open_context(NOW.date(), folder)
    (folder / "offers").mkdir(parents=True)
    (folder / "offers" / "rack.csv").write_text("what,ever\n1,2\n", encoding="utf-8")
    assert with_newer_prices(ctx, folder) is ctx
    assert "rack.csv" in caplog.text
