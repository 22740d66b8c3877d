"""What starting and stopping costs under each billing step."""

from __future__ import annotations

from decimal import Decimal

from tools.arguments import ExperimentArguments
from tools.base import Value
from tools.context import Context
from tools.cost.billing import billed_seconds, cents, minimum_seconds_of
from tools.provider import BillingStep
from tools.results import Money

STEPS: tuple[BillingStep, ...] = ("second", "minute", "ten_minutes", "hour")


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
    provider_step: BillingStep | None
    """Step of the named provider; `unknown` where no source states it."""
    warnings: list[str] = []
    """What the figures leave out."""


def experiment_bills(ctx: Context, arguments: ExperimentArguments) -> ExperimentBills:
    """Bill of several short runs by billing step, each start rounded up by itself. Raises UnknownName for the provider."""
    provider = ctx.catalog.provider(arguments.provider) if arguments.provider else None
    minimum = minimum_seconds_of(provider.minimum_charge) if provider else 0
    seconds, price = arguments.run_minutes * 60, arguments.usd_per_hour
    used = arguments.runs * seconds / 3600

    def money(hours: float) -> Decimal | None:
        return None if price is None else cents(price * Decimal(repr(hours)))

    bills = []
    for step in STEPS:
        hours = arguments.runs * billed_seconds(seconds, step, minimum) / 3600
        bills.append(
            ExperimentBill(billing_step=step, billed_hours=round(hours, 3), idle_share=round(1 - used / hours, 3), usd=money(hours))
        )
    left_on = None if arguments.pause_minutes is None else used + (arguments.runs - 1) * arguments.pause_minutes / 60
    warnings = ["Disks that outlive a stop go on costing in the pauses, and each start repeats boot and loading."]
    if provider is not None and provider.billing_step == "unknown":
        warnings.append(f"No source states the billing step of {provider.display_name}; reckon with full hours.")
    return ExperimentBills(
        used_hours=round(used, 3),
        bills=bills,
        left_on_hours=None if left_on is None else round(left_on, 3),
        left_on_usd=None if left_on is None else money(left_on),
        provider_step=provider.billing_step if provider else None,
        warnings=warnings,
    )
