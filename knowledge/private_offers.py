"""The user's own machines and negotiated prices: files in the schema of the catalog."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from knowledge.regions import Regions
from knowledge.tables import placed_rows, read_text
from tools.accelerator import Accelerator
from tools.errors import AdvisorError, BrokenData
from tools.offer import Offer
from tools.provider import Provider


def private_files(folder: Path) -> Sequence[Path]:
    """`offers/*.csv` in the user's data folder, in order of their names."""
    return sorted((folder / "offers").glob("*.csv"))


def private_offers(folder: Path, regions: Regions, card: Callable[[str], Accelerator], provider: Callable[[str], str]) -> Sequence[Offer]:
    """Every row of the user's files, checked at once: a fault is told at the start, not at the first search.

    The file's name is the provider's id unless a column `provider` names one; cards and providers go by any alias, which
    `card` and `provider` resolve. Raises BrokenData naming file and line.
    """
    offers = []
    for file in private_files(folder):
        for where, row in placed_rows(read_text(file), file.name, Offer, constant={"provider": file.stem, "private": True}):
            try:
                accelerator = card(row.accelerator).id
            except AdvisorError as error:
                raise BrokenData(where, f"{error.message} {error.hint}") from error
            seller = provider(row.provider)
            country = row.country if row.country != "unknown" else regions.country(seller, row.region)
            offers.append(row.model_copy(update={"provider": seller, "accelerator": accelerator, "country": country, "private": True}))
    return offers


def without_record(offers: Sequence[Offer], known: set[str]) -> Sequence[Provider]:
    """Records of the user's own providers, of which nothing is known but their name."""
    names = dict.fromkeys(offer.provider for offer in offers if offer.provider not in known)
    return [Provider(id=name, display_name=name, category="own", source="the user's own file of offers") for name in names]
