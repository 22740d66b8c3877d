from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.context import Context
from tools.job import FineTuneJob, JobArguments
from tools.plan.layouts import global_batch, layouts, shardings
from tools.resolve import resolve_job
from tools.terms import Sharding

Resolve = Callable[..., FineTuneJob]


@pytest.fixture(scope="module")
def job(ctx: Context) -> Resolve:
    def resolve(**said: object) -> FineTuneJob:
        return resolve_job(ctx, JobArguments.model_validate({"model": "meta-llama/Llama-3.1-8B", "accelerator": "H100 SXM 80GB"} | said))

    return resolve


def test_one_card_shards_nothing(job: Resolve) -> None:
    assert shardings(job(method="full"), 1) == (Sharding.NONE,)


def test_a_four_bit_base_is_never_laid_out_with_zero3(job: Resolve) -> None:
    assert set(shardings(job(method="qlora"), 4)) == {Sharding.DDP, Sharding.FSDP}


def test_full_tuning_tries_the_least_communication_first(job: Resolve) -> None:
    assert shardings(job(method="full"), 8)[:3] == (Sharding.DDP, Sharding.ZERO2, Sharding.FSDP)


def test_deepspeed_splits_by_zero3(job: Resolve) -> None:
    assert Sharding.ZERO3 in shardings(job(method="lora", framework="deepspeed"), 2)
    assert Sharding.FSDP not in shardings(job(method="lora", framework="deepspeed"), 2)


def test_what_the_caller_states_stays(job: Resolve) -> None:
    stated = job(method="full", sharding="zero1", micro_batch_size=2, activation_checkpointing="none", accelerator_count=4)
    found = list(layouts(stated, 4))
    assert [(one.sharding.value, one.micro_batch_size, one.activation_checkpointing.value) for one in found] == [("zero1", 2, "none")]


@given(st.sampled_from([1, 2, 4, 8, 16]), st.sampled_from(["full", "lora", "qlora"]), st.sampled_from([512, 2048, 8192]))
def test_accumulation_keeps_the_global_batch(job: Resolve, count: int, method: str, sequence: int) -> None:
    asked = job(method=method, sequence_length=sequence)
    for layout in layouts(asked, count):
        assert layout.micro_batch_size * layout.gradient_accumulation_steps * count == global_batch(asked) == 16


def test_a_stated_batch_is_kept_on_more_cards(job: Resolve) -> None:
    asked = job(method="lora", micro_batch_size=4, gradient_accumulation_steps=8)
    assert global_batch(asked) == 32
    assert all(one.micro_batch_size * one.gradient_accumulation_steps * 4 == 32 for one in layouts(asked, 4))


def test_tensor_parallel_that_does_not_divide_the_cards_has_no_layout(job: Resolve) -> None:
    assert list(layouts(job(method="full", tensor_parallel=3, accelerator_count=3), 4)) == []
