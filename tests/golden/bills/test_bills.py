"""Bills worked out by hand, line by line in the comments."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from tools.arguments import ExperimentArguments, PlanArguments, SpotArguments
from tools.context import Context
from tools.cost.billing import charge
from tools.cost.currency import Currency
from tools.cost.experiments import experiment_bills
from tools.cost.run_cost import DearestPrices, Rental, RunHours, run_cost
from tools.cost.span import Span
from tools.cost.spot import spot_against_on_demand
from tools.cost.traffic import egress_charge, paused_storage_charge
from tools.cost.work import Freight
from tools.offer import ExchangeRate, Offer
from tools.plan.rank import plans_for
from tools.provider import PriceTier, Provider, StorageKind
from tools.results import Cost
from tools.terms import PricingTerm
from tools.units import GB, GIB

USD = Currency("USD", Decimal(1), None)
NO_PRICES = DearestPrices(0.0, 0.0)
NOTHING_MOVED = Freight(0, 0, 0)


def exactly(hours: float) -> Span:
    return Span(hours, hours, hours)


def provider(**facts: Any) -> Provider:
    base: dict[str, Any] = {
        "id": "p",
        "display_name": "P",
        "billing_step": "second",
        "minimum_charge": "none",
        "storage": (StorageKind(name="disk", survives_stop="yes", usd_per_gb_month=0.0, usd_per_gb_month_stopped=0.0),),
        "egress_tiers": (PriceTier(usd_per_gb=0),),
    }
    return Provider(**(base | facts))


def bill(sold_by: Provider, price: str, parts: RunHours, freight: Freight = NOTHING_MOVED, currency: Currency = USD) -> Cost:
    rental = Rental(Decimal(price), 1, sold_by, PricingTerm.ON_DEMAND)
    return run_cost(parts, freight, rental, currency, NO_PRICES)


def test_per_second_against_hourly() -> None:
    # 12 min set-up + 2 h 3 min work = 2.25 h at 2.40: 5.40 by the second; three hours, 7.20, by the hour
    parts = RunHours(exactly(0.2), exactly(2.05))
    assert bill(provider(), "2.40", parts).total.expected == pytest.approx(5.40)
    assert bill(provider(billing_step="hour"), "2.40", parts).total.expected == pytest.approx(7.20)


def test_minimum_charge() -> None:
    # 90 s at 3.60 an hour are 0.09; with a minimum of ten minutes 600 s are billed: 0.60
    assert charge(Decimal("3.60"), 90, "second") == Decimal("0.09")
    short = RunHours(exactly(0.0), exactly(90 / 3600))
    assert bill(provider(minimum_charge="10 minute minimum"), "3.60", short).total.expected == pytest.approx(0.60)


def test_storage_while_stopped() -> None:
    # 200 GB held through ten days (240 of 730 h) at 0.073 a GB and month: 200 x 0.073 x 240 / 730 = 4.80
    kept = provider(storage=(StorageKind(name="volume", survives_stop="yes", usd_per_gb_month_stopped=0.073),))
    amount = paused_storage_charge(kept, 200, 240)
    assert amount is not None
    assert float(amount) == pytest.approx(4.80)


def test_a_disk_during_the_run() -> None:
    # 30 GB of environment + 60 weights + 2 x 5 checkpoints = 100 GB for 7.3 h at 0.10: 0.10 x 100 x 7.3 / 730 = 0.10; machine 14.60
    disk = provider(storage=(StorageKind(name="disk", survives_stop="yes", usd_per_gb_month=0.10),))
    found = bill(disk, "2.00", RunHours(exactly(0.3), exactly(7.0)), Freight(weights_gb=60, checkpoint_gb=5, result_gb=0))
    assert found.storage == pytest.approx(0.10)
    assert found.total.expected == pytest.approx(14.70)


def test_egress_tiers() -> None:
    # 100 GB free, the next 400 at 0.09, beyond at 0.05: 700 GB = 0 + 36 + 10 = 46
    tiers = (PriceTier(up_to_gb=100, usd_per_gb=0), PriceTier(up_to_gb=500, usd_per_gb=0.09), PriceTier(usd_per_gb=0.05))
    assert egress_charge(provider(egress_tiers=tiers), 700) == Decimal("46")
    assert egress_charge(provider(egress_tiers=tiers), 99) == 0


def test_spot_with_three_interruptions(ctx: Context) -> None:
    # 24 h of work saved every 30 min (1 min each): 48 min of writing. Three stops of half an interval and 15 min restart: 1.5 h.
    # 26.3 h at 1.00 are 26.30, against 24 h at 3.00 = 72.00 on demand. Stops may also fall into what they add, hence the 3 %.
    found = spot_against_on_demand(
        ctx,
        SpotArguments(
            hours=24,
            interruptions=3,
            checkpoint_interval_minutes=30,
            checkpoint_write_minutes=1,
            restart_minutes=15,
            spot_usd_per_hour=Decimal("1.00"),
            on_demand_usd_per_hour=Decimal("3.00"),
        ),
    )
    assert found.spot_cost is not None
    assert found.spot_cost.expected == pytest.approx(26.30, rel=0.03)
    assert found.on_demand_cost == 72.00
    assert found.break_even_share == pytest.approx(24 / 26.3, rel=0.03)


def test_euros_at_a_dated_rate() -> None:
    # 10 h at 2.50 = 25.00 USD; at 1 EUR = 1.25 USD: 20.00 EUR
    rate = ExchangeRate(currency="EUR", usd_per_unit=Decimal("1.25"), as_of=date(2026, 8, 21), source="a central bank")
    euros = Currency("EUR", rate.usd_per_unit, rate)
    found = bill(provider(), "2.50", RunHours(exactly(0.5), exactly(9.5)), currency=euros)
    assert (found.currency, found.total.expected) == ("EUR", pytest.approx(20.00))
    assert "2026-08-21" in euros.note and "1.25" in euros.note


def test_experiments_under_each_billing_step(ctx: Context) -> None:
    # 6 runs of 65 min at 2.00: 6.5 h by second or minute, 7 h by ten minutes (70 min each), 12 h by the hour
    found = experiment_bills(ctx, ExperimentArguments(runs=6, run_minutes=65, usd_per_hour=Decimal(2), pause_minutes=55))
    assert {each.billing_step: float(each.usd or 0) for each in found.bills} == {"second": 13, "minute": 13, "ten_minutes": 14, "hour": 24}
    # left on through five pauses of 55 min: 6.5 h + 4 h 35 min
    assert found.left_on_hours == pytest.approx(6.5 + 275 / 60, abs=1e-3)


def test_a_gibibyte_is_not_a_gigabyte() -> None:
    # 100 GiB are 107.374 GB: at 0.10 a GB through 730 h 10.74, not 10.00
    kept = provider(storage=(StorageKind(name="volume", survives_stop="yes", usd_per_gb_month_stopped=0.10),))
    amount = paused_storage_charge(kept, 100 * GIB / GB, 730)
    assert amount is not None
    assert round(amount, 2) == Decimal("10.74")


@pytest.mark.parametrize("unknown", ["storage", "egress"])
def test_an_unknown_price_is_named_and_never_counts_as_free(unknown: str) -> None:
    facts: dict[str, Any] = {"storage": ()} if unknown == "storage" else {"egress_tiers": ()}
    freight = Freight(weights_gb=100, checkpoint_gb=10, result_gb=50)
    rental = Rental(Decimal(2), 1, provider(**facts), PricingTerm.ON_DEMAND)
    parts = RunHours(exactly(0.1), exactly(9.9))
    found = run_cost(parts, freight, rental, USD, DearestPrices(0.2, 0.12))
    assert found.unknown == [unknown]
    # the dearest prices known: 200 GB x 0.20 x 10 / 730 = 0.55; 50 GB x 0.12 = 6.00
    assert found.total.high - found.total.expected == pytest.approx({"storage": 200 * 0.2 * 10 / 730, "egress": 6.0}[unknown], abs=0.001)


def test_a_price_without_a_date_is_no_price() -> None:
    dated: dict[str, Any] = {
        "provider": "p",
        "region": "r",
        "instance": "1x H100 SXM 80GB",
        "accelerator": "H100 SXM 80GB",
        "accelerator_count": 1,
        "pricing_term": "on_demand",
        "price_per_hour": "2.00",
        "currency": "USD",
        "as_of": "2026-10-01",
        "source": "https://example.org",
    }
    assert Offer.model_validate(dated).as_of == date(2026, 10, 1)
    with pytest.raises(ValidationError, match="as_of"):
        Offer.model_validate({name: value for name, value in dated.items() if name != "as_of"})
    with pytest.raises(ValidationError, match="as_of"):
        Offer.model_validate(dated | {"as_of": ""})


def test_every_plan_shows_the_date_of_its_price(ctx: Context) -> None:
    found = plans_for(ctx, PlanArguments.model_validate({"model": "7B", "method": "qlora", "dataset_tokens": "5M"}))
    cited = {citation.as_of for citation in found.citations}
    assert all(plan.offer.as_of.isoformat() in cited for plan in found.plans)


def test_memory_labels_are_not_what_fits(ctx: Context) -> None:
    card = ctx.catalog.accelerator("H100 SXM 80GB")
    # 80 GB on the box; the driver gives about 79.6 GiB = 85.5e9 bytes on this one, and never 80 GiB
    assert card.usable_bytes != card.memory_label_gb * GB
    assert card.usable_bytes < card.memory_label_gb * GIB
