from __future__ import annotations

from collections.abc import Callable

import pytest
from pydantic import ValidationError

from tools.arguments import CompareArguments
from tools.context import Context
from tools.errors import AdvisorError
from tools.offer import Offer
from tools.plan.compare import compared
from tools.plan.comparison import Comparison

Open = Callable[..., Context]
Sell = Callable[..., Offer]
JOB = {"model": "meta-llama/Llama-3.1-8B", "method": "qlora", "sequence_length": 2048, "dataset_tokens": 20_000_000}


@pytest.fixture(scope="module")
def shop(market: Open, sold: Sell) -> Context:
    return market(sold("a", "3.00", accelerator="H100 SXM 80GB"), sold("b", "0.40", accelerator="RTX 4090"), sold("c", accelerator="L4"))


def compare(ctx: Context, *alternatives: dict[str, object], **said: object) -> Comparison:
    return compared(ctx, CompareArguments.model_validate(JOB | said | {"alternatives": list(alternatives)}))


def test_own_prices_are_compared_by_the_finished_run(shop: Context) -> None:
    found = compare(
        shop,
        {"name": "ours", "accelerator": "H100 SXM 80GB", "usd_per_hour": "2.60"},
        {"accelerator": "RTX 4090", "accelerator_count": 2, "usd_per_hour": "9.00"},
    )
    assert [row.name for row in found.rows] == ["ours", "2x RTX 4090"]
    assert found.cheapest == "ours"
    ratios = {row.name: row.cost_ratio for row in found.rows}
    assert ratios["ours"] == 1.0 and (ratios["2x RTX 4090"] or 0) > 1.0
    assert min(row.time_ratio for row in found.rows if row.time_ratio) == 1.0


def test_one_that_does_not_fit_says_why_and_the_rest_is_compared(shop: Context) -> None:
    found = compare(shop, {"accelerator": "H100 SXM 80GB"}, {"accelerator": "RTX 4090", "method": "full"})
    assert found.cheapest == "1x H100 SXM 80GB" or found.cheapest == "H100 SXM 80GB"
    assert found.rows[1].plan is None and "GiB" in found.rows[1].problem


def test_names_are_told_apart(shop: Context) -> None:
    found = compare(shop, {"accelerator": "L4", "provider": "c"}, {"accelerator": "L4", "usd_per_hour": "0.50"})
    assert len({row.name for row in found.rows}) == 2


def test_where_none_can_run_the_reason_is_raised(shop: Context) -> None:
    with pytest.raises(AdvisorError):
        compare(shop, {"accelerator": "no such card"}, {"accelerator": "nor this"})


def test_one_alternative_is_no_comparison() -> None:
    with pytest.raises(ValidationError):
        CompareArguments.model_validate({"model": "7B", "alternatives": [{"accelerator": "L4"}]})
