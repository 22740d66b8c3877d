from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from tools.offer import Offer
from tools.plan.candidate import Candidate
from tools.plan.selection import choose, front, order
from tools.terms import PricingTerm

Make = Callable[..., Candidate]
Sell = Callable[..., Offer]


def test_the_cheapest_finished_run_comes_first(candidate: Make, sold: Sell) -> None:
    slow = candidate(30, 20, sold("a", "1.50"))
    quick = candidate(20, 4, sold("b", "5.00", 2))
    assert [item.candidate for item in choose([slow, quick], 8)] == [quick, slow]


def test_a_price_older_than_a_year_never_ranks_before_a_younger_one(candidate: Make, sold: Sell) -> None:
    old, young = candidate(5, 4, sold("old", age=400)), candidate(9, 4, sold("young", age=300))
    assert choose([old, young], 8)[0].candidate is young


def test_a_risky_plan_ranks_after_a_safe_one_and_is_shown_alone_where_nothing_else_fits(candidate: Make, sold: Sell) -> None:
    risky, safe = candidate(5, 4, sold("a"), risky=True), candidate(9, 4, sold("b"))
    assert choose([risky, safe], 8)[0].candidate is safe
    assert [item.candidate for item in choose([risky], 8)] == [risky]


def test_ten_regions_of_one_machine_are_not_ten_plans(candidate: Make, sold: Sell) -> None:
    regions = [candidate(10 + place, 5, sold("a", region=f"r{place}")) for place in range(10)]
    assert len(choose([*regions, candidate(40, 2, sold("b", count=2))], 8)) <= 3


def test_the_cheapest_without_interruptions_is_always_shown(candidate: Make, sold: Sell) -> None:
    spots = [candidate(5 + place, 5, sold(f"s{place}", count=place + 1, pricing_term=PricingTerm.SPOT)) for place in range(6)]
    steady = candidate(30, 5, sold("steady"))
    assert steady in [item.candidate for item in choose([*spots, steady], 3)]


def test_fastest_is_not_bought_at_any_price(candidate: Make, sold: Sell) -> None:
    cheap = candidate(10, 5, sold("a"))
    double = candidate(18, 3, sold("b", count=2))
    absurd = candidate(90, 2.5, sold("c", count=8))
    labels = {item.label: item.candidate for item in choose([cheap, double, absurd], 8)}
    assert labels["cheapest"] is cheap
    assert labels["fastest"] is double


def test_of_plans_that_cost_the_same_the_one_with_the_fewest_cards_leads(candidate: Make, sold: Sell) -> None:
    four, one = candidate(10, 2, sold("a", count=4)), candidate(11, 5, sold("b"))
    assert choose([four, one], 8)[0].candidate is one
    assert choose([four, candidate(13, 5, sold("b"))], 8)[0].candidate is four


def test_spot_leads_only_where_it_was_asked_for(candidate: Make, sold: Sell) -> None:
    spot, steady = candidate(4, 5, sold("a", pricing_term=PricingTerm.SPOT)), candidate(9, 5, sold("b"))
    assert choose([spot, steady], 8)[0].candidate is steady
    assert choose([spot, steady], 8, spot_asked=True)[0].candidate is spot
    assert {item.label for item in choose([spot, steady], 8) if item.candidate is spot} == {"cheapest"}


def test_nothing_gives_an_empty_list() -> None:
    assert choose([], 8) == []


pairs = st.lists(st.tuples(st.floats(1, 1000), st.floats(0.1, 100)), min_size=1, max_size=25)


@given(pairs)
def test_a_plan_on_the_front_is_not_beaten_on_both_axes(candidate: Make, points: list[tuple[float, float]]) -> None:
    made = [candidate(dollars, hours) for dollars, hours in points]
    for kept in front(made):
        assert not any(other.price < kept.price and other.time < kept.time for other in made)


@given(pairs, st.integers(1, 10))
def test_the_list_keeps_its_length_and_its_order(candidate: Make, sold: Sell, points: list[tuple[float, float]], limit: int) -> None:
    made = [candidate(d, h, sold(f"p{i % 4}", count=1 + i % 3, age=300 + 20 * i)) for i, (d, h) in enumerate(points)]
    chosen = [item.candidate for item in choose(made, limit)]
    assert 1 <= len(chosen) <= limit
    assert [order(c, False) for c in chosen[1:]] == sorted(order(c, False) for c in chosen[1:])
    per_instance = Counter((c.priced.offer.provider, c.priced.offer.instance) for c in chosen)
    assert max(per_instance.values()) <= 4
