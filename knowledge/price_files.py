"""Which price lists are in force: those of the user's snapshot, and the shipped ones where it has none or older ones."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from knowledge.prices.snapshots import Manifest, SnapshotStore
from knowledge.private_offers import private_files
from knowledge.tables import DATA, read_text, rows_of
from tools.offer import ExchangeRate


@dataclass(frozen=True, slots=True)
class PriceFile:
    """One provider's price list in force."""

    provider: str
    """Provider id."""
    text: str
    """The file."""
    refreshed: bool
    """Whether it comes from the user's snapshot."""


class PriceFiles:
    """The price lists and rates in force."""

    def __init__(self, data: Path = DATA, own: Path | None = None) -> None:
        """Read which snapshot is in force. Raises DamagedSnapshot."""
        self._data = data
        self._store = SnapshotStore(own / "catalog") if own is not None else None
        self.snapshot: str | None = self._store.current_id() if self._store else None
        self.manifest: Manifest | None = self._store.manifest(self.snapshot) if self._store and self.snapshot else None

    def offers(self) -> Sequence[PriceFile]:
        """One file for each provider, in order of their ids. Raises DamagedSnapshot, BrokenData."""
        shipped = {path.stem: path for path in (self._data / "offers").glob("*.csv")}
        kept = self.manifest.providers if self.manifest else {}
        files = []
        for provider in sorted(shipped.keys() | kept.keys()):
            ours = read_text(shipped[provider]) if provider in shipped else None
            if provider not in kept or (ours is not None and newest(ours) > kept[provider].newest.isoformat()):
                files.append(PriceFile(provider, ours or "", False))
            else:
                files.append(PriceFile(provider, self._text(kept[provider].file), True))
        return files

    def rates(self) -> Sequence[ExchangeRate]:
        """Exchange rates, the younger set. Raises DamagedSnapshot, BrokenData."""
        ours = rows_of(read_text(self._data / "rates.csv"), "rates.csv", ExchangeRate)
        if self.manifest is None or self.manifest.rates is None:
            return ours
        theirs = rows_of(self._text(self.manifest.rates), "rates.csv", ExchangeRate)
        return theirs if max(rate.as_of for rate in theirs) >= max(rate.as_of for rate in ours) else ours

    def history(self, provider: str) -> str | None:
        """Superseded prices of a provider, None where nothing was superseded. Raises DamagedSnapshot."""
        kept = self.manifest.providers.get(provider) if self.manifest else None
        if kept is not None and kept.history is not None:
            return self._text(kept.history)
        shipped = self._data / "history" / f"{provider}.csv"
        return read_text(shipped) if shipped.is_file() else None

    def _text(self, file: str) -> str:
        assert self._store is not None
        return self._store.text(file)


def newest(text: str) -> str:
    """Newest date in a price list, as in `2026-10-10`; empty where it has no rows."""
    rows = csv.DictReader(text.splitlines())
    return max((row.get("as_of") or "" for row in rows), default="")


def catalog_version(own: Path | None) -> str:
    """A word that changes when the user's prices change: the snapshot in force, and time and size of private files.

    Reads one small file and asks for the state of a few, so that a server may look before every answer.
    """
    if own is None:
        return ""
    try:
        pointer = (own / "catalog" / "CURRENT").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        pointer = ""
    states = [(path.name, path.stat()) for path in private_files(own)]
    return " ".join([pointer, *(f"{name}:{state.st_mtime_ns}:{state.st_size}" for name, state in states)])
