"""Results as text, from values made by hand."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from tools.base import Value
from tools.estimate import Assumption, Citation, Estimate
from tools.offer_results import OfferList
from tools.results import Cost, DurationEstimate, FitVerdict, MemoryEstimate, Plan, PlanOffer, PlanResult
from tools.terms import Availability, Interconnect, PricingTerm, Sharding
from tools.units import GIB
from ui.text import text_of
from ui.text_common import verdict_text
from ui.text_table import table
from ui.text_value import value_text


def size(low: float, expected: float, high: float) -> Estimate[int]:
    return Estimate[int](low=int(low * GIB), expected=int(expected * GIB), high=int(high * GIB))


def memory(verdict: FitVerdict) -> MemoryEstimate:
    return MemoryEstimate(
        model="toy/model",
        peak_allocated_bytes=size(9, 10, 11),
        peak_reserved_bytes=size(10, 11, 12),
        peak_device_bytes=size(11, 12, 13.5),
        breakdown={"weights": 8 * GIB, "activations": 4 * GIB},
        phases={"load": 8 * GIB, "optimizer_step": 10 * GIB},
        peak_phase="optimizer_step",
        host_ram_bytes=size(20, 24, 30),
        trainable_parameters=5_000_000,
        total_parameters=1_000_000_000,
        verdict=verdict,
        assumptions=[Assumption(name="lora_rank", value=16, reason="usual", decisive=True)],
        citations=[Citation(id="a", title="A table", source="file.csv", as_of="2026-10-01")],
        warnings=["Mind the gap."],
    )


CARD = {"accelerator": "L4", "usable_bytes": 22 * GIB}


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        pytest.param(
            FitVerdict(fits=True, headroom_bytes=10 * GIB, **CARD), "Fits on L4 (22.0 GiB usable per card, 10.0 GiB free).", id="fits"
        ),
        pytest.param(
            FitVerdict(fits=True, tight=True, headroom_bytes=GIB, **CARD), "tight: the upper end of the range does not fit", id="tight"
        ),
        pytest.param(
            FitVerdict(fits=False, headroom_bytes=-3 * GIB, **CARD),
            "Does not fit on L4 (22.0 GiB usable per card, 3.0 GiB short).",
            id="too large",
        ),
        pytest.param(
            FitVerdict(fits="conditional", headroom_bytes=0, missing=["sequence_length"], **CARD),
            "depends on sequence_length",
            id="conditional",
        ),
        pytest.param(FitVerdict(fits=None), "No accelerator named", id="no card"),
        pytest.param(FitVerdict(fits=True, accelerator_count=4, headroom_bytes=0, **CARD), "on 4 x L4", id="several cards"),
    ],
)
def test_the_verdict_is_one_sentence(verdict: FitVerdict, sentence: str) -> None:
    assert sentence in verdict_text(verdict)


def test_memory_shows_range_breakdown_assumptions_sources_and_warnings() -> None:
    text = text_of(memory(FitVerdict(fits=True, headroom_bytes=10 * GIB, **CARD)))
    assert text.startswith("toy/model: 12.0 GiB (11.0 to 13.5) per card at the peak (optimizer step)")
    for shown in (
        "weights",
        "8.00    67%",
        "5M of 1B (0.50%)",
        "lora_rank = 16: usual (decides the verdict)",
        "A table: file.csv (2026-10-01)",
        "Mind the gap.",
    ):
        assert shown in text


def duration(hours: Estimate[float] | None) -> DurationEstimate:
    return DurationEstimate(
        model="toy/model",
        tokens_per_second_per_accelerator=Estimate[float](low=900, expected=1000, high=1200),
        tokens_per_second=Estimate[float](low=1800, expected=2000, high=2400),
        step_seconds=Estimate[float](low=1.5, expected=1.75, high=2),
        hours=hours,
        device_hours=None,
        total_tokens=7_200_000 if hours else None,
        mfu=0.415,
        bound_by="memory_bandwidth",
        time_shares={"compute": 0.9, "optimizer": 0.1},
    )


def test_duration_leads_with_the_hours() -> None:
    text = text_of(duration(Estimate[float](low=2, expected=2.5, high=3)))
    assert text.startswith("toy/model: 2.5 h (2.0 h to 3.0 h) for 7.2M tokens")
    for shown in ("1,000 (900 to 1,200)", "41.5%", "memory bandwidth", "compute: 90%"):
        assert shown in text


def test_duration_without_a_data_set_asks_for_it() -> None:
    assert "name dataset tokens for hours" in text_of(duration(None))


def plan(cost: Cost | None) -> Plan:
    offer = PlanOffer(
        provider="acme",
        provider_name="Acme Cloud",
        region="eu-west",
        country="IE",
        instance="gpu.1",
        pricing_term=PricingTerm.ON_DEMAND,
        usd_per_hour=Decimal("1.234"),
        price_per_hour=Decimal("1.10"),
        currency="EUR",
        as_of=date(2026, 10, 1),
        age_days=45,
        stale=True,
        availability=Availability.UNKNOWN,
        source="acme.csv",
    )
    return Plan(
        label="cheapest",
        accelerator="L4",
        accelerator_count=2,
        nodes=1,
        sharding=Sharding.FSDP,
        interconnect=Interconnect.PCIE,
        micro_batch_size=1,
        gradient_accumulation_steps=8,
        offer=offer,
        memory=size(11, 12, 13.5),
        usable_bytes=22 * GIB,
        hours=None,
        cost=cost,
        why="Least money.",
    )


COST = Cost(
    currency="USD",
    total=Estimate[float](low=8, expected=10, high=12),
    compute=9,
    setup=0.5,
    storage=0.5,
    egress=0,
    interruptions=0,
    unknown=["egress"],
)


def test_a_plan_is_one_line_with_price_term_date_and_age() -> None:
    text = text_of(PlanResult(model="toy/model", plans=[plan(COST)], considered=1234))
    line = next(line for line in text.splitlines() if "gpu.1" in line)
    for shown in (
        "cheapest",
        "2 x L4",
        "12.0 of 22.0 GiB",
        "10.00 USD",
        "Acme Cloud",
        "eu-west (IE)",
        "on-demand",
        "1.23",
        "2026-10-01 (old)",
    ):
        assert shown in line
    assert "1 way to run it, best first (1,234 offers looked at)" in text


def test_every_figure_of_a_plan_has_its_range() -> None:
    text = text_of(PlanResult(model="toy/model", plans=[plan(COST)], considered=1))
    for shown in ("12.0 GiB (11.0 to 13.5)", "10.00 (8.00 to 12.00) USD", "fsdp", "1 x 8", "unknown", "1. Least money."):
        assert shown in text


def test_no_plan_says_so() -> None:
    assert "no offer runs it as asked" in text_of(PlanResult(model="toy/model", plans=[], considered=7))


def test_no_offer_says_so() -> None:
    assert text_of(OfferList(offers=[], matched=0, warnings=["Widen the region."])).startswith("No offer matches.")


class Inner(Value):
    name: str
    price: float | None = None


class Card(Value):
    title: str
    consumer: bool
    rate: float
    nothing: str | None = None
    words: list[str] = []
    parts: list[Inner] = []
    table: dict[str, int] = {}


def test_any_other_record_is_a_card() -> None:
    card = Card(
        title="A", consumer=False, rate=1234.5, words=["a", "b"], parts=[Inner(name="x", price=2.0), Inner(name="y")], table={"bf16": 1979}
    )
    assert text_of(card).splitlines() == [
        "title:     A",
        "consumer:  no",
        "rate:      1,234",
        "words:     a, b",
        "parts:",
        "  - name:   x",
        "    price:  2",
        "  - name:  y",
        "table:",
        "  bf16:  1,979",
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "unknown"),
        (True, "yes"),
        (1234567, "1,234,567"),
        (0.1234567, "0.1235"),
        (123456.7, "123,457"),
        ([], "none"),
        (date(2026, 1, 2), "2026-01-02"),
    ],
)
def test_plain_values(value: object, text: str) -> None:
    assert value_text(value) == text


def test_columns_align() -> None:
    assert table(["a", "bb"], [["1", "x"], ["22", "yyy"]], right=(0,)) == [" a  bb", "--  ---", " 1  x", "22  yyy"]
