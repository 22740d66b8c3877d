"""What the policy needs to know of catalog and registry before it decides."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from tools.accelerator import Accelerator
from tools.architecture import ModelArchitecture
from tools.context import Catalog, Context
from tools.errors import AdvisorError
from tools.offer import OfferQuery

SAME_MEMORY = 1.25
"""Forms of a card whose memory differs by less are one reading: an H100 with 80 or 94 GB answers most questions alike."""
LABEL_TOLERANCE = 0.07
"""How far a stated memory size may lie from a card's label: drivers, GB and GiB spread that much."""

OLDEST_CURRENT = (7, 5)
"""Compute capability from which current CUDA builds run (CUDA 13 dropped Maxwell, Pascal and Volta)."""


@dataclass(frozen=True, slots=True)
class Facts:
    """Look-ups over a `Context` that never raise: what is unknown comes back empty."""

    ctx: Context

    def has_tool(self, name: str) -> bool:
        """Whether the toolbox offers a tool."""
        from tools.toolbox import toolbox

        return any(spec.name == name for spec in toolbox())

    def card_forms(self, name: str) -> list[Accelerator]:
        """Every memory size a card name may mean, smallest first, one form each; empty where nobody knows the name."""
        try:
            candidates = self.ctx.catalog.accelerator_candidates(name)
        except AdvisorError:
            return []
        forms: list[Accelerator] = []
        for card in sorted(candidates, key=lambda card: (card.memory_label_gb, card.form_stated)):
            if not forms or card.memory_label_gb > SAME_MEMORY * forms[-1].memory_label_gb:
                forms.append(card)
        return forms

    def card_of_memory(self, gigabytes: float) -> Accelerator | None:
        """The best-known card with about this much memory, to stand for "a 24 GB card"; None where none is near.

        Best known means offered most often, among equals the newer one; its usable bytes must be published. A size is read as
        the label on the box.
        """
        near = [
            card
            for card in self.ctx.catalog.accelerators()
            if abs(card.memory_label_gb - gigabytes) <= LABEL_TOLERANCE * gigabytes
            and card.usable_mib is not None
            and card.form_stated
            and (card.capability or (0, 0)) >= OLDEST_CURRENT
        ]
        if not near:
            return None
        closest = min(abs(card.memory_label_gb - gigabytes) for card in near)
        return max(
            (card for card in near if abs(card.memory_label_gb - gigabytes) == closest),
            key=lambda card: (self._offered(card), card.release_year or 0, card.id),
        )

    def _offered(self, card: Accelerator) -> int:
        return offered(self.ctx.catalog)[card.id]  # type: ignore[arg-type]  # catalogs hash by identity

    def model(self, name: str) -> ModelArchitecture | None:
        """An architecture by any alias; None where unknown or ambiguous."""
        try:
            return self.ctx.models.model(name)
        except AdvisorError:
            return None

    def provider_id(self, name: str) -> str | None:
        """Id of a provider by any alias; None where unknown."""
        try:
            return self.ctx.catalog.provider(name).id
        except AdvisorError:
            return None

    def usd(self, amount: float, currency: str | None) -> float | None:
        """An amount in US dollars by the dated rate of the catalog; None where the currency has none."""
        if currency in (None, "USD"):
            return amount
        try:
            return round(float(self.ctx.catalog.rate(str(currency)).usd_per_unit) * amount, 6)
        except AdvisorError:
            return None


@lru_cache(maxsize=4)
def offered(catalog: Catalog) -> Counter[str]:
    """Offers of a catalog by card; counted once, a catalog does not change while it is open."""
    return Counter(offer.accelerator for offer in catalog.offers(OfferQuery()))
