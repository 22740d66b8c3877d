"""Interrupted runs played through with a seeded generator: percentiles and the chance to meet a deadline."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

MOST_INTERRUPTIONS = 20_000
"""Interruptions after which one simulated run is given up as never finishing."""


@dataclass(frozen=True, slots=True)
class InterruptedRun:
    """What one run does: hours of work, hours between saves, to write one, to come back, and between interruptions on average."""

    work_hours: float
    interval_hours: float
    write_hours: float
    restart_hours: float
    mean_hours: float


def wall_hours(run: InterruptedRun, generator: random.Random) -> float:
    """Wall hours of one simulated run, infinite where it is given up.

    Between two interruptions work advances in pieces of interval plus write time; what was not saved is lost. Interruptions while
    restarting start the restart over.
    """
    done, clock = 0.0, 0.0
    piece = run.interval_hours + run.write_hours
    for _ in range(MOST_INTERRUPTIONS):
        quiet = generator.expovariate(1.0 / run.mean_hours)
        left = run.work_hours - done
        pieces = math.ceil(left / run.interval_hours - 1e-12)
        needed = left + pieces * run.write_hours
        if quiet >= needed:
            return clock + needed
        saved = math.floor(quiet / piece)
        done += min(saved, pieces - 1) * run.interval_hours
        clock += quiet
        while (next_stop := generator.expovariate(1.0 / run.mean_hours)) < run.restart_hours:
            clock += next_stop
            if clock > 1e6 * max(run.work_hours, 1.0):
                return math.inf
        clock += run.restart_hours
    return math.inf


def simulate(run: InterruptedRun, *, runs: int = 2000, seed: int = 0) -> list[float]:
    """Wall hours of `runs` simulated runs, ascending; the same seed gives the same list."""
    generator = random.Random(seed)
    return sorted(wall_hours(run, generator) for _ in range(runs))


def percentile(ascending: list[float], share: float) -> float:
    """The smallest value that at least `share` (0..1) of an ascending list does not exceed."""
    position = min(len(ascending) - 1, max(0, math.ceil(share * len(ascending)) - 1))
    return ascending[position]


def chance_within(ascending: list[float], hours: float) -> float:
    """Share of an ascending list that is at most `hours`."""
    return sum(1 for value in ascending if value <= hours) / len(ascending)
