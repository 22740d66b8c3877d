"""A refresh that is killed at any moment leaves the old prices or the new ones, never a mix."""

from __future__ import annotations

import csv
import os
import shutil
import signal
import sys
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from knowledge.price_files import PriceFiles
from knowledge.prices.refresh import Refresher
from knowledge.prices.report import RefreshReport
from knowledge.prices.snapshots import SnapshotStore
from knowledge.tables import DATA
from tests.knowledge.prices.conftest import NOW
from tests.knowledge.prices.rows import listed

PROVIDERS = ("lambda", "verda")
STEPS = frozenset(("open", "os.rename", "os.remove", "os.mkdir"))
"""Audit events at which the disk may change; the kill comes before each of them in turn."""


def take(folder: Path, price: int, days: int) -> RefreshReport:
    rows = {provider: (lambda provider=provider: listed(provider, price)) for provider in PROVIDERS}
    return Refresher(folder, now=NOW + timedelta(days=days), data=folder.parent / "data").take(rows, accept=True)


def prices(folder: Path) -> set[str]:
    """Every price in force of the providers, read as a search reads them."""
    texts = [file.text for file in PriceFiles(own=folder).offers() if file.provider in PROVIDERS]
    return {row["price_per_hour"] for text in texts for row in csv.DictReader(text.splitlines())}


def killed(work: Callable[[], object], at: int, inside: Path) -> bool:
    """Run in a child that kills itself before its `at`-th change below a folder; whether it came that far."""
    child = os.fork()
    if child == 0:
        seen = 0

        def step(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal seen
            if event in STEPS and str(inside) in str(arguments[0]) and not (event == "open" and arguments[1] in ("r", "rb")):
                seen += 1
                if seen == at:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(step)
        try:
            work()
        except BaseException:  # the child must not return into the test run
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the refresh itself failed"
    return os.WIFSIGNALED(status)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # the child only writes files
def test_killed_before_each_change_of_the_disk(tmp_path: Path) -> None:
    shutil.copytree(DATA, tmp_path / "data", ignore=shutil.ignore_patterns("a*.csv", "gcp.csv", "architectures.jsonl"))
    take(tmp_path / "base", 2, 0)
    found: list[set[str]] = []
    for at in count(1):
        folder = tmp_path / str(at)
        shutil.copytree(tmp_path / "base", folder)
        if not killed(partial(take, folder, 3, 1), at, folder / "catalog"):
            break
        found.append(prices(folder))
        store = SnapshotStore(folder / "catalog")
        current = store.current()
        assert current is not None
        assert store.intact(current)
        if at % 4 == 0:
            take(folder, 4, 2)
            assert prices(folder) == {"4"}, "what a killed refresh left behind does not hinder the next"
    assert prices(folder) == {"3"}
    assert len(found) > 12, "the refresh writes files, a manifest and a pointer"
    assert set(map(frozenset, found)) == {frozenset({"2"}), frozenset({"3"})}, "old or new, never both"
    assert found == sorted(found, key=str), "once the new prices are in force they stay"
