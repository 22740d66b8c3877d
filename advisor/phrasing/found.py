"""What the tools found, typed again, by kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import BaseModel

from advisor.answer import ToolResult
from tools.context import Passage
from tools.offer_results import OfferList
from tools.results import DurationEstimate, MemoryEstimate, PlanResult

Job = Mapping[str, Any]
Model = TypeVar("Model", bound=BaseModel)


@dataclass(slots=True)
class Found:
    """Results of a turn in the order of their calls.

    `memory` holds what was asked, `variants` what later rounds tried instead: the look-up in the guide ends the first round.
    """

    memory: list[tuple[Job, MemoryEstimate]] = field(default_factory=list)
    variants: list[tuple[Job, MemoryEstimate]] = field(default_factory=list)
    durations: list[tuple[Job, DurationEstimate]] = field(default_factory=list)
    plans: list[tuple[Job, PlanResult]] = field(default_factory=list)
    offers: list[tuple[Job, OfferList]] = field(default_factory=list)
    cards: list[dict[str, Any]] = field(default_factory=list)
    models: list[dict[str, Any]] = field(default_factory=list)
    providers: list[dict[str, Any]] = field(default_factory=list)
    passages: list[Passage] = field(default_factory=list)
    spot: list[tuple[Job, dict[str, Any]]] = field(default_factory=list)
    comparisons: list[dict[str, Any]] = field(default_factory=list)
    bills: list[dict[str, Any]] = field(default_factory=list)
    others: list[ToolResult] = field(default_factory=list)
    errors: list[tuple[ToolResult, dict[str, str]]] = field(default_factory=list)


def typed(model: type[Model], data: Any) -> Model:
    """A result as its own type again; computed fields of a dump are left out at every level, they are no input."""
    return model.model_validate(_without_computed(data))


def _without_computed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_computed(part) for key, part in value.items() if key != "found"}
    return [_without_computed(part) for part in value] if isinstance(value, list) else value


def sorted_out(results: Sequence[ToolResult], passages: Sequence[Passage] = ()) -> Found:
    """Results by kind; failed calls apart."""
    found = Found(passages=list(passages))
    memory = found.memory
    for result in results:
        if result.tool == "search_knowledge":
            memory = found.variants
        if "error" in result.result:
            found.errors.append((result, result.result["error"]))
        elif result.tool == "estimate_memory":
            memory.append((result.arguments, typed(MemoryEstimate, result.result)))
        elif result.tool == "estimate_duration":
            found.durations.append((result.arguments, typed(DurationEstimate, result.result)))
        elif result.tool == "plan_job":
            found.plans.append((result.arguments, typed(PlanResult, result.result)))
        elif result.tool == "find_offers":
            found.offers.append((result.arguments, typed(OfferList, result.result)))
        elif result.tool == "search_knowledge":
            known = {passage.id for passage in found.passages}
            rows = [Passage.model_validate(row) for row in result.result.get("passages", [])]
            found.passages += [passage for passage in rows if passage.id not in known]
        else:
            _plain(found, result)
    return found


def _plain(found: Found, result: ToolResult) -> None:
    kept: dict[str, list[dict[str, Any]]] = {
        "describe_accelerator": found.cards,
        "describe_model": found.models,
        "describe_provider": found.providers,
        "compare_plans": found.comparisons,
        "bill_experiments": found.bills,
    }
    if result.tool in kept:
        kept[result.tool].append(result.result)
    elif result.tool == "spot_economics":
        found.spot.append((result.arguments, result.result))
    else:
        found.others.append(result)
