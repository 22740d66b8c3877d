"""Rounds of tool calls that depend on what came back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from advisor.answer import ToolResult
from advisor.policy.ask import Ask, asks_how_many
from advisor.policy.calls import ToolCall, once
from advisor.policy.conditions import known_providers, open_plan_arguments
from advisor.policy.oom_log import diagnosis
from advisor.policy.remedies import all_at_once, remedies
from advisor.policy.verdicts import settled
from advisor.slots import Intent, Understanding
from tools.context import Context
from tools.results import MemoryEstimate

MAX_PROVIDERS = 4
NODE = 8
"""Cards of a usual machine."""
SPARE = (1.1, 1.5, 2.0)
"""Counts tried beyond the bare division: what shards do not divide comes on top."""
MORE_SPARE = (3.0, 4.0)
"""Counts tried where those did not do either."""
MANY_NODES = 64
"""Machines allowed where the question is how many of a card it takes."""
REMEDY_LIMITS = {"oom_debug": 6, "fit_check": 4, "single_vs_multi": 3, "compare": 2, "general": 2}
"""How many remedies are computed where a job does not fit; 3 elsewhere."""


def more_calls(
    u: Understanding, results: Sequence[ToolResult], ctx: Context, *, question: str = "", currency: str = "USD"
) -> list[ToolCall]:
    """Calls that depend on earlier results; empty when there is nothing left to ask. At most three rounds come back non-empty."""
    ask = Ask.of(u, ctx, question, currency)
    made = {ToolCall(tool=result.tool, arguments=result.arguments).key for result in results}
    calls = [
        *_enough_cards(ask, results),
        *_remedies(ask, results),
        *_plan_instead(ask, results),
        *_wider_offers(results),
        *_providers_of_offers(ask, results),
    ]
    return [call for call in once(calls) if call.key not in made]


def _remedies(ask: Ask, results: Sequence[ToolResult]) -> list[ToolCall]:
    """Smaller variants of the first job where it does not fit, or fits with nothing to spare; then all of them together."""
    first_round = len(ask.jobs)
    estimates = memory_results(results, ask.u.intent)
    if not estimates or not estimates[0][1].verdict.accelerator:
        return []
    job, estimate = estimates[0]
    verdict = estimate.verdict
    wanted = verdict.fits is not True or verdict.tight or ask.u.intent == "oom_debug"
    if not wanted or asks_how_many(ask.u, ask.question) or ask.u.intent in ("cost", "time", "spot", "storage", "billing"):
        return []
    if ask.u.intent == "oom_debug" and verdict.fits is True and diagnosis(ask.question):
        return []  # the error shows a cause that a smaller job would not mend
    limit = REMEDY_LIMITS.get(ask.u.intent, 3)
    variants = [variant for variant in remedies(job, estimate, limit) if variant not in ask.jobs]
    tried = estimates[first_round:]
    if not tried:
        return [ToolCall(tool="estimate_memory", arguments=variant) for variant in variants]
    together = all_at_once(job, estimate)
    helped = any(
        found.verdict.fits is True and not found.verdict.tight and variant.get("method") == job.get("method") for variant, found in tried
    )
    return [] if together is None or helped else [ToolCall(tool="estimate_memory", arguments=together)]


def _enough_cards(ask: Ask, results: Sequence[ToolResult]) -> list[ToolCall]:
    """How many of a card it takes, where that was asked: the least count by the peak of one card, and the next size up.

    Shards divide the states and little else, so the least count is a start; the tool judges each.
    """
    estimates = memory_results(results, ask.u.intent)
    if not asks_how_many(ask.u, ask.question) or not estimates:
        return []
    job, estimate = estimates[0]
    verdict = estimate.verdict
    if verdict.fits is not False or not verdict.usable_bytes:
        return []
    least = -(-estimate.peak_device_bytes.expected // verdict.usable_bytes)
    sizes = [size for size in (2, 4, 8) if size >= least] or [
        8 * nodes for nodes in (-(-least // 8), -(-9 * least // 64), -(-5 * least // 32))
    ]
    calls = []
    for count in dict.fromkeys(sizes[:3]):
        more = job | {"accelerator_count": count} | ({"nodes": count // NODE} if count > NODE else {})
        calls.append(ToolCall(tool="estimate_memory", arguments=more))
    return calls


def _plan_instead(ask: Ask, results: Sequence[ToolResult]) -> list[ToolCall]:
    """What to rent instead, where the named card does not carry the job."""
    estimates = memory_results(results, ask.u.intent)
    if any(result.tool == "plan_job" for result in results) or not estimates:
        return []
    named = [(job, estimate) for job, estimate in estimates[: len(ask.jobs)] if estimate.verdict.accelerator]
    if ask.u.intent not in ("fit_check", "single_vs_multi", "oom_debug", "memory_estimate", "precision") or not named:
        return []
    if any(estimate.verdict.fits is True for _, estimate in named):
        return []
    arguments = open_plan_arguments(named[0][0], ask.u.slots, ask.facts, ask.currency)
    calls = [ToolCall(tool="plan_job", arguments=arguments)]
    if ask.u.slots.accelerator_count is None and named[0][0].get("method") == "full":
        more = arguments | {"accelerator": named[0][0]["accelerator"], "max_nodes": MANY_NODES}
        calls.insert(0, ToolCall(tool="plan_job", arguments=more))  # "how many of these?"
    return calls


def _wider_offers(results: Sequence[ToolResult]) -> list[ToolCall]:
    """The same card elsewhere, where no offer matched the place, provider or count asked for."""
    asked = [result for result in results if result.tool == "find_offers"]
    if not asked or any(result.result.get("offers") for result in asked):
        return []
    narrow = ("region", "provider", "accelerator_count", "features")
    wider = [{name: value for name, value in result.arguments.items() if name not in narrow} for result in asked]
    return [ToolCall(tool="find_offers", arguments=arguments) for arguments in wider]


def _providers_of_offers(ask: Ask, results: Sequence[ToolResult]) -> list[ToolCall]:
    """Records of the providers whose offers passed, where the question is about providers."""
    if ask.u.intent not in ("storage", "billing", "environment", "general") or known_providers(ask.u.slots, ask.facts):
        return []
    offers = [offer for result in results if result.tool == "find_offers" for offer in result.result.get("offers", [])]
    plans = [plan["offer"] for result in results if result.tool == "plan_job" for plan in result.result.get("plans", [])]
    names = dict.fromkeys(row["provider"] for row in [*plans, *offers])
    return [ToolCall(tool="describe_provider", arguments={"provider": name}) for name in list(names)[:MAX_PROVIDERS]]


def memory_results(results: Sequence[ToolResult], intent: Intent) -> list[tuple[dict[str, Any], MemoryEstimate]]:
    """Arguments and typed estimate of every memory call that succeeded, in order."""
    return [
        (result.arguments, settled(MemoryEstimate.model_validate(result.result), intent))
        for result in results
        if result.tool == "estimate_memory" and "error" not in result.result
    ]
