"""From offers to candidates: machines and node counts, the layout that fits, speed, hours and cost."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from tools.accelerator import Accelerator
from tools.arguments import PlanArguments
from tools.cost.currency import Currency
from tools.cost.run_cost import DearestPrices, Rental, run_cost, run_hours
from tools.cost.span import Span
from tools.cost.tariff import Tariff
from tools.cost.work import Freight
from tools.duration.likely import board_form
from tools.duration.throughput import Throughput
from tools.errors import InvalidJob, MissingFact
from tools.plan.candidate import Candidate
from tools.plan.evaluation import Evaluator, Fitted, Machines, hours_for, total_tokens
from tools.plan.freight import freight_for
from tools.plan.market import PricedOffer, Shelf, cheapest_of
from tools.terms import Interconnect, Network

YARDSTICK_TOKENS = 5_000_000
"""Size of the run by which plans are ranked where nothing was said of the data: a small instruction set, on which set-up still counts."""
SMALLEST_NODE = 4
"""Cards a machine must hold before several of them are joined."""
FAST_LINKS = frozenset({Interconnect.NVLINK, Interconnect.XGMI})


@dataclass(frozen=True, slots=True)
class Draft:
    """A candidate before its bill is worked out."""

    machines: Machines
    priced: PricedOffer
    fitted: Fitted
    speed: Throughput
    hours: Span
    usd: float
    """Machine time of set-up and run, US dollars; a bill differs little from it."""

    @property
    def wall(self) -> float:
        """Hours without interruptions."""
        return self.usd / float(self.priced.usd_per_hour * self.machines.nodes)


@dataclass(slots=True)
class Found:
    """Everything that was tried for one request."""

    fitting: list[Candidate] = field(default_factory=list)
    short: list[tuple[Machines, Fitted]] = field(default_factory=list)
    """Machines on which the expected peak does not fit, with the layout that came nearest."""
    refused: dict[str, str] = field(default_factory=dict)
    """Card -> why the job cannot run on it."""


@dataclass(slots=True)
class Workshop:
    """Works out candidates for one request."""

    arguments: PlanArguments
    evaluator: Evaluator
    currency: Currency
    dearest: DearestPrices
    cards: dict[str, Accelerator]
    _freight: dict[int, Freight] = field(default_factory=dict)
    _tariffs: dict[tuple[str | None, int], Tariff] = field(default_factory=dict)

    def search(self, shelves: Sequence[Shelf], node_counts: Sequence[int]) -> Found:
        """Candidates over offers on each number of nodes."""
        found, drafts = Found(), []
        for nodes in node_counts:
            for machines, group in self._grouped(shelves, nodes):
                drafts += self._drafts(machines, group, found)
        found.fitting = [self._candidate(draft) for draft in worth_billing(drafts, 2 * self.arguments.limit, self.arguments.deadline)]
        return found

    def _grouped(self, shelves: Iterable[Shelf], nodes: int) -> Iterator[tuple[Machines, Sequence[PricedOffer]]]:
        groups: dict[Machines, list[Shelf]] = defaultdict(list)
        for shelf in shelves:
            machines = self._machines(shelf, nodes)
            if machines is not None:
                groups[machines].append(shelf)
        for machines, alike in groups.items():
            yield machines, alike[0].offers if len(alike) == 1 else cheapest_of([priced for shelf in alike for priced in shelf.offers])

    def _machines(self, shelf: Shelf, nodes: int) -> Machines | None:
        """The machines a shelf makes up, None where it does not suit the count the caller states."""
        card, cards = self.cards[shelf.accelerator], shelf.cards
        wanted = self.arguments.accelerator_count
        if wanted is not None:
            if wanted % nodes or cards < wanted // nodes or (cards != wanted // nodes and (nodes > 1 or cards >= 2 * wanted)):
                return None
            per_node = wanted // nodes
        elif nodes > 1 and self.arguments.nodes is None and cards < SMALLEST_NODE:
            return None
        else:
            per_node = cards
        network, gbps = Network.UNKNOWN, None
        if nodes > 1:
            network, gbps = self.arguments.network or shelf.network, self.arguments.network_gbps or shelf.network_gbps
        board = None if card.form_stated else board_form(card, per_node, self.cards.values())
        return Machines(card, per_node, nodes, self._link(shelf, board or card, per_node), network, gbps, board)

    def _link(self, shelf: Shelf, card: Accelerator, per_node: int) -> Interconnect:
        if per_node == 1:
            return Interconnect.NONE
        if self.arguments.interconnect is not None:
            return self.arguments.interconnect
        if shelf.interconnect is not Interconnect.UNKNOWN:
            return shelf.interconnect
        if card.interconnect in FAST_LINKS and card.form_stated:
            return card.interconnect
        return Interconnect.PCIE

    def _drafts(self, machines: Machines, group: Sequence[PricedOffer], found: Found) -> list[Draft]:
        """Drafts of one group of offers; none, with a note in `found`, where the job does not run there."""
        try:
            fitted = self.evaluator.fitted(machines.card, machines.count, machines.nodes)
        except InvalidJob as refusal:
            found.refused[machines.card.id] = refusal.message
            return []
        if fitted is None:
            return []
        if not fitted.fits:
            found.short.append((machines, fitted))
            return []
        try:
            speed = self.evaluator.speed(fitted, machines)
        except MissingFact as unknown:
            found.refused[machines.card.id] = unknown.message
            return []
        tokens = self._tokens(fitted, speed)
        if self.arguments.pricing_term is None and tokens is None:
            group = [priced for priced in group if not priced.spot]  # without hours no interruption can be priced
        hours = hours_for(tokens or YARDSTICK_TOKENS, speed, machines.count)
        wall = hours.expected + self._freight_of(fitted).setup_hours.expected
        nodes = machines.nodes
        return [Draft(machines, priced, fitted, speed, hours, float(priced.usd_per_hour) * nodes * wall) for priced in group]

    def _candidate(self, draft: Draft) -> Candidate:
        machines, priced, fitted = draft.machines, draft.priced, draft.fitted
        usd_per_hour = priced.usd_per_hour * machines.nodes
        freight = self._freight_of(fitted)
        rental = Rental(usd_per_hour, machines.nodes, priced.provider, priced.offer.pricing_term, host_apart="apart" in priced.notes)
        parts = run_hours(draft.hours, freight, rental)
        known = self._tokens(fitted, draft.speed) is not None
        return Candidate(
            machines,
            priced,
            fitted,
            usd_per_hour,
            draft.speed,
            parts.total,
            self._tariff(priced, fitted, freight).expected_usd(parts, float(usd_per_hour)),
            draft.hours if known else None,
            partial(run_cost, parts, freight, rental, self.currency, self.dearest) if known else None,
        )

    def _tokens(self, fitted: Fitted, speed: Throughput) -> float | None:
        return total_tokens(fitted, self.arguments.dataset_examples, speed)

    def _freight_of(self, fitted: Fitted) -> Freight:
        trainable = fitted.memory.trainable_parameters
        if trainable not in self._freight:
            self._freight[trainable] = freight_for(fitted.job, fitted.memory)
        return self._freight[trainable]

    def _tariff(self, priced: PricedOffer, fitted: Fitted, freight: Freight) -> Tariff:
        key = (priced.provider.id if priced.provider else None, fitted.memory.trainable_parameters)
        if key not in self._tariffs:
            self._tariffs[key] = Tariff.of(priced.provider, freight)
        return self._tariffs[key]


def worth_billing(drafts: Sequence[Draft], most: int, deadline: float | None) -> list[Draft]:
    """Of each class that is ranked apart the `most` cheapest, and every one than which none is both cheaper and faster."""
    classes: dict[tuple[bool, ...], list[Draft]] = defaultdict(list)
    for draft in drafts:
        in_time = deadline is None or draft.wall <= deadline
        classes[(draft.priced.spot, draft.priced.old, draft.fitted.risky, draft.machines.awkward or draft.priced.scarce, in_time)].append(
            draft
        )
    kept: list[Draft] = []
    for members in classes.values():
        fastest = float("inf")
        for place, draft in enumerate(sorted(members, key=lambda d: d.usd)):
            if place < most or draft.wall < fastest:
                kept.append(draft)
            fastest = min(fastest, draft.wall)
    return kept
