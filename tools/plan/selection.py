"""Which candidates are shown, in which order, under which label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from tools.plan.candidate import Candidate

FASTEST_PRICE_LIMIT = 4.0
"""A plan dearer than the cheapest by more than this factor is no sensible `fastest`: money then buys little time."""
DRIFT = 0.15
"""Prices move this much between two readings of a list; plans closer than that are not told apart."""
OVERSIZED_BELOW = 0.4
"""A card whose memory the job fills to less than this is larger than needed."""
MEMORY_SIZES_GB = (12.0, 16.0, 24.0, 32.0, 48.0, 100.0, 150.0, float("inf"))
"""Upper ends of the sizes cards come in; a list shows several sizes before it shows a second card of one."""
SPOT_SHARE = 4
"""Where nobody asked for spot, one plan in so many of the list may be interruptible, at least one."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """A candidate in the list."""

    candidate: Candidate
    label: str
    on_front: bool
    """No other candidate is both cheaper and faster."""


def front(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates that no other beats on price and time both (Pareto front), cheapest first."""
    best, kept = float("inf"), []
    for candidate in sorted(candidates, key=lambda c: (c.price, c.time)):
        if candidate.time < best:
            kept.append(candidate)
            best = candidate.time
    return kept


def order(candidate: Candidate, spot_asked: bool) -> tuple[bool, bool, bool, bool, float, float]:
    """Younger prices before old ones, safe before risky, what is usual and sold by many before the rest, steady before spot, then price.

    A spot price holds for a day and a run on it only finishes if it resumes, so that a spot plan leads only where spot was asked for.
    """
    priced, machines = candidate.priced, candidate.machines
    unasked_spot = candidate.spot and not spot_asked
    return (priced.old, candidate.fitted.risky, machines.awkward or priced.scarce, unasked_spot, candidate.price, candidate.time)


def alike(cheapest: Candidate, other: Candidate) -> bool:
    """Whether two plans differ by less than prices drift."""
    return other.price - cheapest.price <= DRIFT * cheapest.price


def leader(lead: Sequence[Candidate]) -> Candidate:
    """Of those that cost as good as the same: the fewest cards, then one that is not oversized, then the fastest."""
    equals = [candidate for candidate in lead if alike(lead[0], candidate)]
    return min(equals, key=lambda c: (c.machines.count, c.fitted.share < OVERSIZED_BELOW, c.time))


def choose(candidates: Iterable[Candidate], limit: int, *, spot_asked: bool = False) -> list[Chosen]:
    """The list: the leader, the cheapest interruptible where it saves, the fastest and the balanced plan, then the best of other cards.

    `cheapest` is the least price of those shown that are neither old nor risky. `fastest` is the shortest below `FASTEST_PRICE_LIMIT`
    times the cheapest of its kind; `balanced` has the least product of price and time and is named where it is neither of the two.
    """
    ordered = sorted(candidates, key=lambda c: order(c, spot_asked))
    if not ordered:
        return []
    lead = [c for c in ordered if order(c, spot_asked)[:4] == order(ordered[0], spot_asked)[:4]]
    first = leader(lead)
    # where nothing was said of the data, nobody knows that a run is long enough for more cards than it takes
    few = lead if first.hours is not None else [c for c in lead if c.machines.count <= first.machines.count]
    edge = front(few)
    affordable = [candidate for candidate in edge if candidate.price <= FASTEST_PRICE_LIMIT * edge[0].price]
    fastest = min(affordable, key=lambda c: (c.time, c.price))
    balanced = min(affordable, key=lambda c: (c.price * c.time, c.price))
    spot = next((c for c in ordered if c.spot and order(c, True)[:3] == order(first, True)[:3] and c.price < first.price), None)
    wanted = [candidate for candidate in (first, None if spot_asked else spot, fastest, balanced) if candidate is not None]
    picked = sorted(_pick(wanted, ordered, limit, spot_asked), key=lambda c: (c is not first, order(c, spot_asked)))
    sound = [c for c in picked if not c.priced.old and not c.fitted.risky] or picked
    labels: dict[int, str] = {}
    for candidate, label in ((min(sound, key=lambda c: c.price), "cheapest"), (fastest, "fastest"), (balanced, "balanced")):
        labels.setdefault(id(candidate), label)
    on_edge = {id(candidate) for candidate in edge}
    return [Chosen(c, labels.get(id(c), ""), id(c) in on_edge) for c in picked]


def _pick(wanted: Sequence[Candidate], ordered: Sequence[Candidate], limit: int, spot_asked: bool) -> list[Candidate]:
    """The wanted ones, then the best of each size of memory not yet there, of each card, of each number of cards."""
    picked: dict[int, Candidate] = {}
    spots_allowed = limit if spot_asked else max(1, limit // SPOT_SHARE)

    def take(pool: Iterable[Candidate], kind: Callable[[Candidate], object]) -> None:
        seen = {(kind(candidate), candidate.spot) for candidate in picked.values()}
        for candidate in pool:
            if len(picked) >= limit:
                return
            full = candidate.spot and sum(1 for c in picked.values() if c.spot) >= spots_allowed
            if id(candidate) not in picked and (kind(candidate), candidate.spot) not in seen and not full:
                picked[id(candidate)] = candidate
                seen.add((kind(candidate), candidate.spot))

    for candidate in wanted[:limit]:
        picked[id(candidate)] = candidate
    first = wanted[0]
    sound = [c for c in ordered if order(c, spot_asked)[:3] == order(first, spot_asked)[:3]]
    most = float("inf") if first.hours is not None else first.machines.count
    sensible = [c for c in sound if c.price <= FASTEST_PRICE_LIMIT * first.price and c.machines.count <= most]
    take(sensible, lambda c: next(size for size in MEMORY_SIZES_GB if c.machines.card.memory_label_gb <= size))
    take(sensible, lambda c: c.machines.card_id)
    take(ordered, lambda c: c.machines.card_id)
    take(ordered, lambda c: (c.machines.card_id, c.machines.count))
    return list(picked.values())
