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
