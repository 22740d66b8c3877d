"""What the finished run costs, from order to result."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from tools.cost.billing import STEP_SECONDS, billed_seconds, minimum_seconds_of
from tools.cost.currency import Currency
from tools.cost.interruptions import InterruptionRate, best_interval_hours, expected_hours, expected_interruptions, spot_rate
from tools.cost.span import NOTHING, Span
from tools.cost.traffic import egress_charge, storage_charge, storage_price
from tools.cost.work import Freight
from tools.estimate import Estimate
from tools.provider import Provider
from tools.results import Cost
from tools.terms import PricingTerm
from tools.units import HOURS_PER_MONTH

MOST_HOURS = 1e7
"""A run that long is told as never finishing."""
HOST_SHARE = Decimal("0.25")
"""Processors and memory sold apart from the cards, as a share of the cards' price: a bound for the upper end, planning assumption."""
SHORTEST_WRITE = 1 / 3600
"""Hours below which writing a checkpoint is taken as a second."""


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
    host_apart: bool = False
    """The price is for the cards alone; processors and memory of the host cost extra."""


@dataclass(frozen=True, slots=True)
class RunHours:
    """Hours of a run by part, each low, expected, high."""

    setup: Span
    work: Span
    interruptions: Span = NOTHING
    stops: float = 0.0
    """Expected number of interruptions."""

    @property
    def each(self) -> tuple[Span, Span, Span]:
        """The parts that pass in time."""
        return (self.setup, self.work, self.interruptions)

    @property
    def total(self) -> Span:
        """From order to result; the parts' deviations add up as independent ones."""
        expected = sum(part.expected for part in self.each)
        below = math.hypot(*(part.expected - part.low for part in self.each))
        above = math.hypot(*(part.high - part.expected for part in self.each))
        return Span(max(0.0, expected - below), expected, expected + above)


def run_hours(work: Span, freight: Freight, rental: Rental) -> RunHours:
    """Set-up, work and, on spot, what interruptions add: saving at the best interval, lost work, coming back with a new set-up."""
    setup = freight.setup_hours
    if rental.term is not PricingTerm.SPOT:
        return RunHours(setup, work)
    rate = (rental.rate or spot_rate(rental.provider)).over(rental.machines)
    means = (rate.rare_hours, rate.expected_hours, rate.frequent_hours)
    walls = []
    for hours, write, restart, mean in zip(work, freight.write_hours, setup, means, strict=True):
        wall = expected_hours(hours, best_interval_hours(max(write, SHORTEST_WRITE), mean), write, restart, mean)
        walls.append(min(MOST_HOURS, wall))
    lost = Span(*(max(0.0, wall - hours) for wall, hours in zip(walls, work, strict=True)))
    return RunHours(setup, work, lost, expected_interruptions(walls[1], rate.expected_hours))


def run_cost(parts: RunHours, freight: Freight, rental: Rental, currency: Currency, dearest: DearestPrices) -> Cost:
    """Cost of the finished run; VAT not included.

    The machine is billed by the provider's step and minimum, on spot once more for each stretch between interruptions; rounding counts as
    compute. Parts whose price no record states are named in `unknown`, count as 0 in `expected` and at the dearest stated price in
    `high`. The ends of the range add the parts' deviations as independent ones (root of the sum of squares).
    """
    provider, price = rental.provider, rental.usd_per_hour
    unknown: list[str] = []
    step = provider.billing_step if provider else "second"
    if step == "unknown":
        unknown.append("billing_step")
    minimum = minimum_seconds_of(provider.minimum_charge) if provider else 0
    seconds = parts.total.expected * 3600 + parts.stops * STEP_SECONDS[step] / 2
    machine = price * billed_seconds(seconds, step, minimum) / 3600
    disk = _known("storage", storage_charge(provider, freight.disk_gb, parts.total.expected) if provider else Decimal(0), unknown)
    out = _known("egress", egress_charge(provider, freight.result_gb) if provider else Decimal(0), unknown)
    host = Decimal(0)
    if rental.host_apart:
        unknown.append("cpu_and_ram")
        host = machine * HOST_SHARE
    expected = machine + disk + out
    slack = max(Decimal(0), machine - price * _exact(seconds / 3600)) if step == "unknown" else Decimal(0)
    below = [price * _exact(part.expected - part.low) for part in parts.each] + [slack]
    above = [price * _exact(part.high - part.expected) for part in parts.each]
    above.append(_allowance(unknown, freight, parts.total, dearest) + host)
    setup = price * _exact(parts.setup.expected)
    interruptions = price * _exact(parts.interruptions.expected)

    def shown(usd: Decimal) -> float:
        return float(round(currency.from_usd(usd), 4))

    low = max(disk + out, expected - _root(below))
    return Cost(
        currency=currency.code,
        total=Estimate[float](low=shown(min(low, expected)), expected=shown(expected), high=shown(expected + _root(above))),
        compute=shown(machine - setup - interruptions),
        setup=shown(setup),
        storage=shown(disk),
        egress=shown(out),
        interruptions=shown(interruptions),
        unknown=unknown,
    )


def _known(part: str, amount: Decimal | None, unknown: list[str]) -> Decimal:
    if amount is None:
        unknown.append(part)
        return Decimal(0)
    return amount


def _root(deviations: Iterable[Decimal]) -> Decimal:
    return sum((deviation**2 for deviation in deviations), Decimal(0)).sqrt()


def _allowance(unknown: list[str], freight: Freight, total: Span, dearest: DearestPrices) -> Decimal:
    amount = 0.0
    if "storage" in unknown:
        amount += dearest.storage_usd_per_gb_month * freight.disk_gb * total.high / HOURS_PER_MONTH
    if "egress" in unknown:
        amount += dearest.egress_usd_per_gb * freight.result_gb
    return _exact(amount)


def _exact(value: float) -> Decimal:
    return Decimal(repr(float(value)))
