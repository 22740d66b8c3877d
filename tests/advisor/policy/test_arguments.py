"""From what was said to job arguments, and what an error says by itself."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.policy.arguments import alternatives
from advisor.policy.ask import asks_how_many
from advisor.policy.extras import extras
from advisor.policy.facts import Facts
from advisor.policy.oom_log import diagnosis, figures
from advisor.policy.spot import checkpoint_minutes, spot_arguments
from advisor.slots import Slots
from tests.advisor.phrasing.samples import asked
from tools.context import Context


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        pytest.param('"offload_optimizer": {"device": "cpu"}', {"offload": ["optimizer"]}, id="optimizer-offload"),
        pytest.param("we use cpu offload throughout", {"offload": ["optimizer", "parameters"]}, id="all-offload"),
        pytest.param("use_liger_kernel: true", {"loss": "fused"}, id="liger"),
        pytest.param('modules_to_save: ["embed_tokens", "lm_head"]', {"modules_to_save": ["embed_tokens", "lm_head"]}, id="embeddings"),
        pytest.param("sample_packing: true", {"packing": True}, id="packing"),
        pytest.param("nothing of the kind", {}, id="nothing"),
    ],
)
def test_configuration_lines_state_arguments_that_no_slot_holds(text: str, arguments: dict[str, Any]) -> None:
    assert extras(text) == arguments


def test_several_cards_after_a_failure_hold_a_copy_each_unless_said_otherwise(ctx: Context) -> None:
    shared = {"parameters_billion": 30.0, "method": "lora", "accelerator": "L40S", "accelerator_count": 3}
    assert alternatives(asked("oom_debug", **shared), Facts(ctx))[0]["sharding"] == "ddp"
    assert "sharding" not in alternatives(asked("fit_check", **shared), Facts(ctx))[0]
    assert "sharding" not in alternatives(asked("oom_debug", **shared | {"accelerator_count": 1}), Facts(ctx))[0]


def test_models_and_methods_named_in_pairs_are_pairs(ctx: Context) -> None:
    u = asked("gpu_choice", model=["bert-base-uncased", "Llama-3.1-8B"], method=["full", "qlora"])
    assert [(job["model"], job["method"]) for job in alternatives(u, Facts(ctx))] == [
        ("bert-base-uncased", "full"),
        ("Llama-3.1-8B", "qlora"),
    ]


def test_bf16_in_full_training_is_read_both_ways(ctx: Context) -> None:
    found = alternatives(asked("fit_check", parameters_billion=3.0, method="full", precision="bf16"), Facts(ctx))
    assert [job.get("master_weights") for job in found] == [None, False]


def test_methods_without_a_model_are_compared_on_an_example(ctx: Context) -> None:
    found = alternatives(asked("compare", method=["lora", "dora"]), Facts(ctx))
    assert {job["parameters_billion"] for job in found} == {8.0}


@pytest.mark.parametrize(("question", "many"), [("How many of them?", True), ("Wie viele davon?", True), ("Is one enough?", False)])
def test_a_question_for_the_number_of_cards_is_told(question: str, many: bool) -> None:
    assert asks_how_many(asked("fit_check", accelerator="H200"), question) is many
    assert asks_how_many(asked("fit_check", accelerator="H200", accelerator_count=4), question) is False


def test_steps_between_saves_become_minutes() -> None:
    assert checkpoint_minutes(Slots(save_steps=50, seconds_per_step=6.0)) == 5.0
    assert checkpoint_minutes(Slots(checkpoint_interval_minutes=20.0)) == 20.0
    assert checkpoint_minutes(Slots()) is None


def test_two_prices_are_spot_and_on_demand(ctx: Context) -> None:
    found = spot_arguments(None, Slots(hours=8.0, price_per_hour=[2.0, 0.9]), Facts(ctx), "USD")
    assert found is not None
    assert (found["spot_usd_per_hour"], found["on_demand_usd_per_hour"]) == (0.9, 2.0)
    named = spot_arguments(None, Slots(hours=8.0, price_per_hour=[2.0, 0.9], pricing_term=["spot", "on_demand"]), Facts(ctx), "USD")
    assert named is not None
    assert named["spot_usd_per_hour"] == 2.0


def test_spot_needs_hours_or_a_job_with_its_data(ctx: Context) -> None:
    assert spot_arguments({"parameters_billion": 8.0}, Slots(), Facts(ctx), "USD") is None
    assert spot_arguments({"parameters_billion": 8.0}, Slots(dataset_tokens=10**6), Facts(ctx), "USD") is not None


def test_figures_of_an_error_line_are_read_in_gib() -> None:
    line = "Tried to allocate 512.00 MiB. GPU 0 has a total capacity of 23.50 GiB. Process 9 has 20.00 GiB memory in use."
    assert figures(line) == {"tried": 0.5, "total": 23.5, "other": 20.0}


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        pytest.param("the launcher exits with code -9", "host_ram", id="host-ram"),
        pytest.param("it dies while saving checkpoint 3", "saving", id="saving"),
        pytest.param("beim Auswerten steigt der Verbrauch", "evaluation", id="evaluation"),
        pytest.param("died at step 4711 this time", "late", id="late"),
        pytest.param("CUDA out of memory on the first batch", None, id="nothing-special"),
    ],
)
def test_causes_are_told_by_their_marks(text: str, cause: str | None) -> None:
    found = diagnosis(text)
    assert (found[0][0] if found else None) == cause
