"""Print figures of the price catalog: loading, queries over many offers, and a refresh. Nothing here passes or fails.

make bench
"""

from __future__ import annotations

import csv
import random
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path

from knowledge.catalog import TableCatalog
from knowledge.context import open_context
from knowledge.offer_columns import COLUMNS
from knowledge.prices.listed import ListedPrice
from knowledge.prices.refresh import Refresher
from knowledge.tables import DATA
from tests.benchmarks.bench import line, milliseconds
from tools.arguments import OfferArguments
from tools.offer import OfferQuery
from tools.offers import offers_matching
from tools.terms import Interconnect, PricingTerm
from tools.toolbox import tool

MANY = 100_000
REGIONS = ("eu-central-1", "us-east-1", "ap-south-1", "europe-west4", "westeurope", "global", *(f"region-{n}" for n in range(60)))
QUERIES: dict[str, OfferQuery] = {
    "everything": OfferQuery(),
    "one card": OfferQuery(accelerators=("H100 SXM 80GB",)),
    "40 GB, EU": OfferQuery(minimum_memory_gb=40, region="EU"),
    "Hopper, fp8, NVLink": OfferQuery(architectures=("Hopper",), interconnects=(Interconnect.NVLINK,)),
    "spot below 3 USD": OfferQuery(pricing_term=PricingTerm.SPOT, maximum_usd_per_hour=Decimal(3)),
    "cheapest region each": OfferQuery(one_per_shape=True),
}


def many_offers(folder: Path, rows: int = MANY) -> Path:
    """A catalog of made-up prices of the shipped cards and providers, the same on every run."""
    shutil.copytree(DATA, folder, ignore=shutil.ignore_patterns("*.csv.bak"))
    catalog = TableCatalog.load()
    dice, cards, providers = random.Random(6), catalog.accelerators(), sorted(path.stem for path in (DATA / "offers").glob("*.csv"))
    for number, provider in enumerate(providers):
        with (folder / "offers" / f"{provider}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            for _ in range(rows // len(providers) + (number < rows % len(providers))):
                card, count = dice.choice(cards), dice.choice((1, 1, 2, 4, 8, 8))
                link = "none" if count == 1 else "pcie" if card.interconnect is Interconnect.NONE else card.interconnect.value
                writer.writerow(
                    {
                        "region": dice.choice(REGIONS),
                        "instance": f"{count}x {card.id}",
                        "accelerator": card.id,
                        "accelerator_count": count,
                        "interconnect": link,
                        "pricing_term": dice.choice(("on_demand", "spot")),
                        "price_per_hour": round(count * dice.uniform(0.2, 6), 4),
                        "currency": "EUR" if dice.random() < 0.1 else "USD",
                        "as_of": dice.choice(("2026-10-09", "2026-10-10", "2026-11-01")),
                        "source": "https://example.org",
                    }
                )
    return folder


def listed(catalog: TableCatalog, provider: str, day: date) -> Iterator[ListedPrice]:
    """A provider's present offers as a source would list them, each two percent dearer."""
    for offer in catalog.offers(OfferQuery(providers=(provider,), include_specialised=True)):
        yield ListedPrice(
            provider=provider,
            region=offer.region,
            instance=offer.instance,
            card=offer.accelerator,
            count=offer.accelerator_count,
            price=offer.price_per_hour * Decimal("1.02"),
            currency=offer.currency,
            as_of=day,
            source="https://example.org",
            licence="bench",
            spot=offer.pricing_term is PricingTerm.SPOT,
        )


def loaded(data: Path) -> TableCatalog:
    """A catalog with every price list read and ranked."""
    catalog = TableCatalog.load(data)
    catalog.sellers()
    return catalog


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as scratch:
        big = many_offers(Path(scratch) / "data")
        shipped = loaded(DATA)
        print(f"Price catalog ({len(shipped.public_offers()):,} shipped offers; {MANY:,} made-up ones)")
        print(line("load, shipped", milliseconds(lambda: loaded(DATA), 20, 3)))
        print(line(f"load, {MANY:,}", milliseconds(lambda: loaded(big), 5, 5)))
        catalog = loaded(big)
        for name, query in QUERIES.items():
            print(line(f"query {MANY:,}: {name}"[:44], milliseconds(lambda: catalog.offers(query), 50, 1)))  # noqa: B023  # runs at once
        ctx = replace(open_context(date(2026, 11, 15)), catalog=catalog)
        print(line("find_offers", milliseconds(lambda: offers_matching(ctx, OfferArguments(minimum_memory_gb=40, region="EU")), 50, 1)))
        first = {"model": "mistral 7b v0.3", "method": "qlora", "dataset_tokens": "3M"}
        print(line("plan_job, any card, first time", milliseconds(lambda: tool("plan_job").run(ctx, first), 1, 0)))
        print(line("plan_job, any card, then", milliseconds(lambda: tool("plan_job").run(ctx, first), 10, 1)))
        job = {"model": "llama 3.1 70b", "method": "qlora", "dataset_tokens": "3M"}
        print(line("plan_job, 70B QLoRA", milliseconds(lambda: tool("plan_job").run(ctx, job), 20, 3)))
        now = datetime(2026, 11, 15, tzinfo=UTC)
        home, providers = Path(scratch) / "home", ("aws", "azure", "gcp")
        rows = {id_: (lambda id_=id_: listed(shipped, id_, now.date())) for id_ in providers}
        count = sum(len(list(fetch())) for fetch in rows.values())
        print(line(f"refresh, {count:,} rows, no network", milliseconds(lambda: Refresher(home, now=now).take(rows), 5, 5)))


if __name__ == "__main__":
    main()
