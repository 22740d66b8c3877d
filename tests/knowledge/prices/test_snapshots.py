"""Snapshots: hashed, dated, reversible; damage is told and the prices that ship stay reachable."""

from __future__ import annotations

import json
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from knowledge.catalog import TableCatalog
from knowledge.price_files import PriceFiles
from knowledge.prices.refresh import Refresher
from knowledge.prices.report import RefreshReport
from knowledge.prices.snapshots import DamagedSnapshot, SnapshotStore
from knowledge.prices.status import catalog_status
from tests.knowledge.prices.conftest import NOW
from tests.knowledge.prices.rows import listed, row
from tools.offer import Offer, OfferQuery


def take(folder: Path, price: int, days: int = 0) -> RefreshReport:
    return Refresher(folder, now=NOW + timedelta(days=days)).take({"lambda": lambda: listed("lambda", price)}, accept=True)


def prices(folder: Path) -> set[Decimal]:
    return {offer.price_per_hour for offer in TableCatalog.load(own=folder).offers(OfferQuery(providers=("lambda",)))}


def test_a_snapshot_is_named_by_its_content_and_knows_the_one_before(tmp_path: Path) -> None:
    first, second = take(tmp_path, 2).snapshot, take(tmp_path, 3, 1).snapshot
    store = SnapshotStore(tmp_path / "catalog")
    assert first is not None
    assert store.current_id() == second != first
    current = store.current()
    assert current is not None
    assert current.parent == first
    assert [id_ for id_, _ in store.history()] == [second, first]


def test_going_back_and_back_again_ends_at_the_shipped_prices(tmp_path: Path) -> None:
    shipped = prices(tmp_path)
    take(tmp_path, 2)
    take(tmp_path, 3, 1)
    store = SnapshotStore(tmp_path / "catalog")
    store.rollback()
    assert prices(tmp_path) == {Decimal(2)}
    assert store.rollback() is None
    assert prices(tmp_path) == shipped
    take(tmp_path, 4, 2)
    assert prices(tmp_path) == {Decimal(4)}


@pytest.mark.parametrize("what", ["files", "snapshots", "CURRENT"])
@pytest.mark.parametrize("how", ["changed", "emptied", "removed"])
def test_damage_is_told_and_can_be_undone(tmp_path: Path, what: str, how: str) -> None:
    take(tmp_path, 2)
    take(tmp_path, 3, 1)
    folder = tmp_path / "catalog"
    store = SnapshotStore(folder)
    current = store.current()
    assert current is not None
    path = {
        "files": folder / "files" / f"{current.providers['lambda'].file}.csv",
        "snapshots": folder / "snapshots" / f"{store.current_id()}.json",
        "CURRENT": folder / "CURRENT",
    }[what]
    if how == "removed":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes().replace(b"3", b"8") if how == "changed" else b"")
    if (what, how) == ("CURRENT", "removed"):
        assert Decimal(3) not in prices(tmp_path), "without the pointer there is no snapshot"
        return
    with pytest.raises(DamagedSnapshot, match="rollback"):
        prices(tmp_path)
    store.rollback()
    assert prices(tmp_path) in ({Decimal(2)}, {Decimal(3)})


def test_newer_shipped_prices_win_over_an_older_snapshot(tmp_path: Path) -> None:
    old = [row(region=f"r{n}", as_of=NOW.date() - timedelta(days=200)) for n in range(20)]
    Refresher(tmp_path, now=NOW).take({"lambda": lambda: old}, accept=True)
    assert Decimal("3.50") not in prices(tmp_path)


def test_few_snapshots_and_no_leftovers_are_kept(tmp_path: Path) -> None:
    for days in range(6):
        take(tmp_path, 2 + days % 3, days)
    store = SnapshotStore(tmp_path / "catalog")
    (tmp_path / "catalog" / "files" / ".half.123.new").write_bytes(b"x")
    store.prune(keep=2)
    assert len(store.history()) == 2
    assert all(store.intact(manifest) for _, manifest in store.history())
    assert not list((tmp_path / "catalog" / "files").glob(".*"))
    assert len(list((tmp_path / "catalog" / "files").glob("*.csv"))) <= 4


def test_a_manifest_of_another_version_is_told(tmp_path: Path) -> None:
    from knowledge.prices.files import digest

    data = json.dumps({"format": 9}).encode()
    folder = tmp_path / "catalog"
    (folder / "snapshots").mkdir(parents=True)
    (folder / "snapshots" / f"{digest(data)}.json").write_bytes(data)
    (folder / "CURRENT").write_text(digest(data), encoding="ascii")
    with pytest.raises(DamagedSnapshot, match="another version"):
        PriceFiles(own=tmp_path)


def test_the_status_counts_ages_and_tells_what_was_kept_back(tmp_path: Path) -> None:
    shipped = catalog_status(NOW.date(), tmp_path)
    assert (shipped.snapshot, shipped.last_refresh, shipped.private_offers) == (None, None, 0)
    assert 0 < shipped.stale_share < 1
    assert shipped.offers == sum(each.offers for each in shipped.by_provider)
    rows = [*listed("lambda", 3), row(region="r-x", card="RTX 9090"), row(region="r-y", price=Decimal(0))]
    Refresher(tmp_path, now=NOW).take({"lambda": lambda: rows}, accept=True)
    status = catalog_status(NOW.date(), tmp_path)
    (own,) = [each for each in status.by_provider if each.provider == "lambda"]
    assert (own.origin, own.offers, own.stale_share) == ("refreshed", 20, 0)
    assert status.stale_share < shipped.stale_share
    assert status.last_refresh is not None
    (told,) = status.last_refresh.providers
    assert (told.held_back, told.unknown_cards) == (1, {"RTX 9090": 1})
    assert catalog_status(NOW.date() + timedelta(days=40), tmp_path).stale_share > status.stale_share


def history(folder: Path) -> list[Offer]:
    catalog = TableCatalog.load(own=folder)
    offer = catalog.offers(OfferQuery(providers=("lambda",)))[0]
    return list(catalog.history(offer))


def test_history_survives_the_removal_of_old_snapshots(tmp_path: Path) -> None:
    for days, price in enumerate((2, 3, 4, 5)):
        take(tmp_path, price, days)
    SnapshotStore(tmp_path / "catalog").prune(keep=1)
    assert [offer.price_per_hour for offer in history(tmp_path)] == [2, 3, 4]
