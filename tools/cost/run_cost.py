"""What the finished run costs, from order to result."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from tools.cost.billing import STEP_SECONDS, billed_seconds, minimum_seconds_of
from tools.cost.currency import Currency
from tools.cost.interruptions import InterruptionRate, best_interval_hours, expected_hours, expected_interruptions, spot_rate
from tools.cost.traffic import egress_charge, storage_charge, storage_price
from tools.cost.work import Freight
from tools.estimate import Estimate
from tools.provider import Provider
from tools.results import Cost
from tools.terms import PricingTerm
from tools.units import HOURS_PER_MONTH

Hours = Estimate[float]
LEVELS = ("low", "expected", "high")
MOST_HOURS = 1e7
"""A run that long is told as never finishing."""


@dataclass(frozen=True, slots=True)
class DearestPrices:
    """The dearest price any provider record states; a price that is unknown may be as high, so the upper end counts it so."""

    storage_usd_per_gb_month: float
    egress_usd_per_gb: float

    @classmethod
    def of(cls, providers: Iterable[Provider]) -> DearestPrices:
        """Read off the records; 0 where none states one."""
        known = list(providers)
        disks = [price for provider in known if (price := storage_price(provider)) is not None]
        ways_out = [tier.usd_per_gb for provider in known for tier in provider.egress_tiers]
        return cls(max(disks, default=0.0), max(ways_out, default=0.0))


@dataclass(frozen=True, slots=True)
class Rental:
    """How the machines of a plan are paid for. `provider` is None for machines of one's own."""

    usd_per_hour: Decimal
    """All machines together."""
    machines: int
    provider: Provider | None
    term: PricingTerm
    rate: InterruptionRate | None = None
    """Interruptions of one machine where the user states them; else by the kind of provider, on spot only."""


@dataclass(frozen=True, slots=True)
class RunHours:
    """Hours of a run by part, each low, expected, high."""

    setup: Hours
    work: Hours
    interruptions: Hours
    stops: Hours = field(default_factory=lambda: Hours(low=0.0, expected=0.0, high=0.0))

    @property
    def total(self) -> Hours:
        """From order to result."""
        return Hours(**{level: sum(getattr(part, level) for part in (self.setup, self.work, self.interruptions)) for level in LEVELS})


def run_hours(work: Hours, freight: Freight, rental: Rental) -> RunHours:
    """Set-up, work and, on spot, what interruptions add: saving at the best interval, lost work, coming back with a new set-up."""
    setup = freight.setup_hours
    if rental.term is not PricingTerm.SPOT:
        return RunHours(setup, work, Hours(low=0.0, expected=0.0, high=0.0))
    rate = (rental.rate or spot_rate(rental.provider)).over(rental.machines)
    lost, stops = {}, {}
    for level, mean in zip(LEVELS, (rate.rare_hours, rate.expected_hours, rate.frequent_hours), strict=True):
        hours, write, restart = getattr(work, level), getattr(freight.write_hours, level), getattr(setup, level)
        wall = min(MOST_HOURS, expected_hours(hours, best_interval_hours(max(write, 1 / 3600), mean), write, restart, mean))
        lost[level] = max(0.0, wall - hours)
        stops[level] = expected_interruptions(wall, mean)
    return RunHours(setup, work, Hours(**lost), Hours(**stops))


def run_cost(work: Hours, freight: Freight, rental: Rental, currency: Currency, dearest: DearestPrices) -> Cost:
    """Cost of the finished run; VAT not included.

    Each stretch between interruptions is billed by the provider's step and minimum; rounding counts as compute. Parts whose price no
    record states are named in `unknown`, count as 0 in `expected` and at the dearest stated price in `high`.
    """
    parts = run_hours(work, freight, rental)
    provider = rental.provider
    unknown: list[str] = []
    step = provider.billing_step if provider else "second"
    if step == "unknown":
        unknown.append("billing_step")
    minimum = minimum_seconds_of(provider.minimum_charge) if provider else 0
    size = STEP_SECONDS[step]

    def machine_time(level: str) -> Decimal:
        seconds = getattr(parts.total, level) * 3600
        seconds += getattr(parts.stops, level) * size / 2
        exact = level == "low" and step == "unknown"
        billed = Decimal(math.ceil(seconds)) if exact else Decimal(billed_seconds(seconds, step, minimum))
        return rental.usd_per_hour * billed / 3600

    disk = _disk(provider, freight, parts.total, unknown)
    out = _way_out(provider, freight, unknown)
    allowance = _allowance(unknown, freight, parts.total, dearest)
    totals = {
        "low": machine_time("low") + disk["low"] + out,
        "expected": machine_time("expected") + disk["expected"] + out,
        "high": machine_time("high") + disk["high"] + out + allowance,
    }
    setup = rental.usd_per_hour * _exact(parts.setup.expected)
    interruptions = rental.usd_per_hour * _exact(parts.interruptions.expected)

    def shown(usd: Decimal) -> float:
        return float(round(currency.from_usd(usd), 4))

    return Cost(
        currency=currency.code,
        total=Estimate[float](**{level: shown(usd) for level, usd in totals.items()}),
        compute=shown(machine_time("expected") - setup - interruptions),
        setup=shown(setup),
        storage=shown(disk["expected"]),
        egress=shown(out),
        interruptions=shown(interruptions),
        unknown=unknown,
    )


def _disk(provider: Provider | None, freight: Freight, total: Hours, unknown: list[str]) -> dict[str, Decimal]:
    charges = {level: storage_charge(provider, freight.disk_gb, getattr(total, level)) if provider else Decimal(0) for level in LEVELS}
    if charges["expected"] is None:
        unknown.append("storage")
    return {level: amount or Decimal(0) for level, amount in charges.items()}


def _way_out(provider: Provider | None, freight: Freight, unknown: list[str]) -> Decimal:
    amount = egress_charge(provider, freight.result_gb) if provider else Decimal(0)
    if amount is None:
        unknown.append("egress")
    return amount or Decimal(0)


def _allowance(unknown: list[str], freight: Freight, total: Hours, dearest: DearestPrices) -> Decimal:
    amount = 0.0
    if "storage" in unknown:
        amount += dearest.storage_usd_per_gb_month * freight.disk_gb * total.high / HOURS_PER_MONTH
    if "egress" in unknown:
        amount += dearest.egress_usd_per_gb * freight.result_gb
    return _exact(amount)


def _exact(value: float) -> Decimal:
    return Decimal(repr(float(value)))
