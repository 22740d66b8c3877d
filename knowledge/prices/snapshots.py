"""Snapshots of price lists in the user's data folder.

    catalog/CURRENT             id of the snapshot in force
    catalog/snapshots/<id>.json what it consists of; the id is the SHA-256 of its content
    catalog/files/<sha256>.csv  a provider's offers, its superseded prices, or the exchange rates

A snapshot is written from the leaves to the root: files, then the manifest, then CURRENT, each with a rename. Whatever
stops it, CURRENT names the old snapshot or the new one, and both are complete.
"""

from __future__ import annotations

import fcntl
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pydantic import ValidationError

from knowledge.prices.files import digest, write_atomically
from knowledge.prices.report import Kept, RefreshReport
from tools.base import Value
from tools.errors import AdvisorError, BrokenData

MEND = "`advisor catalog rollback` goes back to the snapshot before; without any, the prices that ship are used."
KEPT_SNAPSHOTS = 20
"""Older ones are removed; superseded prices live on in the history of each provider."""


class DamagedSnapshot(BrokenData):
    """A snapshot that does not hold what its hash says."""

    code = "damaged_snapshot"

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(where, reason)
        self.hint = MEND


class RefreshRunning(AdvisorError):
    """Another process writes to the same catalog."""

    code = "refresh_running"


class Manifest(Value):
    """What a snapshot consists of."""

    parent: str | None
    """Id of the snapshot before."""
    made_at: datetime
    """When it was written."""
    providers: dict[str, Kept]
    """Provider id -> its price list; providers not named here have the one that ships."""
    rates: str | None = None
    """SHA-256 of the file of exchange rates; None for those that ship."""
    report: RefreshReport
    """What was changed against the snapshot before."""


class SnapshotStore:
    """Snapshots under one folder."""

    def __init__(self, folder: Path) -> None:
        """Nothing is read or written yet."""
        self._folder = folder

    def current_id(self) -> str | None:
        """Id of the snapshot in force, None where there is none. Raises DamagedSnapshot."""
        try:
            id_ = (self._folder / "CURRENT").read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, UnicodeDecodeError) as error:
            raise DamagedSnapshot("catalog/CURRENT", "cannot be read.") from error
        if len(id_) != 64 or not all(character in "0123456789abcdef" for character in id_):
            raise DamagedSnapshot("catalog/CURRENT", "names no snapshot.")
        return id_

    def current(self) -> Manifest | None:
        """The snapshot in force. Raises DamagedSnapshot."""
        id_ = self.current_id()
        return None if id_ is None else self.manifest(id_)

    def manifest(self, id_: str) -> Manifest:
        """A snapshot by id. Raises DamagedSnapshot where its content does not give its id."""
        where = f"catalog/snapshots/{id_[:12]}.json"
        try:
            data = self._manifest_path(id_).read_bytes()
        except OSError as error:
            raise DamagedSnapshot(where, "cannot be read.") from error
        if digest(data) != id_:
            raise DamagedSnapshot(where, "its content has changed.")
        try:
            return Manifest.model_validate_json(data)
        except ValidationError as error:
            raise DamagedSnapshot(where, "is of another version of the program.") from error

    def text(self, file: str) -> str:
        """A file of a snapshot, checked against its hash. Raises DamagedSnapshot."""
        where = f"catalog/files/{file[:12]}.csv"
        try:
            data = self._file_path(file).read_bytes()
        except OSError as error:
            raise DamagedSnapshot(where, "cannot be read.") from error
        if digest(data) != file:
            raise DamagedSnapshot(where, "its content has changed.")
        return data.decode("utf-8")

    def keep(self, text: str) -> str:
        """Write a file; returns its hash. A file that is there already is not written again."""
        data = text.encode("utf-8")
        file = digest(data)
        path = self._file_path(file)
        if not path.exists() or digest(path.read_bytes()) != file:
            write_atomically(path, data)
        return file

    def commit(
        self, providers: Mapping[str, Kept], rates: str | None, report: RefreshReport, *, parent: str | None, made_at: datetime
    ) -> str:
        """Write the manifest and put it in force; returns its id. The files it names must have been kept before."""
        manifest = Manifest(parent=parent, made_at=made_at, providers=dict(sorted(providers.items())), rates=rates, report=report)
        data = (json.dumps(manifest.model_dump(mode="json"), indent=1, sort_keys=True) + "\n").encode("utf-8")
        id_ = digest(data)
        write_atomically(self._manifest_path(id_), data)
        self._put_in_force(id_)
        return id_

    def rollback(self) -> str | None:
        """Put the newest intact snapshot before the present one in force; None where only the shipped prices are left."""
        try:
            present = self.current_id()
        except DamagedSnapshot:
            present = None
        before = [id_ for id_, manifest in self.history() if id_ != present and self.intact(manifest)]
        if present is not None and before and self._age(present) is not None:
            before = [id_ for id_ in before if self._age(id_) < self._age(present)]  # type: ignore[operator]  # both are intact
        if not before:
            (self._folder / "CURRENT").unlink(missing_ok=True)
            return None
        self._put_in_force(before[0])
        return before[0]

    def history(self) -> Sequence[tuple[str, Manifest]]:
        """(id, manifest) of every readable snapshot, newest first."""
        found = []
        for path in (self._folder / "snapshots").glob("*.json"):
            try:
                found.append((path.stem, self.manifest(path.stem)))
            except DamagedSnapshot:
                continue
        return sorted(found, key=lambda pair: pair[1].made_at, reverse=True)

    def intact(self, manifest: Manifest) -> bool:
        """Whether every file it names is there and unchanged."""
        try:
            for file in files_of(manifest):
                self.text(file)
        except DamagedSnapshot:
            return False
        return True

    def prune(self, keep: int = KEPT_SNAPSHOTS) -> None:
        """Remove all but the newest snapshots, then files that none of those names."""
        known = self.history()
        present = self.current_id()
        kept = [(id_, manifest) for place, (id_, manifest) in enumerate(known) if place < keep or id_ == present]
        names = {id_ for id_, _ in kept}
        for path in (self._folder / "snapshots").glob("*.json"):
            if path.stem not in names:
                path.unlink(missing_ok=True)
        needed = {file for _, manifest in kept for file in files_of(manifest)}
        for path in (self._folder / "files").glob("*.csv"):
            if path.stem not in needed:
                path.unlink(missing_ok=True)
        for folder in (self._folder, self._folder / "files", self._folder / "snapshots"):
            for path in folder.glob(".*.new"):
                path.unlink(missing_ok=True)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Nobody else writes meanwhile; the operating system frees the lock of a killed process. Raises RefreshRunning."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "LOCK").open("w", encoding="ascii") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                raise RefreshRunning("Another refresh of this catalog is running.", "Wait until it has finished.") from error
            yield

    def _age(self, id_: str) -> datetime | None:
        try:
            return self.manifest(id_).made_at
        except DamagedSnapshot:
            return None

    def _put_in_force(self, id_: str) -> None:
        write_atomically(self._folder / "CURRENT", f"{id_}\n".encode("ascii"))

    def _manifest_path(self, id_: str) -> Path:
        return self._folder / "snapshots" / f"{id_}.json"

    def _file_path(self, file: str) -> Path:
        return self._folder / "files" / f"{file}.csv"


def files_of(manifest: Manifest) -> Iterator[str]:
    """Hashes of every file a snapshot names."""
    for kept in manifest.providers.values():
        yield kept.file
        if kept.history:
            yield kept.history
    if manifest.rates:
        yield manifest.rates
