"""A chosen candidate as the contract's `Plan`."""

from __future__ import annotations

from tools.arguments import PlanArguments
from tools.estimate import Citation, Estimate
from tools.plan.candidate import Candidate
from tools.plan.selection import Chosen
from tools.plan.wording import clause, limit_warnings, plan_warnings, reasons
from tools.results import Plan, PlanOffer
from tools.units import money_text


def shown(arguments: PlanArguments, chosen: Chosen, *, lowest_steady: bool, first: bool) -> Plan:
    """The plan with its reasons and warnings."""
    candidate = chosen.candidate
    machines, fitted, count = candidate.machines, candidate.fitted, candidate.machines.count
    speed = candidate.speed.tokens_per_second_per_accelerator
    kinds = reasons(chosen, lowest_steady=lowest_steady, first=first)
    return Plan(
        label=chosen.label,
        accelerator=machines.card.id,
        accelerator_count=count,
        nodes=machines.nodes,
        sharding=fitted.layout.sharding,
        interconnect=machines.interconnect,
        micro_batch_size=fitted.layout.micro_batch_size,
        gradient_accumulation_steps=fitted.layout.gradient_accumulation_steps,
        activation_checkpointing=fitted.layout.activation_checkpointing,
        offer=offer_of(candidate),
        memory=fitted.memory.device,
        usable_bytes=fitted.usable_bytes,
        tight=fitted.tight,
        hours=candidate.hours.estimate if candidate.hours else None,
        wall_hours=candidate.wall_hours.estimate if candidate.hours else None,
        tokens_per_second=Estimate[float](low=speed.low * count, expected=speed.expected * count, high=speed.high * count),
        usd_per_million_tokens=round(candidate.usd_per_million_tokens, 4),
        cost=candidate.cost,
        why=clause(kinds),
        reasons=kinds,
        warnings=plan_warnings(candidate) + limit_warnings(candidate, arguments),
    )


def offer_of(candidate: Candidate) -> PlanOffer:
    """What is rented: prices are those of all machines together."""
    priced, nodes = candidate.priced, candidate.machines.nodes
    offer = priced.offer
    return PlanOffer(
        provider=offer.provider,
        provider_name=priced.provider.display_name if priced.provider else offer.provider,
        region=offer.region,
        country=offer.country,
        instance=offer.instance,
        pricing_term=offer.pricing_term,
        usd_per_hour=round(candidate.usd_per_hour, 4),
        price_per_hour=offer.price_per_hour * nodes,
        currency=offer.currency,
        as_of=offer.as_of,
        age_days=priced.age_days,
        stale=priced.stale,
        availability=offer.availability,
        source=offer.source,
    )


def price_citation(candidate: Candidate) -> Citation:
    """Where a plan's price comes from."""
    offer = candidate.priced.offer
    name = candidate.priced.provider.display_name if candidate.priced.provider else offer.provider
    return Citation(
        id=f"offer:{offer.provider}/{offer.instance}/{offer.region}/{offer.pricing_term}",
        title=f"{name}, {offer.instance}, {offer.region}, {offer.pricing_term.replace('_', '-')}",
        source=offer.source,
        as_of=offer.as_of.isoformat(),
        quote=f"{money_text(offer.price_per_hour, offer.currency)} an hour",
    )
