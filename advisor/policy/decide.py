"""From an understanding to tool calls: a first round, and rounds that depend on what came back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from advisor.policy.arguments import first, has_job, values
from advisor.policy.ask import Ask
from advisor.policy.calls import ToolCall, once
from advisor.policy.compare import compare_arguments
from advisor.policy.conditions import features, known_providers, offer_arguments, plan_arguments
from advisor.policy.query import search_arguments
from advisor.policy.rounds import more_calls
from advisor.policy.spot import spot_arguments
from advisor.slots import Understanding
from tools.context import Context

__all__ = ["more_calls", "plan_calls"]

MAX_PROVIDERS = 4
MAX_PLANS = 3
"""Plans of several alternatives side by side; each costs a search over the catalog."""
BUDGET_SIZES = (24.0, 48.0, 80.0)
"""Memory sizes that split the market: consumer cards, workstation and inference cards, data centre cards."""


Step = Callable[[Ask], list[ToolCall]]


def _memory(ask: Ask) -> list[ToolCall]:
    return [ToolCall(tool="estimate_memory", arguments=job) for job in ask.jobs]


def _model(ask: Ask) -> list[ToolCall]:
    names = [str(name) for name in values(ask.u.slots.model)][:2]
    return [ToolCall(tool="describe_model", arguments={"model": name}) for name in names if ask.facts.model(name)]


def _cards(ask: Ask) -> list[ToolCall]:
    names = [form.id for name in values(ask.u.slots.accelerator) for form in ask.facts.card_forms(str(name))[:1]]
    names = names or [str(job["accelerator"]) for job in ask.jobs if job.get("accelerator")]
    return [ToolCall(tool="describe_accelerator", arguments={"accelerator": name}) for name in dict.fromkeys(names[:4])]


def _durations(ask: Ask) -> list[ToolCall]:
    return [ToolCall(tool="estimate_duration", arguments=job) for job in ask.jobs[:4] if job.get("accelerator")]


def _plans(ask: Ask) -> list[ToolCall]:
    """Plans of the first method on each named card, or of the job on any card."""
    jobs = ask.jobs
    if not jobs:
        return []
    method = jobs[0].get("method")
    chosen = [job for job in jobs if job.get("method") == method][:MAX_PLANS]
    if not any(job.get("accelerator") for job in jobs):
        chosen = chosen[:1]
    calls = [plan_arguments(job, ask.u.slots, ask.facts, ask.currency) for job in chosen]
    terms = values(ask.u.slots.pricing_term)
    if len(terms) > 1 and len(calls) == 1:
        calls = [calls[0] | {"pricing_term": term} for term in terms[:2]]
    return [ToolCall(tool="plan_job", arguments=arguments) for arguments in calls]


def _comparison_or_plans(ask: Ask) -> list[ToolCall]:
    """The user's own cards side by side; plans where there is only one, or none."""
    slots = ask.u.slots
    arguments = compare_arguments(ask.jobs, slots, ask.facts, ask.currency) if ask.facts.has_tool("compare_plans") else None
    if arguments:
        return [ToolCall(tool="compare_plans", arguments=arguments)]
    conditions = (slots.budget, slots.region, slots.pricing_term, slots.price_per_hour, slots.accelerator)
    return [] if ask.u.intent == "compare" and all(value is None for value in conditions) else _plans(ask)


def _bills(ask: Ask) -> list[ToolCall]:
    """Many short runs under each billing step, where their number and length were said."""
    runs, minutes = first(ask.u.slots.runs), first(ask.u.slots.run_minutes)
    if not runs or not minutes or not ask.facts.has_tool("bill_experiments"):
        return []
    arguments: dict[str, Any] = {"runs": runs, "run_minutes": minutes}
    price = first(ask.u.slots.price_per_hour)
    usd = ask.facts.usd(float(price), ask.u.slots.currency) if price else None
    if usd:
        arguments["usd_per_hour"] = usd
    providers = known_providers(ask.u.slots, ask.facts)
    if len(providers) == 1:
        arguments["provider"] = providers[0]
    return [ToolCall(tool="bill_experiments", arguments=arguments)]


def _plans_without_card(ask: Ask) -> list[ToolCall]:
    """Cards that carry the job where none was named; of several methods nobody chose between, the one that needs least."""
    jobs = ask.jobs
    if not jobs or any(job.get("accelerator") for job in jobs) or ask.u.slots.model is None is ask.u.slots.parameters_billion:
        return []
    least = next((job for job in jobs if job.get("method") == "qlora"), jobs[0])
    job = least if ask.u.intent == "fit_check" else jobs[0]
    return [ToolCall(tool="plan_job", arguments=plan_arguments(job, ask.u.slots, ask.facts, ask.currency))]


def _offers_without_job(ask: Ask) -> list[ToolCall]:
    """Prices where no job is known: of the named cards, else of each usual memory size where money is the question."""
    slots = ask.u.slots
    if has_job(ask.u) or slots.price_per_hour is not None:
        return []
    rows = offer_arguments(slots, ask.facts)
    if "accelerator" in rows[0] or "minimum_memory_gb" in rows[0]:
        return [ToolCall(tool="find_offers", arguments=row) for row in rows[: 2 * MAX_PLANS]]
    if slots.accelerator is not None:
        return []  # a card nobody knows has no price
    if slots.budget is not None or slots.region is not None or ask.u.intent == "cost":
        cards = [card.id for size in BUDGET_SIZES if (card := ask.facts.card_of_memory(size)) is not None]
        return [ToolCall(tool="find_offers", arguments=rows[0] | {"accelerator": card, "limit": 1}) for card in cards]
    return []


def _offers_of_features(ask: Ask) -> list[ToolCall]:
    """Which providers have a feature: offers of those that pass, from which the second round describes the providers."""
    wanted = features(ask.u.slots)
    if not wanted or known_providers(ask.u.slots, ask.facts):
        return []
    arguments: dict[str, Any] = {"features": wanted, "limit": 60}
    if ask.u.slots.region is not None:
        arguments["region"] = str(first(ask.u.slots.region))
    return [ToolCall(tool="find_offers", arguments=arguments)]


def _providers(ask: Ask) -> list[ToolCall]:
    names = known_providers(ask.u.slots, ask.facts)[:MAX_PROVIDERS]
    return [ToolCall(tool="describe_provider", arguments={"provider": name}) for name in names]


def _search(ask: Ask) -> list[ToolCall]:
    arguments = search_arguments(ask.u, ask.question)
    return [ToolCall(tool="search_knowledge", arguments=arguments)] if arguments["query"] else []


def _spot(ask: Ask) -> list[ToolCall]:
    """Spot against on-demand, where hours or a job with its data are known."""
    if not ask.facts.has_tool("spot_economics"):
        return []
    jobs = ask.jobs
    arguments = spot_arguments(jobs[0] if jobs else None, ask.u.slots, ask.facts, ask.currency)
    return [ToolCall(tool="spot_economics", arguments=arguments)] if arguments else []


def _spot_if_named(ask: Ask) -> list[ToolCall]:
    """The same in a question about money that names spot or interruptions."""
    slots = ask.u.slots
    return _spot(ask) if "spot" in values(slots.pricing_term) or slots.interruptions is not None else []


RULES: dict[str, tuple[Step, ...]] = {
    "memory_estimate": (_memory, _model, _cards, _plans_without_card, _search),
    "fit_check": (_memory, _model, _cards, _plans_without_card, _search),
    "oom_debug": (_memory, _model, _cards, _search),
    "gpu_choice": (_memory, _model, _cards, _comparison_or_plans, _offers_without_job, _search),
    "single_vs_multi": (_memory, _model, _cards, _plans_without_card, _search),
    "spot": (_memory, _spot, _plans, _providers, _search),
    "storage": (_memory, _providers, _offers_of_features, _search),
    "billing": (_bills, _providers, _offers_of_features, _plans, _search),
    "precision": (_cards, _model, _memory, _search),
    "interconnect": (_cards, _memory, _providers, _search),
    "cost": (_bills, _memory, _cards, _spot_if_named, _comparison_or_plans, _offers_without_job, _providers, _search),
    "time": (_durations, _memory, _plans_without_card, _cards, _search),
    "environment": (_cards, _providers, _memory, _search),
    "compare": (_memory, _model, _cards, _comparison_or_plans, _offers_without_job, _providers, _search),
    "general": (_memory, _model, _cards, _providers, _search),
}
"""Tool calls by intent, in the order in which they are made."""


BY_TOPIC: dict[str, tuple[Step, ...]] = {
    "precision": (_cards,),
    "interconnect": (_cards,),
    "environment": (_cards, _providers),
    "storage": (_providers,),
    "billing": (_bills, _providers),
    "spot": (_spot_if_named,),
    "cost": (_offers_without_job,),
}
"""Further calls for what a question touches besides its main intent."""


def plan_calls(u: Understanding, ctx: Context, *, question: str = "", currency: str = "USD") -> list[ToolCall]:
    """First round of tool calls. Nothing is called for a turn that is refused, or that says nothing.

    A turn with an instruction in it ("ignore your tools") is answered as if the instruction were not there.
    """
    if u.refusal in ("refuse", "out_of_scope") or (u.intent == "out_of_scope" and (u.refusal or not has_job(u))):
        return []
    ask = Ask.of(u, ctx, question, currency)
    *steps, last = RULES.get(u.intent, (_memory, _search))
    also = [step for topic in sorted(u.topics) for step in BY_TOPIC.get(topic, ())]
    return once(call for step in [*steps, *also, last] for call in step(ask))
