"""A server on loopback that answers as price lists do, and a refresh that asks only it."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from knowledge.catalog import TableCatalog
from knowledge.prices.fetch import fetch
from knowledge.prices.gpuhunt_source import GpuHunt
from knowledge.prices.guards import Guarded, guarded, medians_of
from knowledge.prices.intake import Intake, taken_in
from knowledge.prices.listed import ListedPrice
from knowledge.prices.public_lists import PUBLIC_LISTS
from knowledge.prices.refresh import Refresher, Sources, one_provider
from knowledge.prices.report import ProviderReport, RefreshReport
from tests.knowledge.prices.steps import Find, Guard, Refreshed, Take
from tools.arguments import OfferArguments
from tools.context import Context
from tools.offer import Offer
from tools.offers import offers_matching
from tools.terms import PricingTerm

NOW = datetime(2026, 11, 15, 12, tzinfo=UTC)
ECB = """<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"><Cube><Cube time='2026-11-13'>
<Cube currency='USD' rate='1.1612'/><Cube currency='GBP' rate='0.8810'/><Cube currency='CHF' rate='0.9402'/></Cube></Cube>
</gesmes:Envelope>"""


@dataclass
class Reply:
    body: bytes = b""
    status: int = 200
    wait_seconds: float = 0.0
    drip: bool = False
    """Byte by byte, with a pause each."""


@dataclass
class Lists:
    """What the server answers by path; a query in a path must match, one that is not named there is ignored."""

    address: str
    replies: dict[str, Reply] = field(default_factory=dict)

    def say(self, path: str, value: Any = b"", **how: Any) -> None:
        body = value if isinstance(value, bytes) else value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.replies[path] = Reply(body, **how)

    def publish(self, provider: str, rows: str, version: str = "20261112-7") -> None:
        """One of the library's published files: `version` and `catalog.zip`."""
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as file:
            file.writestr(f"{provider}.csv", rows)
        self.say(f"/v3/{provider}/version", version)
        self.say(f"/v3/{provider}/{version}/catalog.zip", archive.getvalue())


@pytest.fixture
def lists() -> Iterator[Lists]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            reply = known.replies.get(self.path) or known.replies.get(self.path.partition("?")[0]) or Reply(b"not here", 404)
            time.sleep(reply.wait_seconds)
            self.send_response(reply.status)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if reply.drip:
                for byte in reply.body:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.05)
            else:
                self.wfile.write(reply.body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def log_message(self, *arguments: Any) -> None:
            pass

        def handle(self) -> None:
            with suppress(BrokenPipeError, ConnectionResetError):  # the client had waited long enough
                super().handle()

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    known = Lists(f"http://127.0.0.1:{server.server_port}")
    known.say("/ecb", ECB)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield known
    server.shutdown()
    server.server_close()


Refresh = Callable[..., RefreshReport]


@pytest.fixture
def sources(lists: Lists, monkeypatch: pytest.MonkeyPatch) -> Sources:
    """Every address on loopback, short waits."""
    monkeypatch.setenv("GPUHUNT_CATALOG_URL", f"{lists.address}/v3")
    monkeypatch.setattr("gpuhunt.providers.vastai.bundles_url", f"{lists.address}/vast")
    for name in ("CRUSOE_ACCESS_KEY", "DIGITAL_OCEAN_API_KEY", "VULTR_API_KEY", "JARVISLABS_API_KEY", "SEEWEB_API_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return Sources(
        public_lists={name: replace(each, address=f"{lists.address}/{name}") for name, each in PUBLIC_LISTS.items()},
        library=GpuHunt(wait_seconds=0.5, finished_within_seconds=5),
        rates_address=f"{lists.address}/ecb",
        get=lambda url: fetch(url, wait_seconds=0.5, deadline_seconds=1),
    )


@pytest.fixture
def refresh(tmp_path: Path, sources: Sources) -> Refresh:
    """Refresh into a folder of the test's own, at a fixed time unless another is given."""

    def run(*providers: str, now: datetime = NOW, accept: bool = False) -> RefreshReport:
        return Refresher(tmp_path, now=now).refresh(providers, sources=sources, accept=accept)

    return run


def only(report: RefreshReport, provider: str) -> ProviderReport:
    """What became of one provider."""
    (found,) = [each for each in report.providers if each.provider == provider]
    return found


HEADER = "instance_name,location,price,cpu,memory,gpu_count,gpu_name,gpu_memory,spot,disk_size,gpu_vendor,flags,cpu_arch,provider_data\n"


def item(instance: str, location: str, price: object, count: int, card: str, memory: object = "", spot: bool = False) -> str:
    """A row of a published file."""
    return f"{instance},{location},{price},26,200.0,{count},{card},{memory},{spot},512.0,nvidia,,x86,{{}}\n"


def lambda_rows(price: float = 3.29, regions: int = 8) -> str:
    """A list as long as the shipped one, all of it believable."""
    cards = [("gpu_1x_h100_pcie", 1, "H100", 80.0, price), ("gpu_1x_a10", 1, "A10", 24.0, 0.86), ("gpu_8x_v100", 8, "V100", 16.0, 5.5)]
    return HEADER + "".join(
        item(name, f"us-east-{n}", cost, count, card, memory) for n in range(1, regions + 1) for name, count, card, memory, cost in cards
    )


def scaleway(lists: Lists, servers: Mapping[str, Any], zone: str = "fr-par-2") -> None:
    """Scaleway's list of one zone; the others are empty."""
    for each in ("fr-par-1", "fr-par-2", "nl-ams-1", "nl-ams-2", "pl-waw-2", "pl-waw-3"):
        lists.say(f"/scaleway/instance/v1/zones/{each}/products/servers", {"servers": servers if each == zone else {}})
    stock = {name: {"availability": "scarce"} for name in servers}
    lists.say(f"/scaleway/instance/v1/zones/{zone}/products/servers/availability", {"servers": stock})


def server(gpu: int, hourly: object) -> dict[str, Any]:
    """One of Scaleway's types."""
    return {"gpu": gpu, "hourly_price": hourly, "ncpus": 24, "ram": 240 * 2**30}


SCALEWAY = {
    "H100-1-80G": server(1, 2.8665),
    "H100-2-80G": server(2, 5.733),
    "H100-SXM-2-80G": server(2, 6.62),
    "H100-SXM-8-80G": server(8, 25.33),
    "L40S-1-48G": server(1, 1.47),
    "L4-1-24G": server(1, 0.7875),
    "B300-SXM-2-288G": server(2, 18.96),
    "DEV1-S": {"gpu": 0, "hourly_price": 0.01},
}


@pytest.fixture(scope="module")
def catalog() -> TableCatalog:
    return TableCatalog.load()


@pytest.fixture(scope="module")
def medians(catalog: TableCatalog) -> dict[tuple[str, PricingTerm], Decimal]:
    return medians_of(catalog.public_offers(), catalog.usd_per_hour)


@pytest.fixture
def take(catalog: TableCatalog) -> Take:
    def run(*rows: ListedPrice, before: Sequence[Offer] = ()) -> Intake:
        return taken_in(catalog, rows, before)

    return run


@pytest.fixture
def guard(catalog: TableCatalog, medians: dict[tuple[str, PricingTerm], Decimal]) -> Guard:
    def run(*rows: ListedPrice, before: Sequence[Offer] = ()) -> Guarded:
        taken = taken_in(catalog, rows, before)
        return guarded(taken.offers, before, medians, catalog.usd_per_hour, doubted=taken.unread)

    return run


@pytest.fixture
def refreshed(catalog: TableCatalog, medians: dict[tuple[str, PricingTerm], Decimal]) -> Refreshed:
    def run(rows: Callable[[], Sequence[ListedPrice]], before: Sequence[Offer] = ()) -> tuple[ProviderReport, Sequence[Offer]]:
        report, offers = one_provider(catalog, "lambda", rows, before, medians, accept=False)
        return report, before if offers is None else offers

    return run


@pytest.fixture
def find(ctx: Context) -> Find:
    return lambda **arguments: offers_matching(ctx, OfferArguments(**arguments))
