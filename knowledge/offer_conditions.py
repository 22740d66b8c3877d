"""The conditions of a query, each a test on one column."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tools.accelerator import Accelerator
from tools.offer import OfferQuery

Condition = tuple[str, Callable[..., bool]]
"""Column and test of its value."""


def conditions(query: OfferQuery, cards: Mapping[str, Accelerator]) -> Iterator[Condition]:
    """One for each field that is set; region and prices are left to the index, which knows countries and rates."""
    for passes in card_tests(query):
        yield "accelerator", lambda id_, passes=passes: passes(cards[id_])
    if not query.include_specialised:
        yield "accelerator_count", lambda count: float(count).is_integer()
    yield from offer_tests(query)


def card_tests(query: OfferQuery) -> Iterator[Callable[[Accelerator], bool]]:
    """Tests of the card. Chips that usual PyTorch code does not train on appear only where asked for or named."""
    if query.accelerators:
        named = frozenset(query.accelerators)
        yield lambda card: card.id in named
    elif not query.include_specialised:
        yield lambda card: card.training_support == "yes"
    if not query.consumer_ok:
        yield lambda card: not card.consumer
    if query.architectures:
        generations = frozenset(name.casefold() for name in query.architectures)
        yield lambda card: card.architecture.casefold() in generations
    if query.precision is not None:
        precision = query.precision
        yield lambda card: card.computes_in(precision) is True
    if query.minimum_memory_gb is not None:
        least = query.minimum_memory_gb
        yield lambda card: card.memory_label_gb >= least
    if query.maximum_memory_gb is not None:
        most = query.maximum_memory_gb
        yield lambda card: card.memory_label_gb <= most


def offer_tests(query: OfferQuery) -> Iterator[Condition]:
    """Tests of the offer itself. Slices of a card are left to `include_specialised`."""
    for column, wanted in (
        ("interconnect", {link.value for link in query.interconnects}),
        ("pricing_term", {query.pricing_term.value} if query.pricing_term else ()),
        ("provider", frozenset(query.providers)),
        ("availability", {query.availability.value} if query.availability else ()),
        ("accelerator_count", {query.accelerator_count} if query.accelerator_count else ()),
    ):
        if wanted:
            yield column, lambda value, wanted=wanted: value in wanted
    if query.minimum_count is not None:
        fewest = query.minimum_count
        yield "accelerator_count", lambda count: count >= fewest
    if query.as_of_from is not None:
        first = query.as_of_from.isoformat()
        yield "as_of", lambda day: day >= first
    if query.as_of_before is not None:
        end = query.as_of_before.isoformat()
        yield "as_of", lambda day: day < end
