from __future__ import annotations

import math
import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tools.cost.interruptions import best_interval_hours, expected_hours, expected_hours_without_saves
from tools.cost.simulation import InterruptedRun, chance_within, percentile, simulate, wall_hours

write = st.floats(1 / 3600, 0.2)
mean = st.floats(4.0, 500.0)


def test_the_interval_of_a_one_minute_save_and_a_stop_a_day_is_54_minutes() -> None:
    assert best_interval_hours(1 / 60, 24) == pytest.approx(math.sqrt(0.8))
    assert round(best_interval_hours(1 / 60, 24) * 60) == 54


def test_without_interruptions_only_writing_is_added() -> None:
    assert expected_hours(10, 1, 0.01, 0.2, 1e9) == pytest.approx(10.1, rel=1e-6)


def test_without_saves_a_long_run_may_never_finish() -> None:
    assert expected_hours_without_saves(48, 0.3, 5) > 50_000
    assert math.isinf(expected_hours_without_saves(5000, 0.3, 5))


@given(write, mean, st.floats(1.0, 100.0))
def test_the_best_interval_is_close_to_the_least_expected_time(write_hours: float, mean_hours: float, work: float) -> None:
    best = best_interval_hours(write_hours, mean_hours)
    assume(best < work / 3)
    chosen = expected_hours(work, best, write_hours, 0.2, mean_hours)
    others = [expected_hours(work, best * factor, write_hours, 0.2, mean_hours) for factor in (0.25, 0.5, 2.0, 3.0)]
    assert chosen <= min(others) * 1.03


@given(mean, mean, st.floats(1.0, 200.0))
def test_more_interruptions_never_shorten_a_run(one: float, other: float, work: float) -> None:
    often, seldom = sorted((one, other))
    at = [expected_hours(work, best_interval_hours(0.02, m), 0.02, 0.2, m) for m in (often, seldom)]
    assert at[0] >= at[1] - 1e-9


def test_simulation_agrees_with_the_formula() -> None:
    run = InterruptedRun(work_hours=30, interval_hours=0.5, write_hours=0.02, restart_hours=0.25, mean_hours=6)
    times = simulate(run, runs=4000, seed=1)
    assert sum(times) / len(times) == pytest.approx(expected_hours(30, 0.5, 0.02, 0.25, 6), rel=0.02)


def test_the_same_seed_gives_the_same_runs() -> None:
    run = InterruptedRun(10, 0.5, 0.01, 0.2, 5)
    assert simulate(run, runs=50, seed=7) == simulate(run, runs=50, seed=7)


@settings(max_examples=30)
@given(st.floats(0.5, 40), st.floats(0.1, 3), mean, st.integers(0, 10_000))
def test_no_simulated_run_is_shorter_than_its_work(work: float, interval: float, mean_hours: float, seed: int) -> None:
    run = InterruptedRun(work, interval, 0.01, 0.1, mean_hours)
    assert wall_hours(run, random.Random(seed)) >= work


def test_percentiles_and_chances_read_off_the_list() -> None:
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.5) == 2.0
    assert percentile([1.0, 2.0, 3.0, 4.0], 0.9) == 4.0
    assert chance_within([1.0, 2.0, 3.0, 4.0], 2.5) == 0.5
