"""Ways that fail one condition, each with the figure it misses and what would make it pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tools.arguments import PlanArguments
from tools.cost.currency import Currency
from tools.job import FineTuneJob
from tools.memory.estimate import memory_of_job
from tools.plan.candidate import Candidate
from tools.plan.evaluation import Evaluator, Fitted, Machines
from tools.plan.layouts import TRAINS_MOST
from tools.plan.market import FEW_SELLERS
from tools.results import NearMiss
from tools.terms import ActivationCheckpointing, Precision
from tools.units import gib_text, hours_text, money_text

NEAR_SHARE = 0.35
"""A card that misses by more than this part of its memory is no near miss."""
MOST = 4
"""Near misses in one answer."""
MOST_BESIDE_PLANS = 2
"""Near misses where there are plans."""
MOST_NODES = 10**6
FEW_PLANS = 3
"""With fewer plans than this, those beyond budget or deadline are told as well."""
SHORTEST_CONTEXT = 512


def memory_misses(
    short: Sequence[tuple[Machines, Fitted]], fitting: Sequence[Candidate], evaluator: Evaluator, *, named: bool
) -> list[NearMiss]:
    """Machines on which the job nearly fits, one per card, with the first remedy that helps.

    A card that carries the job on as few machines is a plan already and no near miss, unless the caller named it. Cards sold by
    many come first, then those that miss by least. Where nothing fits at all, one that misses by more is told if something would help.
    """
    carried: dict[str, int] = {}
    for candidate in fitting:
        machines = candidate.machines
        carried[machines.card_id] = min(machines.nodes, carried.get(machines.card_id, machines.nodes))
    sellers = evaluator.ctx.catalog.sellers()
    usual = [pair for pair in short if named or not pair[0].awkward]
    usable = [pair for pair in (usual if fitting or usual else short) if named or carried.get(pair[0].card_id, MOST_NODES) > pair[0].nodes]
    nearest = sorted(usable, key=lambda pair: (sellers.get(pair[0].card_id, 0) < FEW_SELLERS, _share(pair[1]), pair[0].count))
    found: list[NearMiss] = []
    seen: set[str] = set()
    for machines, fitted in nearest:
        far = _share(fitted) > NEAR_SHARE
        if len(found) >= (MOST_BESIDE_PLANS if fitting else MOST) or machines.card_id in seen or (far and (fitting or found)):
            continue
        remedy = next(_remedies(machines, fitted, evaluator), "")
        if not remedy and (far or fitting):
            continue
        seen.add(machines.card_id)
        where = " per card" if machines.count > 1 else ""
        missing = f"short by {gib_text(fitted.missing_bytes)}{where}"
        found.append(NearMiss(accelerator=machines.card_id, accelerator_count=machines.count, missing=missing, remedy=remedy))
    return found


def _share(fitted: Fitted) -> float:
    return fitted.missing_bytes / fitted.usable_bytes


def _remedies(machines: Machines, fitted: Fitted, evaluator: Evaluator) -> Iterator[str]:
    """What would make it fit, the least painful first; each is computed, none is guessed."""
    for text, change in _changes(fitted.job):
        if memory_of_job(fitted.job.model_copy(update=change)).device.expected <= fitted.usable_bytes:
            yield text
    for factor in (2, 4, 8):
        count = machines.count * factor
        split = evaluator.fitted(machines.card, count, max(machines.nodes, count // 8))
        if split is not None and split.fits:
            yield f"{count} of these cards with {split.layout.sharding.value.upper()}"


def _changes(job: FineTuneJob) -> Iterator[tuple[str, dict[str, object]]]:
    if job.activation_checkpointing is not ActivationCheckpointing.FULL:
        yield "full activation checkpointing", {"activation_checkpointing": ActivationCheckpointing.FULL}
    if job.micro_batch_size > 1:
        steps = job.gradient_accumulation_steps * job.micro_batch_size
        yield "micro-batch 1 with gradient accumulation", {"micro_batch_size": 1, "gradient_accumulation_steps": steps}
    if job.method in TRAINS_MOST and job.optimizer == "adamw_torch":
        yield "the fused optimizer (adamw_torch_fused)", {"optimizer": "adamw_torch_fused"}
    if job.method in TRAINS_MOST and "8bit" not in job.optimizer:
        yield "an 8-bit optimizer (adamw_bnb_8bit)", {"optimizer": "adamw_bnb_8bit", "master_weights": False}
    if job.method in ("lora", "dora") and job.weight_precision in (Precision.BF16, Precision.FP16):
        yield "QLoRA: the frozen base in 4 bits", {"method": "qlora", "weight_precision": Precision.NF4, "kbit_preparation": True}
    half = job.sequence_length // 2
    if half >= SHORTEST_CONTEXT:
        yield f"a context of {half:,} tokens", {"sequence_length": half}


def over_budget(candidates: Sequence[Candidate], arguments: PlanArguments, currency: Currency) -> tuple[list[Candidate], list[NearMiss]]:
    """Candidates within the budget, and the cheapest of those beyond it."""
    limit = arguments.budget
    if limit is None:
        return list(candidates), []
    within = [c for c in candidates if c.cost is None or c.cost.total.expected <= float(limit)]

    def told(candidate: Candidate) -> tuple[str, str]:
        assert candidate.cost is not None
        cost = candidate.cost.total.expected
        over = cost - float(limit)
        missing = f"costs {money_text(cost, currency.code)}, {money_text(over, currency.code)} over the budget"
        return missing, f"a budget of {money_text(candidate.cost.total.high, currency.code)} covers its upper end"

    return within, _beyond(candidates, within, lambda c: c.price, told)


def over_deadline(candidates: Sequence[Candidate], deadline: float | None) -> tuple[list[Candidate], list[NearMiss]]:
    """Candidates that finish in time, and the fastest of those that do not."""
    if deadline is None:
        return list(candidates), []
    within = [c for c in candidates if c.hours is None or c.wall_hours.expected <= deadline]

    def told(candidate: Candidate) -> tuple[str, str]:
        wall = candidate.wall_hours.expected
        missing = f"takes {hours_text(wall)} with set-up, {hours_text(wall - deadline)} past the deadline"
        return missing, f"a deadline of {hours_text(candidate.wall_hours.high)} covers its upper end"

    return within, _beyond(candidates, within, lambda c: c.time, told)


def _beyond(
    candidates: Sequence[Candidate],
    within: Sequence[Candidate],
    order: Callable[[Candidate], float],
    told: Callable[[Candidate], tuple[str, str]],
) -> list[NearMiss]:
    if len(within) >= FEW_PLANS:
        return []
    passed = {id(candidate) for candidate in within}
    found: list[NearMiss] = []
    seen: set[tuple[str, int]] = set()
    for candidate in sorted((c for c in candidates if id(c) not in passed), key=order):
        key = (candidate.machines.card.id, candidate.machines.count)
        if key in seen or len(found) >= MOST:
            continue
        seen.add(key)
        missing, remedy = told(candidate)
        found.append(NearMiss(accelerator=key[0], accelerator_count=key[1], missing=missing, remedy=remedy))
    return found
