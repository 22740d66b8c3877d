"""The catalog as files of its own schema: a copy to look at, to change, or to use as private offers."""

from __future__ import annotations

from pathlib import Path

from knowledge.catalog import TableCatalog
from knowledge.offer_columns import text_of
from knowledge.prices.files import write_atomically
from tools.offer import Offer


def export(catalog: TableCatalog, folder: Path) -> int:
    """Write one file for each provider with public prices; returns how many rows. Raises OSError."""
    by_provider: dict[str, list[Offer]] = {}
    for offer in catalog.public_offers():
        by_provider.setdefault(offer.provider, []).append(offer)
    for provider, offers in by_provider.items():
        write_atomically(folder / f"{provider}.csv", text_of(offers).encode("utf-8"))
    return sum(map(len, by_provider.values()))
