from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tools.arguments import SpotArguments
from tools.context import Context
from tools.cost.spot import spot_against_on_demand
from tools.cost.spot_result import SpotEconomics
from tools.errors import MissingFact


@pytest.fixture(scope="module")
def ask(ctx: Context) -> Any:
    def run(**said: object) -> SpotEconomics:
        return spot_against_on_demand(ctx, SpotArguments.model_validate(said))

    return run


def test_neither_hours_nor_a_job_asks_for_them(ask: Any) -> None:
    with pytest.raises(MissingFact) as caught:
        ask(spot_usd_per_hour="1")
    assert caught.value.slot == "hours"


def test_three_interruptions_in_a_day_cost_half_an_interval_and_a_restart_each(ask: Any) -> None:
    found = ask(hours=24, interruptions=3, checkpoint_interval_minutes=30, checkpoint_write_minutes=1, restart_minutes=15)
    assert found.loss_minutes_per_interruption == 30
    writing = 24 * 2 / 60
    lost = 3 * 0.5
    assert found.spot_hours.expected == pytest.approx(24 + writing + lost, rel=0.03)


def test_the_interval_is_the_best_one_unless_stated(ask: Any) -> None:
    free = ask(hours=48, interruptions_per_day=1, checkpoint_write_minutes=1)
    assert free.interval_minutes == free.best_interval_minutes == pytest.approx(53.7, abs=0.1)
    assert ask(hours=48, interruptions_per_day=1, checkpoint_write_minutes=1, checkpoint_interval_minutes=600).interval_minutes == 600


def test_without_resume_spot_is_never_recommended(ask: Any) -> None:
    found = ask(hours=48, resume=False, interruptions_per_day=2, spot_usd_per_hour="0.01", on_demand_usd_per_hour="3")
    assert found.recommended is False
    assert any("starts the run over" in warning for warning in found.warnings)


def test_a_run_that_practically_never_finishes_is_told_as_such(ask: Any) -> None:
    found = ask(hours=200, resume=False, interruptions_per_day=6)
    assert found.hours_without_resume is None
    assert any("never finishes" in warning for warning in found.warnings)


def test_a_deadline_below_the_work_has_no_chance_and_a_far_one_all(ask: Any) -> None:
    assert ask(hours=24, interruptions_per_day=1, deadline=20).chance_to_meet_deadline == 0
    assert ask(hours=24, interruptions_per_day=1, deadline=200).chance_to_meet_deadline == 1


def test_a_short_warning_does_not_cover_a_long_write(ask: Any) -> None:
    found = ask(hours=24, provider="gcp", checkpoint_write_minutes=5)
    assert found.notice_seconds == 30
    assert found.notice_covers_write is False


def test_the_rate_nobody_stated_is_a_decisive_assumption(ask: Any) -> None:
    found = ask(hours=24, provider="aws")
    assert any(assumed.name == "interruptions_per_day" and assumed.decisive for assumed in found.assumptions)
    assert found.interruptions_per_day.low < found.interruptions_per_day.expected < found.interruptions_per_day.high


def test_a_job_brings_its_own_hours_prices_and_checkpoint(ask: Any) -> None:
    found = ask(model="meta-llama/Llama-3.1-8B", method="qlora", dataset_tokens=50_000_000, accelerator="H100 SXM 80GB", deadline=100)
    assert found.plan is not None and found.plan.offer.pricing_term == "spot"
    assert found.checkpoint_gib is not None and found.checkpoint_gib > 0
    assert found.spot_cost is not None and found.on_demand_cost is not None
    assert found.saving == pytest.approx(found.on_demand_cost - found.spot_cost.expected, abs=0.01)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.2, 6), st.floats(0.2, 6))
def test_more_interruptions_take_longer_and_need_a_deeper_discount(ask: Any, one: float, other: float) -> None:
    few, many = (ask(hours=30, interruptions_per_day=rate, restart_minutes=20) for rate in sorted((one, other)))
    assert few.spot_hours.expected <= many.spot_hours.expected + 1e-9
    assert few.break_even_share >= many.break_even_share
