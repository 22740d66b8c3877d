"""One call that opens everything tools need."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.catalog import TableCatalog
from knowledge.price_files import catalog_version
from knowledge.registry import Registry
from tools.context import Catalog, Context, ModelSource, Passage
from tools.errors import AdvisorError

if TYPE_CHECKING:
    from knowledge.retriever import HybridRetriever

log = logging.getLogger(__name__)


class LazyRetriever:
    """Opens the index when something is searched for the first time, so that nobody else pays for it."""

    def __init__(self, catalog: Catalog, models: ModelSource, data_dir: Path | None) -> None:
        """Remember what the index is made of."""
        self._parts = (catalog, models, data_dir)
        self._opened: HybridRetriever | None = None
        self._opening = threading.Lock()

    def _open(self) -> HybridRetriever:
        with self._opening:  # a server warms it in one thread and searches in others; two would each get their own
            if self._opened is None:
                from knowledge.retriever import open_retriever

                catalog, models, data_dir = self._parts
                self._opened = open_retriever(catalog, models, data_dir)
            return self._opened

    def search(self, query: str, *, language: str, limit: int = 5, kinds: Sequence[str] = ()) -> Sequence[Passage]:
        """Best passages first; none below the relevance floor."""
        return self._open().search(query, language=language, limit=limit, kinds=kinds)

    def passage(self, passage_id: str) -> Passage | None:
        """One passage by id."""
        return self._open().passage(passage_id)

    def warm(self) -> None:
        """Load the dense side; BM25 answers meanwhile. Raises NotReady."""
        self._open().warm()

    def status(self) -> dict[str, object]:
        """What answers: for health checks."""
        return self._open().status()


def open_context(today: date | None = None, data_dir: Path | None = None) -> Context:
    """Catalog, registry and a retriever that opens itself when used.

    `today` defaults to the real date. `data_dir` is the user's own directory: offers in `data_dir/offers/*.csv` are
    added to those that ship, an index is kept there. Raises BrokenData naming file and line.
    """
    catalog = TableCatalog.load(own=data_dir)
    models = Registry.load()
    when = today or datetime.now(UTC).astimezone().date()
    return Context(catalog=catalog, models=models, retriever=LazyRetriever(catalog, models, data_dir), today=when)


def with_newer_prices(ctx: Context, data_dir: Path | None) -> Context:
    """The same context, or one with the prices that a refresh or a private file has brought since it was opened.

    Prices that cannot be read leave the old ones in force, and the log says so.
    """
    catalog = ctx.catalog
    if data_dir is None or not isinstance(catalog, TableCatalog) or catalog.version == catalog_version(data_dir):
        return ctx
    try:
        newer = TableCatalog.load(own=data_dir)
        newer.sellers()  # reads every price list
    except AdvisorError as error:
        log.warning("newer prices cannot be read, the old ones stay: %s", error)
        catalog.version = catalog_version(data_dir)
        return ctx
    return replace(ctx, catalog=newer)
