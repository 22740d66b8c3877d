"""Offers that match a filter, with the age of every price."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any

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
    able = _able(providers, arguments)
    if able == ():
        return OfferList(offers=[], matched=0, warnings=_warnings([], arguments))
    query = _query(ctx, arguments, able)
    year_ago = ctx.today - timedelta(days=OLD_DAYS)
    since = max(query.as_of_from, year_ago) if query.as_of_from else year_ago
    young = ctx.catalog.offers(query.model_copy(update={"as_of_from": since}))
    old: Sequence[Offer] = ()
    if since == year_ago:
        old = ctx.catalog.offers(query.model_copy(update={"as_of_before": year_ago}))
    shown = _ranked(ctx, young, old, arguments.limit)
    rows = [_row(ctx, offer, providers.get(offer.provider)) for offer in shown]
    return OfferList(offers=rows, matched=len(young) + len(old), warnings=_warnings(rows, arguments))


def _able(providers: dict[str, Provider], arguments: OfferArguments) -> tuple[str, ...] | None:
    """Providers with the wanted features; None where none is wanted."""
    if not arguments.features:
        return None
    return tuple(provider.id for provider in providers.values() if not lacks(provider, arguments.features))


def _query(ctx: Context, arguments: OfferArguments, able: tuple[str, ...] | None) -> OfferQuery:
    accelerators: tuple[str, ...] = ()
    slices = False
    if arguments.accelerator:
        accelerators = tuple(card.id for card in ctx.catalog.accelerator_candidates(arguments.accelerator))
        instance = ctx.catalog.instance_accelerator(arguments.accelerator)
        slices = instance is not None and instance[1] != int(instance[1])
    providers = able or ()
    if arguments.provider:
        named = ctx.catalog.provider(arguments.provider).id
        providers = (named,) if able is None or named in able else (NOBODY,)
    return OfferQuery(
        accelerators=accelerators,
        minimum_memory_gb=arguments.minimum_memory_gb,
        maximum_memory_gb=arguments.maximum_memory_gb,
        architectures=(arguments.architecture,) if arguments.architecture else (),
        precision=arguments.precision,
        interconnects=(arguments.interconnect,) if arguments.interconnect else (),
        accelerator_count=arguments.accelerator_count,
        minimum_count=arguments.minimum_count,
        maximum_usd_per_hour=arguments.maximum_usd_per_hour,
        maximum_usd_per_accelerator_hour=arguments.maximum_usd_per_accelerator_hour,
        pricing_term=arguments.pricing_term,
        providers=providers,
        region=arguments.region,
        availability=arguments.availability,
        as_of_from=None if arguments.maximum_age_days is None else ctx.today - timedelta(days=arguments.maximum_age_days),
        consumer_ok=arguments.consumer_ok,
        include_specialised=slices,
    )


NOBODY = "-"
"""No provider's id."""


def _ranked(ctx: Context, young: Sequence[Offer], old: Sequence[Offer], limit: int) -> list[Offer]:
    """The first of both lists, each in rank order; unknown currencies go behind whatever their age."""
    shown = list(young[:limit])
    if len(young) < limit or any(offer.currency == "unknown" for offer in shown):
        shown += old[:limit]
        shown.sort(key=lambda offer: ctx.catalog.usd_per_hour(offer) is None)
    return shown[:limit]


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
        private=offer.private,
        source=offer.source,
        **_trend(ctx, offer),
    )


def _trend(ctx: Context, offer: Offer) -> dict[str, Any]:
    """The last price before this one in the same currency."""
    past = [each for each in ctx.catalog.history(offer) if each.currency == offer.currency and each.as_of < offer.as_of]
    if not past:
        return {}
    before = past[-1]
    change = float((offer.price_per_hour - before.price_per_hour) / before.price_per_hour * 100)
    return {"earlier_price_per_hour": before.price_per_hour, "earlier_as_of": before.as_of, "change_percent": round(change, 1)}


def _warnings(shown: Sequence[OfferRow], arguments: OfferArguments) -> list[str]:
    """Each given once for the whole list."""
    warnings = []
    if not shown:
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
