"""The user's own machines and negotiated prices: a file in the schema of the catalog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knowledge.offer_columns import read_offers
from knowledge.regions import Regions
from tools.offer import Offer
from tools.provider import Provider


def private_files(folder: Path) -> Sequence[Path]:
    """`offers/*.csv` in the user's data folder, in order of their names."""
    return sorted((folder / "offers").glob("*.csv"))


def private_offers(folder: Path, regions: Regions) -> Sequence[Offer]:
    """Every row of the user's files, checked at once: a fault is told at the start, not at the first search.

    The file's name is the provider's id unless a column `provider` names one. Raises BrokenData naming file and line.
    """
    return [offer for file in private_files(folder) for offer in read_offers(file, regions, {"private": True})]


def without_record(offers: Sequence[Offer], records: Sequence[Provider]) -> Sequence[Provider]:
    """Records of the user's own providers, of which nothing is known but their name."""
    known = {record.id for record in records}
    names = dict.fromkeys(offer.provider for offer in offers if offer.provider not in known)
    return [Provider(id=name, display_name=name, category="own", source="the user's own file of offers") for name in names]
