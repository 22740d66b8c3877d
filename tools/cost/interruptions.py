"""Interrupted runs: how often, how far apart to save, and what the losses add.

An interruption is a Poisson process per machine; a run on several machines stops when any of them goes, so rates add.
Best interval: J. W. Young, "A first order approximation to the optimum checkpoint interval", CACM 17(9), 1974. Expected time
with a save every interval: J. T. Daly, "A higher order estimate of the optimum checkpoint interval for restart dumps", FGCS 22, 2006.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tools.provider import Provider


@dataclass(frozen=True, slots=True)
class InterruptionRate:
    """Mean hours between interruptions of one machine: what to hope for, to expect, and to plan with."""

    rare_hours: float
    expected_hours: float
    frequent_hours: float
    basis: str

    def over(self, machines: int) -> InterruptionRate:
        """Of a run that stops when any of `machines` stops."""
        return InterruptionRate(self.rare_hours / machines, self.expected_hours / machines, self.frequent_hours / machines, self.basis)


SPOT_BASIS = (
    "no provider publishes a rate per machine type; the range spans monthly reclaim bands of 5-20 % for GPU types (AWS Spot "
    "Instance Advisor, 2026-02) and the 10 % an hour of a traced V100 cluster (Bamboo, NSDI 2023); the middle is a planning assumption"
)
BID_BASIS = (
    "on a marketplace a higher bid or the host ends the rental; no rate is published, so the range is a planning assumption wider than "
    "that of clouds with a notice"
)

SPOT_RATES: dict[str, InterruptionRate] = {
    "cloud": InterruptionRate(720.0, 48.0, 10.0, SPOT_BASIS),
    "marketplace": InterruptionRate(336.0, 24.0, 6.0, BID_BASIS),
}
"""Mean hours between interruptions of a spot machine by kind of provider."""

FAILURE_HOURS_PER_ACCELERATOR = 50_000.0
"""Mean hours between failures of one data-centre card with its share of the machine: 16,384 cards over 54 days had 419 unplanned
interruptions (The Llama 3 Herd of Models, arXiv:2407.21783, section 3.3.4), 1 in 50,700 card-hours."""


def spot_rate(provider: Provider | None) -> InterruptionRate:
    """The rate for a provider's interruptible machines, by its kind."""
    marketplace = provider is not None and "marketplace" in provider.category
    return SPOT_RATES["marketplace" if marketplace else "cloud"]


def stated_rate(per_day: float) -> InterruptionRate:
    """A rate the user states, interruptions a day and machine; the range is that of a Poisson rate known within a factor of two."""
    hours = 24.0 / per_day
    return InterruptionRate(hours * 2, hours, hours / 2, "stated by you; the range is half to twice that rate")


def best_interval_hours(write_hours: float, mean_hours: float) -> float:
    """Hours of work between two saves: sqrt(2 x write time x mean time between interruptions) (Young 1974), at least the write time."""
    return max(write_hours, math.sqrt(2.0 * write_hours * mean_hours))


def expected_hours(work_hours: float, interval_hours: float, write_hours: float, restart_hours: float, mean_hours: float) -> float:
    """Expected wall hours of `work_hours` with a save after each interval of work (Daly 2006, eq. 7).

    Interruptions may also fall into writing and into restarting. The last piece of work is saved as well, being the result.
    Infinite where an interval is so long against the mean time that no number can hold the expectation.
    """
    if work_hours <= 0:
        return 0.0
    interval = min(interval_hours, work_hours)
    pieces = work_hours / interval
    exponent = (interval + write_hours) / mean_hours
    if exponent > 500 or restart_hours / mean_hours > 200:
        return math.inf
    return mean_hours * math.exp(restart_hours / mean_hours) * math.expm1(exponent) * pieces


def expected_hours_without_saves(work_hours: float, restart_hours: float, mean_hours: float) -> float:
    """Expected wall hours where every interruption starts the run over: the formula above with one interval and nothing written."""
    return expected_hours(work_hours, work_hours, 0.0, restart_hours, mean_hours)


def expected_interruptions(wall_hours: float, mean_hours: float) -> float:
    """Mean number of interruptions in `wall_hours`."""
    return wall_hours / mean_hours
