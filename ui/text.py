"""Results for people: one renderer for each kind of result, a card for every other record."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from tools.card_results import AcceleratorCard, ModelCard, PassageList, ProviderCard
from tools.cost.experiment_result import ExperimentBills
from tools.cost.spot_result import SpotEconomics
from tools.offer_results import OfferList
from tools.plan.comparison import Comparison
from tools.results import DurationEstimate, MemoryEstimate, PlanResult
from ui.text_accelerator import accelerator_text
from ui.text_card import card_text
from ui.text_comparison import comparison_text
from ui.text_duration import duration_text
from ui.text_memory import memory_text
from ui.text_model import model_text
from ui.text_offers import offers_text
from ui.text_passages import passages_text
from ui.text_plans import plans_text
from ui.text_provider import provider_text
from ui.text_spot import bills_text, spot_text

RENDERERS: dict[type[BaseModel], Callable[[Any], list[str]]] = {
    MemoryEstimate: memory_text,
    DurationEstimate: duration_text,
    PlanResult: plans_text,
    OfferList: offers_text,
    ModelCard: model_text,
    AcceleratorCard: accelerator_text,
    ProviderCard: provider_text,
    PassageList: passages_text,
    Comparison: comparison_text,
    SpotEconomics: spot_text,
    ExperimentBills: bills_text,
}


def text_of(result: BaseModel) -> str:
    """A result as text for a terminal."""
    return "\n".join(RENDERERS.get(type(result), card_text)(result))
