"""What starting and stopping costs under each billing step."""

from __future__ import annotations

from decimal import Decimal

from tools.arguments import ExperimentArguments
from tools.context import Context
from tools.cost.billing import billed_seconds, cents, minimum_seconds_of
from tools.cost.experiment_result import ExperimentBill, ExperimentBills
from tools.cost.traffic import paused_storage_charge
from tools.provider import BillingStep, Provider
from tools.units import GB, GIB

STEPS: tuple[BillingStep, ...] = ("second", "minute", "ten_minutes", "hour")


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
    paused = None if arguments.pause_minutes is None else (arguments.runs - 1) * arguments.pause_minutes / 60
    left_on = None if paused is None else used + paused
    disk = _paused_disk(provider, arguments.storage_gib, paused)
    warnings = ["Each start repeats boot and loading."]
    if disk is None:
        warnings.insert(0, "Disks that outlive a stop go on costing in the pauses.")
    if provider is not None and provider.compute_charged_while_stopped == "yes":
        warnings.append(f"{provider.display_name} bills a stopped machine in full; only deleting it ends the bill.")
    if provider is not None and provider.billing_step == "unknown":
        warnings.append(f"No source states the billing step of {provider.display_name}; reckon with full hours.")
    return ExperimentBills(
        used_hours=round(used, 3),
        bills=bills,
        left_on_hours=None if left_on is None else round(left_on, 3),
        left_on_usd=None if left_on is None else money(left_on),
        paused_disk_usd=disk,
        provider_step=provider.billing_step if provider else None,
        warnings=warnings,
    )


def _paused_disk(provider: Provider | None, storage_gib: float | None, paused_hours: float | None) -> Decimal | None:
    if provider is None or storage_gib is None or paused_hours is None:
        return None
    amount = paused_storage_charge(provider, storage_gib * GIB / GB, paused_hours)
    return None if amount is None else cents(amount)
