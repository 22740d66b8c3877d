"""Whether an offer passes a filter: a pure predicate."""

from __future__ import annotations

from decimal import Decimal

from tools.accelerator import Accelerator
from tools.offer import Offer, OfferQuery


def is_specialised(offer: Offer, card: Accelerator) -> bool:
    """A slice of a card, or a card on which usual PyTorch code does not train: shown only where it was named."""
    return card.training_support != "yes" or offer.accelerator_count != int(offer.accelerator_count)


def matches(query: OfferQuery, offer: Offer, card: Accelerator, usd_per_hour: Decimal | None) -> bool:
    """Every field of the query narrows; the region is left to the caller, who knows the countries."""
    named = offer.accelerator in query.accelerators
    whole = offer.accelerator_count == int(offer.accelerator_count)
    return (
        (named or not query.accelerators)
        and (query.include_specialised or not is_specialised(offer, card) or (named and whole))
        and (query.consumer_ok or not card.consumer)
        and (query.pricing_term is None or offer.pricing_term is query.pricing_term)
        and (not query.providers or offer.provider in query.providers)
        and (query.accelerator_count is None or offer.accelerator_count == query.accelerator_count)
        and (query.minimum_count is None or offer.accelerator_count >= query.minimum_count)
        and (query.minimum_memory_gb is None or card.memory_label_gb >= query.minimum_memory_gb)
        and (query.maximum_usd_per_hour is None or (usd_per_hour is not None and usd_per_hour <= query.maximum_usd_per_hour))
    )
