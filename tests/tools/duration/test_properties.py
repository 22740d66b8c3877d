"""What must hold of any time estimate."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tools.context import Context
from tools.duration.estimate import duration_of
from tools.duration.throughput import throughput_of_job
from tools.errors import MissingFact
from tools.job import JobArguments
from tools.resolve import resolve_job
from tools.results import DurationEstimate

FIELDS = st.sampled_from(["memory_bandwidth_gb_per_s", "dense_tflops"])
QUICK = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
CARDS = st.sampled_from(["H100 SXM", "A100 80GB", "L4", "RTX 4090"])
METHODS = st.sampled_from(["full", "lora", "qlora"])
LENGTHS = st.sampled_from([256, 1024, 4096, 16384])


def asked(**changes: object) -> JobArguments:
    base = {"model": "Llama-3.1-8B", "method": "lora", "sequence_length": 2048, "accelerator": "A100 80GB", "accelerator_count": 1}
    return JobArguments.model_validate(base | changes)


def rate(result: DurationEstimate) -> float:
    return result.tokens_per_second_per_accelerator.expected


@QUICK
@given(card=CARDS, method=METHODS, length=LENGTHS, count=st.sampled_from([1, 2, 8]))
def test_ranges_are_ordered_and_shares_sum_to_one(ctx: Context, card: str, method: str, length: int, count: int) -> None:
    result = duration_of(ctx, asked(accelerator=card, method=method, sequence_length=length, accelerator_count=count))
    each = result.tokens_per_second_per_accelerator
    assert 0 < each.low <= each.expected <= each.high
    assert sum(result.time_shares.values()) == pytest.approx(1, abs=0.01)


@QUICK
@given(tokens=st.integers(10_000, 10**10), times=st.integers(2, 50))
def test_hours_are_linear_in_tokens(ctx: Context, tokens: int, times: int) -> None:
    once, more = (duration_of(ctx, asked(dataset_tokens=size)).hours for size in (tokens, tokens * times))
    assert once is not None and more is not None
    assert more.expected == pytest.approx(times * once.expected)


@QUICK
@given(card=CARDS, method=METHODS, length=LENGTHS)
def test_checkpointing_is_never_faster(ctx: Context, card: str, method: str, length: int) -> None:
    common = {"accelerator": card, "method": method, "sequence_length": length, "micro_batch_size": 1}
    kept, again = (duration_of(ctx, asked(activation_checkpointing=how, **common)) for how in ("none", "full"))
    assert rate(again) <= rate(kept) * (1 + 1e-9)


@QUICK
@given(name=FIELDS, method=METHODS, factor=st.floats(1, 4))
def test_a_better_card_is_never_slower(ctx: Context, name: str, method: str, factor: float) -> None:
    job = resolve_job(ctx, asked(method=method))
    card = job.accelerator
    assert card is not None
    value = getattr(card, name)
    assert value
    more = {each: peak * factor for each, peak in value.items()} if isinstance(value, dict) else value * factor
    better = card.model_copy(update={name: more})
    first, second = (throughput_of_job(job.model_copy(update={"accelerator": each})) for each in (card, better))
    assert second.tokens_per_second_per_accelerator.expected >= first.tokens_per_second_per_accelerator.expected * (1 - 1e-9)


def test_without_an_accelerator_the_fact_is_asked_for(ctx: Context) -> None:
    with pytest.raises(MissingFact):
        duration_of(ctx, asked(accelerator=None))
