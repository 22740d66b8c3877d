"""Prices through the `gpuhunt` library, an optional part of the installation: `pip install '.[live]'`.

Its price lists of nine clouds are published files; nine more clouds are asked directly, some with a key of the user's
own. One of them that fails does not stop the others.
"""

from __future__ import annotations

import importlib
import logging
import re
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

from knowledge.prices.fetch import LATER, WAIT_SECONDS
from knowledge.prices.listed import ListedPrice, SourceFailed

OFFLINE: Mapping[str, str] = {
    "aws": "aws",
    "azure": "azure",
    "gcp": "gcp",
    "lambda": "lambdalabs",
    "nebius": "nebius",
    "oci": "oci",
    "runpod": "runpod",
    "verda": "verda",
}
"""Provider id -> its name in the library's published files."""
ONLINE: Mapping[str, tuple[str, str, str]] = {
    "crusoe": ("crusoe", "gpuhunt.providers.crusoe", "CrusoeProvider"),
    "digitalocean": ("digitalocean", "gpuhunt.providers.digitalocean", "DigitalOceanProvider"),
    "jarvislabs": ("jarvislabs", "gpuhunt.providers.jarvislabs", "JarvisLabsProvider"),
    "seeweb": ("seeweb", "gpuhunt.providers.seeweb", "SeewebProvider"),
    "vast": ("vastai", "gpuhunt.providers.vastai", "VastAIProvider"),
    "vultr": ("vultr", "gpuhunt.providers.vultr", "VultrProvider"),
}
"""Provider id -> name, module and class of those the library asks directly."""
CURRENCIES = {"seeweb": "EUR"}
"""The library takes over the figure of the provider's interface, which for this one is in euros (https://www.seeweb.it/en)."""
MARKETS = frozenset(("vast",))
"""Marketplaces, whose offers last minutes."""
ADDRESS = "https://github.com/dstackai/gpuhunt"
LICENCE = "gpuhunt, MPL-2.0; prices are the providers' public list prices"
FINISHED_WITHIN_SECONDS = 300.0
"""Longest wait for the library."""


class NeedsKey(SourceFailed):
    """A provider that answers only with a key."""

    code = "needs_key"


class GpuHunt:
    """The library, asked provider by provider."""

    def __init__(self, *, wait_seconds: float = WAIT_SECONDS, finished_within_seconds: float = FINISHED_WITHIN_SECONDS) -> None:
        """Nothing is imported before the first question."""
        self._wait, self._limit = wait_seconds, finished_within_seconds
        self._loaded: Any = None
        self._complaints: list[str] = []

    @staticmethod
    def knows(provider: str) -> bool:
        """Whether the library has prices of a provider."""
        return provider in OFFLINE or provider in ONLINE

    def prices(self, provider: str, today: date) -> Sequence[ListedPrice]:
        """Price list of a provider. Raises SourceFailed, or NeedsKey."""
        library = _library()
        if provider in OFFLINE:
            name = OFFLINE[provider]
            catalog = self._published(library)
            part = catalog.catalog.get(name)
            if part is None:
                said = next((text for text in self._complaints if name in text), "its file could not be loaded")
                raise SourceFailed(f"gpuhunt has no prices of {provider}: {said}", LATER)
            day = _day(str(part.version)) or today
        else:
            name, module, class_name = ONLINE[provider]
            catalog = library.Catalog(auto_reload=False)
            try:
                catalog.add_provider(getattr(importlib.import_module(module), class_name).from_env())
            except library.MissingCredsError as error:
                raise NeedsKey(f"{provider} tells prices only with a key.", f"{error}.") from error
            day = today
        items = self._limited(lambda: catalog.query(provider=name, min_gpu_count=1), provider)
        return [_listed(item, provider, day) for item in items]

    def _published(self, library: Any) -> Any:
        """The published files, loaded once; a file that fails leaves the others."""
        if self._loaded is None:
            catalog = library.Catalog(auto_reload=False)
            with _complaints(self._complaints):
                self._limited(catalog.load, "the published price lists")
            self._loaded = catalog
        return self._loaded

    def _limited(self, work: Any, what: str) -> Any:
        """Run with a limit; the library itself sets none on its downloads."""
        result: list[Any] = []
        failure: list[Exception] = []

        def run() -> None:
            try:
                result.append(work())
            except Exception as error:  # whatever a library of many providers raises; told below
                failure.append(error)

        before = socket.getdefaulttimeout()
        socket.setdefaulttimeout(self._wait)
        try:
            thread = threading.Thread(target=run, name="gpuhunt", daemon=True)
            thread.start()
            thread.join(self._limit)
        finally:
            socket.setdefaulttimeout(before)
        if failure:
            cause = failure[0].__cause__ or failure[0]
            raise SourceFailed(f"gpuhunt could not read {what}: {type(cause).__name__}: {str(cause)[:200]}", LATER) from failure[0]
        if not result:
            raise SourceFailed(f"gpuhunt had not read {what} after {self._limit:g} s.", LATER)
        return result[0]


def _library() -> Any:
    try:
        return importlib.import_module("gpuhunt")
    except ImportError as error:
        raise SourceFailed("The library gpuhunt is not installed.", "Install it with `pip install 'finetune-advisor[live]'`.") from error


@contextmanager
def _complaints(said: list[str]) -> Iterator[None]:
    """What the library logs instead of raising."""

    class Ear(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            cause = record.exc_info[1] if record.exc_info else None
            said.append(f"{record.getMessage()} {cause or ''}".strip())

    logger, ear = logging.getLogger("gpuhunt"), Ear(level=logging.WARNING)
    passed_on = logger.propagate
    logger.addHandler(ear)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(ear)
        logger.propagate = passed_on


def _day(version: str) -> date | None:
    """Day of a published file: its version begins with it, as in `20260818-42`."""
    found = re.match(r"(20\d\d)(\d\d)(\d\d)\b", version)
    if not found:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
    return min(day, datetime.now(UTC).date())


def _listed(item: Any, provider: str, day: date) -> ListedPrice:
    """One item of the library."""
    vendor = getattr(item.gpu_vendor, "value", str(item.gpu_vendor or ""))
    card = f"TPU {item.gpu_name}" if vendor == "google" else str(item.gpu_name)
    market = provider in MARKETS
    country = item.location[:2].upper() if market and re.match(r"[a-z]{2}(-|$)", item.location or "") else "unknown"
    notes = "least bid: one so low may wait long or be outbid at once" if market and item.spot else ""
    return ListedPrice(
        provider=provider,
        region=country.lower() if market and country != "unknown" else region_of(provider, item.location or "unspecified"),
        instance=item.instance_name,
        card=card,
        memory_gb=item.gpu_memory or None,
        count=item.gpu_count,
        vcpus=item.cpu or None,
        host_ram_gb=item.memory or None,
        price=Decimal(str(item.price)),
        currency=CURRENCIES.get(provider, "USD"),
        as_of=day,
        source=ADDRESS,
        licence=LICENCE,
        spot=bool(item.spot),
        country=country,
        notes=notes,
        market=market,
    )


def region_of(provider: str, location: str) -> str:
    """The region of a zone: `us-central1-a` and `us-east-1a` lie in `us-central1` and `us-east-1`."""
    if provider == "gcp":
        return re.sub(r"^(\w+-\w+\d)-[a-z]$", r"\1", location)
    return re.sub(r"^(\w\w(?:-\w+)+-\d)[a-z]$", r"\1", location) if provider == "aws" else location
