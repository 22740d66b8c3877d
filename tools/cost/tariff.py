"""What a provider charges for one kind of run, ready for reckoning many of them: the expected total in plain numbers.

Planning ranks hundreds of ways to run a job by these and works out the exact bill (`tools.cost.run_cost`) of those it shows;
a test holds the two together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tools.cost.billing import STEP_SECONDS, minimum_seconds_of
from tools.cost.run_cost import RunHours
from tools.cost.traffic import egress_charge, storage_price
from tools.cost.work import Freight
from tools.provider import Provider
from tools.units import HOURS_PER_MONTH

ROUNDING = 1e-9
"""Part of a step within which a run counts as ending on it."""


@dataclass(frozen=True, slots=True)
class Tariff:
    """Prices of one provider for what one job moves."""

    step_seconds: int
    minimum_seconds: int
    disk_usd_per_hour: float
    """0 where no source states it; the bill then names it as unknown."""
    egress_usd: float
    """The same."""

    @classmethod
    def of(cls, provider: Provider | None, freight: Freight) -> Tariff:
        """Read off a record; machines of one's own are billed by the second, disk and traffic free."""
        if provider is None:
            return cls(STEP_SECONDS["second"], 0, 0.0, 0.0)
        disk = (storage_price(provider) or 0.0) * freight.disk_gb / HOURS_PER_MONTH
        out = float(egress_charge(provider, freight.result_gb) or 0)
        return cls(STEP_SECONDS[provider.billing_step], minimum_seconds_of(provider.minimum_charge), disk, out)

    def expected_usd(self, parts: RunHours, usd_per_hour: float) -> float:
        """Expected total of a finished run in US dollars."""
        hours = sum(part.expected for part in parts.each)
        seconds = hours * 3600 + parts.stops * self.step_seconds / 2
        billed = max(math.ceil(seconds / self.step_seconds - ROUNDING) * self.step_seconds, self.minimum_seconds)
        return usd_per_hour * billed / 3600 + self.disk_usd_per_hour * hours + self.egress_usd
