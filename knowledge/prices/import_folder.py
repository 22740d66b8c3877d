"""Import of price lists that lie in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

from knowledge.prices.refresh import Lister, Refresher
from knowledge.prices.report import RefreshReport
from knowledge.prices.skypilot_folder import folders, read_folder
from tools.errors import InvalidArguments, UnknownName


def import_folder(
    data_dir: Path,
    folder: Path,
    providers: Sequence[str] = (),
    *,
    as_of: date,
    source: str,
    accept: bool = False,
    now: datetime | None = None,
) -> RefreshReport:
    """Take over SkyPilot's files, under the same guards as a refresh. Raises SourceFailed, UnknownName, RefreshRunning."""
    found = folders(folder)
    if unknown := [name for name in providers if name not in found]:
        raise UnknownName("price list", unknown[0], sorted(found))
    refresher = Refresher(data_dir, now=now)
    if as_of > refresher.today:
        raise InvalidArguments(f"{as_of} lies in the future.", "Give the day on which the prices were read.")

    def lister(provider: str, path: Path) -> Lister:
        return lambda: read_folder(path, provider, as_of, source)

    chosen = {provider: path for provider, path in found.items() if not providers or provider in providers}
    return refresher.take({provider: lister(provider, path) for provider, path in chosen.items()}, accept=accept)
