"""The tools. Each is one typed function; every surface is generated from this list.

What a tool computes with is imported when it runs: the command line lists all of them and runs one.
"""

from __future__ import annotations

from functools import cache

from tools.arguments import (
    AcceleratorArguments,
    CompareArguments,
    ExperimentArguments,
    ModelArguments,
    OfferArguments,
    PlanArguments,
    ProviderArguments,
    SearchArguments,
    SpotArguments,
)
from tools.card_results import AcceleratorCard, ModelCard, PassageList, ProviderCard
from tools.context import Context
from tools.cost.experiment_result import ExperimentBills
from tools.cost.spot_result import SpotEconomics
from tools.errors import UnknownName
from tools.job import JobArguments
from tools.offer_results import OfferList
from tools.plan.comparison import Comparison
from tools.results import DurationEstimate, MemoryEstimate, PlanResult
from tools.toolspec import ToolSpec


def describe_model(ctx: Context, arguments: ModelArguments) -> ModelCard:
    """Architecture, parameters by block, context length and licence of a model.

    Takes a name from the registry, the object of a `config.json`, or only a size such as "7B" (then a typical shape of
    that size, said as an assumption).
    """
    from tools import cards

    return cards.model_card(ctx, arguments)


def describe_accelerator(ctx: Context, arguments: AcceleratorArguments) -> AcceleratorCard:
    """Memory, bandwidth, dense peaks, precisions and links of an accelerator, and what it cannot do."""
    from tools import cards

    return cards.accelerator_card(ctx, arguments.accelerator)


def describe_provider(ctx: Context, arguments: ProviderArguments) -> ProviderCard:
    """Storage, billing, egress, spot, access, networks and seat of a provider; unknown is said as unknown."""
    from tools import cards

    return cards.provider_card(ctx, arguments.provider)


def find_offers(ctx: Context, arguments: OfferArguments) -> OfferList:
    """Offers of the catalog that match a filter, cheapest per card and hour first, each with its date."""
    from tools.offers import offers_matching

    return offers_matching(ctx, arguments)


def estimate_memory(ctx: Context, arguments: JobArguments) -> MemoryEstimate:
    """Peak memory per device of a fine-tuning job, with range, breakdown, assumptions and fit verdict.

    The peak is the largest phase of a step; the breakdown shows what lives at that moment.
    """
    from tools.memory.estimate import memory_of

    return memory_of(ctx, arguments)


def estimate_duration(ctx: Context, arguments: JobArguments) -> DurationEstimate:
    """Tokens per second, step time, hours and what bounds a fine-tuning job on a named accelerator."""
    from tools.duration.estimate import duration_of

    return duration_of(ctx, arguments)


def plan_job(ctx: Context, arguments: PlanArguments) -> PlanResult:
    """Ranked ways to run a job: card, count, sharding and offer, with memory, hours and cost of the finished run.

    Prices are dated snapshots; near misses say what they lack.
    """
    from tools.plan.rank import plans_for

    return plans_for(ctx, arguments)


def compare_plans(ctx: Context, arguments: CompareArguments) -> Comparison:
    """Two or more ways you name to run one job, side by side by cost of the finished run.

    Each alternative takes its price from the catalog, or your own with `usd_per_hour`.
    """
    from tools.plan.compare import compared

    return compared(ctx, arguments)


def spot_economics(ctx: Context, arguments: SpotArguments) -> SpotEconomics:
    """How often to save on spot, what interruptions cost in time and money, and the chance to meet a deadline.

    Takes the hours of the run, or a job from which they follow.
    """
    from tools.cost.spot import spot_against_on_demand

    return spot_against_on_demand(ctx, arguments)


def bill_experiments(ctx: Context, arguments: ExperimentArguments) -> ExperimentBills:
    """What several short runs cost under billing by the second, the minute, ten minutes and the hour."""
    from tools.cost.experiments import experiment_bills

    return experiment_bills(ctx, arguments)


def search_knowledge(ctx: Context, arguments: SearchArguments) -> PassageList:
    """Passages of the guide, of provider, accelerator and model records, with ids and sources."""
    found = ctx.retriever.search(arguments.query, language=arguments.language, limit=arguments.limit)
    return PassageList(passages=list(found))


@cache
def toolbox() -> tuple[ToolSpec, ...]:
    """All tools, in the order in which surfaces list them."""
    functions = (
        describe_model,
        describe_accelerator,
        describe_provider,
        find_offers,
        estimate_memory,
        estimate_duration,
        plan_job,
        compare_plans,
        spot_economics,
        bill_experiments,
        search_knowledge,
    )
    return tuple(ToolSpec.of(function) for function in functions)


def tool(name: str) -> ToolSpec:
    """One tool by name; hyphens count as underscores. Raises UnknownName."""
    wanted = name.replace("-", "_")
    for spec in toolbox():
        if spec.name == wanted:
            return spec
    raise UnknownName("tool", name, [spec.name for spec in toolbox()])
