"""One way to run the job, before it is shown."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from tools.duration.estimate import Throughput
from tools.estimate import Estimate
from tools.plan.evaluation import Fitted, Machines
from tools.plan.market import PricedOffer
from tools.results import Cost
from tools.terms import PricingTerm


@dataclass(frozen=True, slots=True)
class Candidate:
    """Machines at a price with a layout that fits; hours and cost where the data set is known."""

    machines: Machines
    priced: PricedOffer
    fitted: Fitted
    usd_per_hour: Decimal
    """All machines together, cards that stay idle included."""
    speed: Throughput
    hours: Estimate[float] | None = None
    """The run itself."""
    wall_hours: Estimate[float] | None = None
    """With set-up and, on spot, interruptions; of the yardstick run where nothing was said of the data."""
    cost: Cost | None = None
    cost_usd: float | None = None
    """Expected total in US dollars."""
    yardstick_usd: float | None = None
    """Cost of the yardstick run, where nothing was said of the data."""

    @property
    def spot(self) -> bool:
        """Whether it may be interrupted."""
        return self.priced.offer.pricing_term is PricingTerm.SPOT

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
        if self.cost_usd is not None:
            return self.cost_usd
        return self.yardstick_usd if self.yardstick_usd is not None else self.usd_per_million_tokens

    @property
    def time(self) -> float:
        """What `fastest` goes by: hours from order to result, of the yardstick run where nothing was said of the data."""
        assert self.wall_hours is not None
        return self.wall_hours.expected

    @property
    def idle_cards(self) -> int:
        """Cards rented and not used."""
        return (self.priced.cards - self.machines.per_node) * self.machines.nodes

    @property
    def awkward(self) -> bool:
        """Needs more than the usual software: a card without bf16, or one of another maker than NVIDIA."""
        card = self.machines.card
        return card.vendor != "nvidia" or card.supports_bf16 is False
