"""Reasons and warnings of a plan: a few stable kinds, each with its English clause."""

from __future__ import annotations

from tools.arguments import PlanArguments
from tools.plan.candidate import Candidate
from tools.plan.evaluation import FAST_NETWORKS
from tools.plan.price_notes import TOLD
from tools.plan.selection import OVERSIZED_BELOW, Chosen
from tools.terms import Interconnect, Precision, Sharding
from tools.units import gib_text

REASONS: dict[str, str] = {
    "lowest_cost": "lowest cost of the finished run",
    "lowest_price": "cheapest for a small run",
    "shortest": "shortest run at a sensible price",
    "balanced": "best trade of cost against time",
    "lowest_steady": "cheapest without interruptions",
    "as_cheap": "as cheap as any here, as far as prices can be told apart",
    "on_front": "no plan here is both cheaper and faster",
    "own_price": "at your price",
    "single_card": "one card, nothing to shard",
    "replicated": "each card holds the whole model",
    "sharded": "the model is split over the cards",
    "interruptible": "interruptible, losses priced in",
    "oversized": "larger than the job needs",
}
"""Kind of reason -> clause. Surfaces in other languages translate the kind."""


def reasons(chosen: Chosen, *, lowest_steady: bool, first: bool) -> list[str]:
    """Kinds that hold, the weightiest first; `first` says that the plan leads the list."""
    candidate = chosen.candidate
    known = candidate.cost is not None
    kinds = {"cheapest": "lowest_cost" if known else "lowest_price", "fastest": "shortest", "balanced": "balanced"}
    found = [kinds[chosen.label]] if chosen.label else []
    if candidate.priced.provider is None and candidate.priced.offer.provider == "own":
        found.append("own_price")
    if lowest_steady and chosen.label != "cheapest":
        found.append("lowest_steady")
    if first and not {"lowest_cost", "lowest_price", "lowest_steady"} & set(found):
        found.append("as_cheap")
    if not found and chosen.on_front:
        found.append("on_front")
    if candidate.machines.count == 1:
        found.append("single_card")
    else:
        found.append("replicated" if candidate.fitted.layout.sharding is Sharding.DDP else "sharded")
    if candidate.spot:
        found.append("interruptible")
    if candidate.fitted.share < OVERSIZED_BELOW:
        found.append("oversized")
    return found


def clause(kinds: list[str]) -> str:
    """The first two reasons in words."""
    return "; ".join(REASONS[kind] for kind in kinds[:2])


def plan_warnings(candidate: Candidate) -> list[str]:
    """What a user should know of this plan before paying."""
    found = []
    machines, fitted, card = candidate.machines, candidate.fitted, candidate.machines.card
    if fitted.risky:
        found.append("Tight: the expected peak fits, but it may well run out of memory; keep a smaller batch or context ready.")
    elif fitted.tight:
        found.append("The peak likely fits; the upper end of its range does not.")
    if fitted.asked.compute_precision is Precision.FP16 and card.supports_bf16 is False:
        found.append(f"{card.id} has no bf16 and no FlashAttention-2; fp16 needs loss scaling, and some models overflow in it.")
    if machines.count > 1 and fitted.layout.sharding is not Sharding.DDP and machines.interconnect is Interconnect.PCIE:
        found.append("Sharded over PCIe: the links bound the speed.")
    if machines.nodes > 1 and machines.network not in FAST_NETWORKS:
        found.append("The network between nodes is not stated as fast; measure it with nccl-tests first.")
    host = candidate.priced.offer.host_ram_gb
    if host is not None and fitted.memory.host_ram.low > host * 1e9:
        found.append(
            f"The machine has {host:.0f} GB of host memory; loading and running this take at least {gib_text(fitted.memory.host_ram.low)}."
        )
    if candidate.idle_cards:
        found.append(f"The machine is sold with more cards; {candidate.idle_cards} stay idle and are paid for.")
    if candidate.priced.old:
        found.append(f"The price is {candidate.priced.age_days} days old.")
    found += [TOLD[kind] for kind in candidate.priced.notes]
    if card.vendor != "nvidia":
        found.append("Needs a ROCm or vendor build of the training stack; check that every library you use has one.")
    return found


def limit_warnings(candidate: Candidate, arguments: PlanArguments) -> list[str]:
    """Limits that the expected figures keep and the upper ends do not."""
    found = []
    if arguments.budget is not None and candidate.cost is not None and candidate.cost.total.high > float(arguments.budget):
        found.append("The expected cost keeps the budget, the upper end of its range does not.")
    if arguments.deadline is not None and candidate.hours is not None and candidate.wall_hours.high > arguments.deadline:
        found.append("The expected time keeps the deadline, the upper end of its range does not.")
    return found
