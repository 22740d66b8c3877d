"""How long a price stays true, by its kind."""

from __future__ import annotations

from datetime import date

from tools.offer import Offer
from tools.provider import Provider
from tools.terms import PricingTerm

TRUE_FOR_DAYS: dict[str, int] = {"hyperscaler": 365, "marketplace": 1}
"""Days a list price stays true by the first word of the provider's category."""

OTHERS_TRUE_FOR_DAYS = 30
"""Days for specialised clouds and providers of unknown category."""

SPOT_TRUE_FOR_DAYS = 1
"""Days for a spot price, whoever asks it."""


def true_for_days(term: PricingTerm, provider: Provider | None) -> int:
    """Days after which a price of this kind is no longer to be relied on."""
    if term is PricingTerm.SPOT:
        return SPOT_TRUE_FOR_DAYS
    words = provider.category.replace("/", " ").split() if provider else []
    return TRUE_FOR_DAYS.get(words[0], OTHERS_TRUE_FOR_DAYS) if words else OTHERS_TRUE_FOR_DAYS


def is_stale(offer: Offer, provider: Provider | None, today: date) -> bool:
    """Whether a price is older than its kind stays true."""
    return offer.age_days(today) > true_for_days(offer.pricing_term, provider)
