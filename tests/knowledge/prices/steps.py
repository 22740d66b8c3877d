"""The steps of a refresh, for tests that look at one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from knowledge.prices.guards import Guarded
from knowledge.prices.intake import Intake
from knowledge.prices.report import ProviderReport
from tools.offer import Offer
from tools.offer_results import OfferList

Refreshed = Callable[..., tuple[ProviderReport, Sequence[Offer]]]
Take = Callable[..., Intake]
Guard = Callable[..., Guarded]
Find = Callable[..., OfferList]
