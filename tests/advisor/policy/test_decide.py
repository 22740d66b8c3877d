"""Which tools are called for what was understood, in which order, with which arguments."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.answer import ToolResult
from advisor.policy.calls import ToolCall
from advisor.policy.decide import more_calls, plan_calls
from advisor.slots import Understanding
from tests.advisor.phrasing.samples import asked, memory
from tools.context import Context
from tools.toolbox import tool


def calls(ctx: Context, u: Understanding, question: str = "a question of ours") -> list[ToolCall]:
    return plan_calls(u, ctx, question=question)


def named(found: list[ToolCall], name: str) -> list[dict[str, Any]]:
    return [call.arguments for call in found if call.tool == name]


def test_a_method_nobody_named_is_computed_each_way_the_usual_one_first(ctx: Context) -> None:
    found = named(calls(ctx, asked("fit_check", model="Llama-3.1-8B", accelerator="RTX 4090")), "estimate_memory")
    assert [job["method"] for job in found] == ["lora", "qlora", "full"]


@pytest.mark.parametrize(
    ("slots", "methods"),
    [
        pytest.param({"model": "bert-base-uncased"}, ["full", "lora"], id="an-encoder-is-mostly-trained-whole"),
        pytest.param({"model": "Llama-3.1-8B", "quantization": "nf4"}, ["qlora"], id="four-bits-mean-qlora"),
        pytest.param({"model": "Llama-3.1-8B", "quantization": "int8"}, ["lora"], id="eight-bits-mean-lora"),
        pytest.param({"model": "Llama-3.1-8B", "lora_rank": 64}, ["lora"], id="a-rank-means-lora"),
        pytest.param({"model": "Llama-3.1-8B", "sharding": "zero3"}, ["full"], id="zero-means-full"),
        pytest.param({"parameters_billion": 13.0, "method": ["lora", "full"]}, ["lora", "full"], id="named-ones-stay"),
    ],
)
def test_what_was_said_implies_the_method(ctx: Context, slots: dict[str, Any], methods: list[str]) -> None:
    assert [job["method"] for job in named(calls(ctx, asked("memory_estimate", **slots)), "estimate_memory")] == methods


def test_a_card_name_with_two_sizes_is_answered_for_both(ctx: Context) -> None:
    found = named(calls(ctx, asked("fit_check", parameters_billion=30.0, method="qlora", accelerator="A100")), "estimate_memory")
    assert [job["accelerator"] for job in found] == ["A100 40GB", "A100 80GB"]


def test_cards_and_counts_named_together_are_pairs(ctx: Context) -> None:
    u = asked("compare", parameters_billion=30.0, method="qlora", accelerator=["RTX 4090", "L40S"], accelerator_count=[2, 1])
    found = named(calls(ctx, u), "estimate_memory")
    assert [(job["accelerator"], job["accelerator_count"]) for job in found] == [("RTX 4090", 2), ("L40S", 1)]


def test_a_memory_size_without_a_card_gets_a_card_that_stands_for_it(ctx: Context) -> None:
    found = named(calls(ctx, asked("fit_check", parameters_billion=7.0, method="qlora", vram_gib=24)), "estimate_memory")
    assert ctx.catalog.accelerator(found[0]["accelerator"]).memory_label_gb == 24


def test_a_rank_is_left_out_where_nothing_has_one(ctx: Context) -> None:
    found = named(calls(ctx, asked("fit_check", parameters_billion=7.0, method=["full", "lora"], lora_rank=16)), "estimate_memory")
    assert ["lora_rank" in job for job in found] == [False, True]


def test_a_recommendation_plans_the_job_under_its_conditions(ctx: Context) -> None:
    u = asked("gpu_choice", model="Llama-3.1-8B", method="lora", region="EU", budget=30.0, currency="EUR", pricing_term="spot")
    (arguments,) = named(calls(ctx, u), "plan_job")
    assert {name: arguments[name] for name in ("region", "budget", "currency", "pricing_term")} == {
        "region": "EU",
        "budget": 30.0,
        "currency": "EUR",
        "pricing_term": "spot",
    }


def test_prices_without_a_job_come_from_the_offers_of_the_card(ctx: Context) -> None:
    found = named(calls(ctx, asked("cost", accelerator="H100", accelerator_count=8)), "find_offers")
    assert {(row["accelerator"], row["accelerator_count"]) for row in found} == {("H100", 8)}
    assert [row["pricing_term"] for row in found] == ["on_demand", "spot"]


@pytest.mark.parametrize("refusal", ["refuse", "out_of_scope"])
def test_a_refused_turn_calls_nothing(ctx: Context, refusal: str) -> None:
    assert calls(ctx, asked("fit_check", model="Llama-3.1-8B", refusal=refusal)) == []


def test_named_providers_are_described_and_unknown_ones_left_out(ctx: Context) -> None:
    found = named(calls(ctx, asked("storage", provider=["runpod", "no such cloud"])), "describe_provider")
    assert found == [{"provider": "runpod"}]


def test_the_guide_is_asked_last_in_the_language_of_the_answer(ctx: Context) -> None:
    found = calls(ctx, asked("storage", "de", provider="runpod"), "Bleibt etwas liegen?")
    assert found[-1].tool == "search_knowledge"
    assert found[-1].arguments["language"] == "de"


def test_a_job_that_does_not_fit_gets_remedies_and_a_plan(ctx: Context) -> None:
    u = asked("oom_debug", model="Llama-3.1-8B", method="lora", accelerator="RTX 4090", micro_batch_size=4)
    job = named(calls(ctx, u), "estimate_memory")[0]
    failed = memory(job, peak=(40, 44, 50), parts={"weights": 0.3, "activations": 0.4, "logits": 0.2})
    found = more_calls(u, [failed, ToolResult(tool="search_knowledge", arguments={}, result={"passages": []})], ctx)
    variants = named(found, "estimate_memory")
    changes = [{name for name in variant if variant.get(name) != job.get(name)} for variant in variants]
    assert {"activation_checkpointing"} in changes
    assert {"micro_batch_size", "gradient_accumulation_steps"} in changes
    assert {"loss"} in changes
    assert {"method"} in changes
    (plan,) = named(found, "plan_job")
    assert "accelerator" not in plan


def test_rounds_come_to_an_end(ctx: Context) -> None:
    u = asked("oom_debug", model="Llama-3.1-8B", method="full", accelerator="RTX 4090")
    results = [memory(call.arguments, peak=(90, 99, 120)) for call in calls(ctx, u) if call.tool == "estimate_memory"]
    for _ in range(3):
        more = more_calls(u, results, ctx)
        results += [memory(call.arguments, peak=(90, 99, 120)) for call in more if call.tool == "estimate_memory"]
        results += [ToolResult(tool=c.tool, arguments=c.arguments, result={"plans": []}) for c in more if c.tool != "estimate_memory"]
    assert more_calls(u, results, ctx) == []


@pytest.mark.parametrize(
    "u",
    [
        pytest.param(asked("fit_check", model="Llama-3.1-8B", accelerator=["A100", "L4"], sequence_length=[2048, 8192]), id="two-axes"),
        pytest.param(asked("oom_debug", parameters_billion=20.0, method="full", sharding="zero3_offload"), id="offload"),
        pytest.param(asked("time", model="Llama-3.1-8B", accelerator="A100", dataset_examples=2000, tokens_per_example=300.0), id="time"),
        pytest.param(asked("spot", hours=6.0, resume=False, interruptions=2, price_per_hour=[0.4, 1.0], currency="EUR"), id="spot"),
        pytest.param(asked("cost", model="Llama-3.1-8B", budget=100, deadline="soon", features=["eu_company", "x"]), id="conditions"),
    ],
)
def test_every_call_is_one_its_tool_accepts(ctx: Context, u: Understanding) -> None:
    for call in calls(ctx, u):
        tool(call.tool).parse(call.arguments)
