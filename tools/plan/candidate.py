"""One way to run the job, before it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from tools.cost.span import Span
from tools.duration.estimate import Throughput
from tools.plan.evaluation import Fitted, Machines
from tools.plan.market import PricedOffer
from tools.results import Cost


@dataclass(frozen=True)
class Candidate:
    """Machines at a price with a layout that fits; hours and cost where the data set is known."""

    machines: Machines
    priced: PricedOffer
    fitted: Fitted
    usd_per_hour: Decimal
    """All machines together, cards that stay idle included."""
    speed: Throughput
    wall_hours: Span
    """With set-up and, on spot, interruptions; of the yardstick run where nothing was said of the data."""
    run_usd: float
    """Expected total in US dollars; of the yardstick run where nothing was said of the data."""
    hours: Span | None = None
    """The run itself."""
    bill: Callable[[], Cost] | None = None
    """Works the bill out; None where nothing was said of the data."""

    @cached_property
    def cost(self) -> Cost | None:
        """The bill of the finished run, worked out for the few plans that are shown."""
        return self.bill() if self.bill else None

    @property
    def spot(self) -> bool:
        """Whether it may be interrupted."""
        return self.priced.spot

    @property
    def tokens_per_second(self) -> float:
        """All cards together."""
        return self.speed.tokens_per_second_per_accelerator.expected * self.machines.count

    @property
    def usd_per_million_tokens(self) -> float:
        """Price of training on a million tokens, machine time alone."""
        return float(self.usd_per_hour) / (self.tokens_per_second * 3600) * 1e6

    @property
    def price(self) -> float:
        """What plans are ranked by, in US dollars: the finished run, or the yardstick run where nothing was said of the data."""
        return self.run_usd

    @property
    def time(self) -> float:
        """What `fastest` goes by: hours from order to result, of the yardstick run where nothing was said of the data."""
        return self.wall_hours.expected

    @property
    def idle_cards(self) -> int:
        """Cards rented and not used."""
        return (self.priced.cards - self.machines.per_node) * self.machines.nodes
