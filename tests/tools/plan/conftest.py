"""A market made for these tests, so that no price of the shipped catalog is pinned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

from knowledge.catalog import TableCatalog, Tables
from knowledge.regions import Regions
from tools.accelerator import Accelerator
from tools.context import Context
from tools.cost.span import Span
from tools.estimate import Estimate
from tools.offer import ExchangeRate, Offer
from tools.plan.candidate import Candidate
from tools.plan.evaluation import Machines
from tools.plan.market import PricedOffer
from tools.provider import Provider
from tools.results import Cost
from tools.terms import Interconnect, PricingTerm, Sharding

TODAY = date(2026, 11, 15)


def card(name: str = "Card 80GB", **facts: Any) -> Accelerator:
    return Accelerator(
        **(
            {"id": name, "vendor": "nvidia", "architecture": "Ampere", "memory_label_gb": 80, "usable_mib": 81_251, "supports_bf16": True}
            | facts
        )
    )


def offer(provider: str = "cloud", price: str = "2.00", count: int = 1, age: int = 10, **facts: Any) -> Offer:
    base = {
        "provider": provider,
        "region": "eu-1",
        "country": "DE",
        "instance": f"{provider}-{count}",
        "accelerator": "Card 80GB",
        "accelerator_count": count,
        "pricing_term": PricingTerm.ON_DEMAND,
        "price_per_hour": Decimal(price),
        "currency": "USD",
        "as_of": TODAY - timedelta(days=age),
        "source": "https://example.com/prices",
    }
    return Offer(**(base | facts))


def priced(sold: Offer, *, stale: bool = False, record: Provider | None = None) -> PricedOffer:
    age = sold.age_days(TODAY)
    return PricedOffer(sold, sold.price_per_hour, age, stale, record, old=age > 365)


@dataclass(frozen=True)
class Speed:
    """Stands for a throughput."""

    tokens_per_second_per_accelerator: Estimate[float]


@dataclass(frozen=True)
class Fit:
    """Stands for a layout that fits."""

    risky: bool = False
    share: float = 0.6
    layout: Any = field(default_factory=lambda: SimpleNamespace(sharding=Sharding.NONE))


Make = Callable[..., Candidate]


@pytest.fixture(scope="session")
def sold() -> Callable[..., Offer]:
    """Makes an offer: provider, price of the instance, cards, age in days."""
    return offer


@pytest.fixture(scope="session")
def candidate() -> Make:
    """Candidates by what selection looks at: expected dollars, hours, and the offer."""

    def make(dollars: float, hours: float, sold: Offer | None = None, *, risky: bool = False, of: Accelerator | None = None) -> Candidate:
        sold = sold or offer()
        count = int(sold.accelerator_count)
        machines = Machines(of or card(sold.accelerator), count, 1, Interconnect.NONE)
        cost = Cost(
            currency="USD",
            total=Estimate[float](low=dollars, expected=dollars, high=dollars),
            compute=dollars,
            setup=0,
            storage=0,
            egress=0,
            interruptions=0,
        )
        time = Span(hours, hours, hours)
        speed: Any = Speed(Estimate[float](low=900.0, expected=1000.0, high=1100.0))
        fit: Any = Fit(risky=risky)
        return Candidate(machines, priced(sold), fit, sold.price_per_hour, speed, time, dollars, time, lambda: cost)

    return make


@pytest.fixture(scope="session")
def market(ctx: Context) -> Callable[..., Context]:
    """The shipped cards and models with offers and providers of a test's own."""

    def make(*offers: Offer, providers: tuple[Provider, ...] = (), rates: tuple[ExchangeRate, ...] = ()) -> Context:
        known = {provider.id for provider in providers}
        plain = [Provider(id=name, display_name=name.title()) for name in {o.provider for o in offers} - known]
        dollars = ExchangeRate(currency="USD", usd_per_unit=Decimal(1), as_of=TODAY, source="itself")
        catalog = TableCatalog(
            Tables(
                accelerators=ctx.catalog.accelerators(),
                providers=[*providers, *plain],
                read_offers=lambda: offers,
                rates=[dollars, *rates],
                regions=Regions.load(),
            )
        )
        return Context(catalog=catalog, models=ctx.models, retriever=ctx.retriever, today=TODAY)

    return make
