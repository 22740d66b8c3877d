from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.cost.billing import STEP_SECONDS, billed_seconds, charge, minimum_seconds_of

STEPS = ["second", "minute", "ten_minutes", "hour"]
seconds = st.floats(min_value=0, max_value=1e7, allow_nan=False)


@pytest.mark.parametrize(
    ("ran", "step", "billed"),
    [
        pytest.param(1200, "second", 1200, id="twenty minutes by the second are twenty minutes"),
        pytest.param(1200, "hour", 3600, id="twenty minutes by the hour are an hour"),
        pytest.param(3600, "hour", 3600, id="a full hour is not rounded further"),
        pytest.param(3600.5, "hour", 7200, id="half a second into the second hour is two hours"),
        pytest.param(61, "minute", 120, id="61 seconds by the minute are two minutes"),
        pytest.param(0, "hour", 0, id="what never ran costs nothing"),
    ],
)
def test_rounding_to_the_step(ran: float, step: str, billed: int) -> None:
    assert billed_seconds(ran, step) == billed  # type: ignore[arg-type]


def test_twelve_runs_of_twenty_minutes_cost_three_times_more_by_the_hour() -> None:
    price = Decimal("2.40")
    by_second = sum(charge(price, 1200, "second") for _ in range(12))
    by_hour = sum(charge(price, 1200, "hour") for _ in range(12))
    assert (by_second, by_hour) == (Decimal("9.60"), Decimal("28.80"))


def test_the_minimum_charge_holds_for_a_short_run() -> None:
    assert billed_seconds(5, "second", minimum_seconds=60) == 60


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("1 minute minimum", 60),
        ("60 s", 60),
        ("first hour: 1 hour", 3600),
        ("5 USD deposit", 0),
        ("unknown", 0),
        ("first payment at least 25 USD", 0),
    ],
)
def test_a_minimum_is_read_only_where_it_is_a_time(words: str, expected: int) -> None:
    assert minimum_seconds_of(words) == expected


@given(seconds, st.sampled_from(STEPS))
def test_rounding_is_never_cheaper_than_what_ran(ran: float, step: str) -> None:
    assert billed_seconds(ran, step) >= ran  # type: ignore[arg-type]


@given(seconds, st.sampled_from(STEPS), st.sampled_from(STEPS))
def test_a_finer_step_that_divides_a_coarser_is_never_dearer(ran: float, one: str, other: str) -> None:
    fine, coarse = sorted((one, other), key=lambda step: STEP_SECONDS[step])  # type: ignore[index]
    assert billed_seconds(ran, fine) <= billed_seconds(ran, coarse)  # type: ignore[arg-type]


@given(seconds, seconds, st.sampled_from(STEPS))
def test_a_longer_run_is_never_cheaper(one: float, other: float, step: str) -> None:
    short, long = sorted((one, other))
    assert charge(Decimal(3), short, step) <= charge(Decimal(3), long, step)  # type: ignore[arg-type]
