from __future__ import annotations

from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tools.arguments import ExperimentArguments
from tools.context import Context
from tools.cost.experiments import experiment_bills

NOWHERE: Any = SimpleNamespace()
CTX = Context(catalog=NOWHERE, models=NOWHERE, retriever=NOWHERE, today=date(2026, 11, 15))


def test_ten_runs_of_25_minutes_at_three_dollars() -> None:
    found = experiment_bills(CTX, ExperimentArguments(runs=10, run_minutes=25, usd_per_hour=Decimal(3), pause_minutes=60))
    assert {bill.billing_step: bill.usd for bill in found.bills} == {
        "second": Decimal("12.50"),
        "minute": Decimal("12.50"),
        "ten_minutes": Decimal("15.00"),
        "hour": Decimal("30.00"),
    }
    assert found.bills[-1].idle_share == 0.583
    assert found.left_on_usd == Decimal("39.50")


@given(st.integers(1, 500), st.floats(0.1, 500))
def test_a_coarser_step_never_bills_less(runs: int, minutes: float) -> None:
    hours = [bill.billed_hours for bill in experiment_bills(CTX, ExperimentArguments(runs=runs, run_minutes=minutes)).bills]
    assert hours == sorted(hours)


def test_a_disk_of_100_gib_through_a_month_of_pauses(ctx: Context) -> None:
    found = experiment_bills(ctx, ExperimentArguments(runs=2, run_minutes=10, pause_minutes=730 * 60, storage_gib=100, provider="aws"))
    assert found.paused_disk_usd == Decimal("8.59"), "0.08 USD per GB-month, 107.37 GB: GiB are not GB"


def test_a_disk_whose_price_is_unknown_is_not_free(ctx: Context) -> None:
    found = experiment_bills(ctx, ExperimentArguments(runs=2, run_minutes=10, pause_minutes=60, storage_gib=100, provider="vast"))
    assert found.paused_disk_usd is None
    assert any("go on costing" in warning for warning in found.warnings)
