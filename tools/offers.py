"""Offers that match a filter, with the age of every price."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from tools.ageing import is_stale
from tools.arguments import OfferArguments
from tools.context import Context
from tools.offer import Offer, OfferQuery
from tools.offer_results import OfferList, OfferRow
from tools.plan.features import lacks
from tools.provider import Provider

OLD_DAYS = 365
"""A price older than a year never comes before a younger one."""


def offers_matching(ctx: Context, arguments: OfferArguments) -> OfferList:
    """Cheapest per card and hour first; those older than a year behind, those of unknown currency last.

    Raises UnknownName for an accelerator or provider nobody has heard of.
    """
    providers = {provider.id: provider for provider in ctx.catalog.providers()}
    rows = [
        _row(ctx, offer, providers.get(offer.provider))
        for offer in ctx.catalog.offers(_query(ctx, arguments))
        if not (arguments.features and lacks(providers.get(offer.provider), arguments.features))
    ]
    rows.sort(key=_rank)
    shown = rows[: arguments.limit]
    return OfferList(offers=shown, matched=len(rows), warnings=_warnings(shown, len(rows), arguments))


def _query(ctx: Context, arguments: OfferArguments) -> OfferQuery:
    accelerators: tuple[str, ...] = ()
    slices = False
    if arguments.accelerator:
        accelerators = tuple(card.id for card in ctx.catalog.accelerator_candidates(arguments.accelerator))
        instance = ctx.catalog.instance_accelerator(arguments.accelerator)
        slices = instance is not None and instance[1] != int(instance[1])
    return OfferQuery(
        accelerators=accelerators,
        minimum_memory_gb=arguments.minimum_memory_gb,
        accelerator_count=arguments.accelerator_count,
        minimum_count=arguments.minimum_count,
        maximum_usd_per_hour=arguments.maximum_usd_per_hour,
        pricing_term=arguments.pricing_term,
        providers=(ctx.catalog.provider(arguments.provider).id,) if arguments.provider else (),
        region=arguments.region,
        consumer_ok=arguments.consumer_ok,
        include_specialised=slices,
    )


def _row(ctx: Context, offer: Offer, provider: Provider | None) -> OfferRow:
    usd = ctx.catalog.usd_per_hour(offer)
    return OfferRow(
        provider=offer.provider,
        region=offer.region,
        country=offer.country,
        instance=offer.instance,
        accelerator=offer.accelerator,
        accelerator_count=offer.accelerator_count,
        interconnect=offer.interconnect,
        pricing_term=offer.pricing_term,
        usd_per_hour=usd,
        usd_per_accelerator_hour=None if usd is None else usd / Decimal(str(offer.accelerator_count)),
        price_per_hour=offer.price_per_hour,
        currency=offer.currency,
        as_of=offer.as_of,
        age_days=offer.age_days(ctx.today),
        stale=is_stale(offer, provider, ctx.today),
        availability=offer.availability,
        source=offer.source,
    )


def _rank(row: OfferRow) -> tuple[bool, bool, Decimal]:
    per_card = row.usd_per_accelerator_hour
    return (per_card is None, row.age_days > OLD_DAYS, per_card if per_card is not None else Decimal(0))


def _warnings(shown: Sequence[OfferRow], matched: int, arguments: OfferArguments) -> list[str]:
    """Each given once for the whole list."""
    warnings = []
    if not matched:
        return [f"No offer in the catalog matches{_conditions(arguments)}. Loosen one condition."]
    stale = [row for row in shown if row.stale]
    if stale:
        oldest, newest = min(row.as_of for row in stale), max(row.as_of for row in stale)
        span = f"of {oldest}" if oldest == newest else f"from {oldest} to {newest}"
        warnings.append(
            f"{len(stale)} of {len(shown)} prices are older than a price of their kind stays true ({span}); check them before renting."
        )
    if any(row.usd_per_hour is None for row in shown):
        warnings.append("Prices whose currency no source states are listed last and not ranked.")
    if all(row.availability.value == "unknown" for row in shown):
        warnings.append("Price lists do not say what is free right now.")
    return warnings


def _conditions(arguments: OfferArguments) -> str:
    given = arguments.model_dump(exclude_none=True, exclude_defaults=True, exclude={"limit"}, mode="json")
    return "".join(f", {name}={value}" for name, value in given.items())
