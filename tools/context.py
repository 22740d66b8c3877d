"""What tools need from outside, declared here and implemented in `knowledge/`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Protocol

from tools.accelerator import Accelerator
from tools.architecture import ModelArchitecture
from tools.base import Value
from tools.offer import ExchangeRate, Offer, OfferQuery
from tools.provider import Provider


class Passage(Value):
    """A retrieved piece of text."""

    id: str
    """Stable id: article or record and heading."""
    title: str
    """Title of the article or record, and the heading."""
    text: str
    """The passage."""
    kind: str
    """guide, provider, accelerator, model, tool, or own (the user's document)."""
    language: str
    """Language of the text: `en` or `de`."""
    source: str
    """Primary source, spelled so that a person can open it."""
    as_of: str = "unknown"
    """Date of the source."""
    score: float = 0.0
    """Fused score; larger is nearer."""


class Catalog(Protocol):
    """Accelerators, providers, offers and rates, in memory."""

    def accelerators(self) -> Sequence[Accelerator]:
        """All accelerators."""
        ...

    def accelerator(self, name: str) -> Accelerator:
        """One accelerator by any alias; raises UnknownName or AmbiguousName."""
        ...

    def accelerator_candidates(self, name: str) -> Sequence[Accelerator]:
        """Every accelerator a name may mean: one where it is clear, several where it is ambiguous; raises UnknownName."""
        ...

    def providers(self) -> Sequence[Provider]:
        """All provider records."""
        ...

    def provider(self, name: str) -> Provider:
        """One provider by any alias; raises UnknownName."""
        ...

    def offers(self, query: OfferQuery) -> Sequence[Offer]:
        """Offers that match: private ones first, then cheapest per accelerator and hour, each made when it is looked at."""
        ...

    def sellers(self) -> Mapping[str, int]:
        """Accelerator id -> how many providers offer it."""
        ...

    def history(self, offer: Offer) -> Sequence[Offer]:
        """Earlier prices of the same offer, oldest first; empty where none is known."""
        ...

    def rate(self, currency: str) -> ExchangeRate:
        """The dated rate of a currency; raises UnknownName."""
        ...

    def usd_per_hour(self, offer: Offer) -> Decimal | None:
        """Price of the whole instance in US dollars; None where the currency is unknown."""
        ...

    def instance_accelerator(self, instance: str) -> tuple[str, float] | None:
        """(accelerator id, count) of a machine type such as `g5.12xlarge`, or None."""
        ...


class ModelSource(Protocol):
    """Architectures by name."""

    def models(self) -> Sequence[ModelArchitecture]:
        """All architectures."""
        ...

    def model(self, name: str) -> ModelArchitecture:
        """One architecture by any alias; raises UnknownName or AmbiguousName."""
        ...

    def find(self, name: str) -> Sequence[ModelArchitecture]:
        """Every architecture a name may mean, empty where unknown; for those who try many names."""
        ...


class Retriever(Protocol):
    """Passages of the guide, records and own documents."""

    def search(self, query: str, *, language: str, limit: int = 5, kinds: Sequence[str] = ()) -> Sequence[Passage]:
        """Best passages first; none below the relevance floor."""
        ...

    def passage(self, passage_id: str) -> Passage | None:
        """One passage by id."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """First parameter of every tool; hidden from every schema."""

    catalog: Catalog
    models: ModelSource
    retriever: Retriever
    today: date
