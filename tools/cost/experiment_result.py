"""The bill of several short runs."""

from __future__ import annotations

from tools.base import Value
from tools.provider import BillingStep
from tools.results import Money


class ExperimentBill(Value):
    """All runs under one billing step, the machine stopped in between."""

    billing_step: BillingStep
    """Smallest unit that is charged."""
    billed_hours: float
    """Hours on the bill."""
    idle_share: float
    """Part of the bill in which nothing ran, 0..1."""
    usd: Money | None
    """Machine time; None where no price was given."""


class ExperimentBills(Value):
    """The same runs under the usual billing steps."""

    used_hours: float
    """Hours in which something ran."""
    bills: list[ExperimentBill]
    """Finest step first."""
    left_on_hours: float | None
    """Hours on the bill of a machine left on through the pauses; None where no pause was stated."""
    left_on_usd: Money | None
    """The same in US dollars."""
    paused_disk_usd: Money | None = None
    """Disk through the pauses, at the provider's cheapest kind that survives a stop; None where a part of that is unknown."""
    provider_step: BillingStep | None
    """Step of the named provider; `unknown` where no source states it."""
    warnings: list[str] = []
    """What the figures leave out."""
