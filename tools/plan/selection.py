"""Which candidates are shown, in which order, under which label."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tools.plan.candidate import Candidate

FASTEST_PRICE_LIMIT = 4.0
"""A plan dearer than the cheapest by more than this factor is no sensible `fastest`: money then buys little time."""
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
    """Younger prices before old ones, roomy before tight, usual software before unusual, steady before spot, then by price.

    A spot price holds for a day and a run on it only finishes if it resumes, so that a spot plan leads only where spot was asked for.
    """
    unasked_spot = candidate.spot and not spot_asked
    return (candidate.priced.old, candidate.fitted.tight, candidate.machines.awkward, unasked_spot, candidate.price, candidate.time)


def choose(candidates: Iterable[Candidate], limit: int, *, spot_asked: bool = False) -> list[Chosen]:
    """The list: the best of each card, with the cheapest, the fastest and the balanced plan and the cheapest interruptible always in it.

    `cheapest` is the least price of all shown. `fastest` is the shortest below `FASTEST_PRICE_LIMIT` times the cheapest of its kind;
    `balanced` has the least product of price and time and is named where it is neither of the two. Tight plans come last.
    """
    ordered = sorted(candidates, key=lambda c: order(c, spot_asked))
    if not ordered:
        return []
    lead = [c for c in ordered if order(c, spot_asked)[:4] == order(ordered[0], spot_asked)[:4]]
    edge = front(lead)
    affordable = [candidate for candidate in edge if candidate.price <= FASTEST_PRICE_LIMIT * lead[0].price]
    fastest = min(affordable, key=lambda c: (c.time, c.price))
    balanced = min(affordable, key=lambda c: (c.price * c.time, c.price))
    other_term = next((c for c in ordered if c.spot is not lead[0].spot and order(c, True)[:3] == order(lead[0], True)[:3]), None)
    wanted = [candidate for candidate in (lead[0], other_term, fastest, balanced) if candidate is not None]
    picked = sorted(_pick(wanted, ordered, limit, spot_asked), key=lambda c: order(c, spot_asked))
    sound = [c for c in picked if not c.priced.old and not c.fitted.tight] or picked  # an old or risky price is no `cheapest`
    labels: dict[int, str] = {}
    for candidate, label in ((min(sound, key=lambda c: c.price), "cheapest"), (fastest, "fastest"), (balanced, "balanced")):
        labels.setdefault(id(candidate), label)
    on_edge = {id(candidate) for candidate in edge}
    return [Chosen(c, labels.get(id(c), ""), id(c) in on_edge) for c in picked]


def _pick(wanted: Sequence[Candidate], ordered: Sequence[Candidate], limit: int, spot_asked: bool) -> list[Candidate]:
    """The wanted ones, then the best of each card; where cards run out, its other counts, one plan for each."""
    picked: dict[int, Candidate] = {}
    spots_allowed = limit if spot_asked else max(1, limit // SPOT_SHARE)

    def take(pool: Iterable[Candidate], alike: set[object], key: int) -> None:
        for candidate in pool:
            if len(picked) >= limit:
                return
            kind = (candidate.machines.card_id, candidate.machines.count)[:key]
            full = candidate.spot and sum(1 for c in picked.values() if c.spot) >= spots_allowed
            if id(candidate) not in picked and (kind, candidate.spot) not in alike and not full:
                picked[id(candidate)] = candidate
                alike.add((kind, candidate.spot))

    for candidate in wanted[:limit]:
        picked[id(candidate)] = candidate
    cards: set[object] = {((c.machines.card_id,), c.spot) for c in picked.values()}
    take(ordered, cards, 1)
    counts: set[object] = {((c.machines.card_id, c.machines.count), c.spot) for c in picked.values()}
    take(ordered, counts, 2)
    return list(picked.values())
