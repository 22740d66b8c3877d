"""`GET /v1/catalog`: the state of the price catalog."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

from fastapi import APIRouter, Response

from knowledge.prices.status import CatalogStatus, catalog_status
from ui.http_tools import answered


def catalog_router(today: Callable[[], date], data_dir: Path | None) -> APIRouter:
    """The route; `today` gives the day on which ages are counted."""
    router = APIRouter(prefix="/v1", tags=["catalog"])

    @router.get("/catalog", operation_id="catalog_status", response_model=CatalogStatus)
    def status() -> Response:
        """Rows, providers, oldest and newest price, share older than its kind, and what the last refresh kept back."""
        return answered(lambda: catalog_status(today(), data_dir))

    return router
