"""The command line as a person meets it: exit codes, errors with a hint, readable and JSON output."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest
from click.shell_completion import ShellComplete

from tools.context import Context
from tools.toolbox import toolbox
from ui.cli import INTERNAL, MENDABLE, OK, USAGE, cli, main


@dataclass
class Run:
    code: int
    out: str
    err: str

    @property
    def result(self) -> dict[str, Any]:
        value: dict[str, Any] = json.loads(self.out)
        return value


class Advisor:
    def __init__(self, ctx: Context, capsys: pytest.CaptureFixture[str]) -> None:
        self._ctx, self._capsys = ctx, capsys

    def __call__(self, *arguments: str) -> Run:
        code = main(arguments, opener=lambda: self._ctx)
        captured = self._capsys.readouterr()
        return Run(code, captured.out, captured.err)


@pytest.fixture
def advisor(ctx: Context, capsys: pytest.CaptureFixture[str]) -> Advisor:
    return Advisor(ctx, capsys)


MEMORY = ("estimate-memory", "--model", "mistral 7b v0.3", "--method", "lora")


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        pytest.param(
            ("estimate-memory", "--model", "mistrall", "--method", "lora"), "unknown_name", "Did you mean", id="a wrong model name"
        ),
        pytest.param((*MEMORY, "--accelerator", "L40Z"), "unknown_name", "Did you mean", id="a wrong card name"),
        pytest.param(("describe-provider", "lamda"), "unknown_name", "Did you mean", id="a wrong provider name"),
        pytest.param(
            ("estimate-memory", "--model", "mistral 7b v0.3", "--method", "full", "--lora-rank", "16"),
            "invalid_job",
            "Leave out",
            id="a rank on a full fine-tune",
        ),
        pytest.param((*MEMORY, "--accelerator-count", "0"), "invalid_arguments", "--help", id="no accelerator"),
        pytest.param((*MEMORY, "--sequence-length", "1000000000"), "invalid_arguments", "--help", id="a context of 10^9 tokens"),
        pytest.param((*MEMORY, "--sequence-length", "-1"), "invalid_arguments", "Write a number", id="a negative context"),
        pytest.param(("estimate-memory", "--parameters-billion", "-7"), "invalid_arguments", "--help", id="a negative size"),
        pytest.param(("estimate-memory", "--method", "lora"), "missing_fact", "model", id="no model"),
        pytest.param(
            (*MEMORY, "--accelerator-count", "3", "--nodes", "2"), "invalid_job", "multiple", id="cards that do not divide over the nodes"
        ),
        pytest.param(("plan-job", "--model", "mistral 7b v0.3", "--currency", "XXX"), "unknown_name", "", id="a currency without a rate"),
    ],
)
def test_an_error_that_can_be_mended(advisor: Advisor, arguments: tuple[str, ...], code: str, told: str) -> None:
    shown = advisor(*arguments)
    assert shown.code == MENDABLE
    assert shown.out == ""
    assert shown.err.startswith("Error: ") and told in shown.err
    assert "Traceback" not in shown.err
    error = advisor(*arguments, "--json").result["error"]
    assert error["code"] == code and error["message"] and error["hint"]


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("estimate-memroy",), id="an unknown command"),
        pytest.param(("estimate-memory", "--modell", "7B"), id="an unknown option"),
        pytest.param((*MEMORY, "--sharding", "zero9"), id="a word outside the enumeration"),
        pytest.param(("batch", "nowhere.jsonl"), id="a batch file that is not there"),
        pytest.param(("batch",), id="a batch without a file"),
    ],
)
def test_wrong_usage(advisor: Advisor, arguments: tuple[str, ...]) -> None:
    shown = advisor(*arguments)
    assert shown.code == USAGE
    assert "Error" in shown.err and "Traceback" not in shown.err


def test_a_bug_is_shown_by_its_log_id_alone(capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> Context:
        raise ZeroDivisionError("inner detail")

    assert main(("describe-model", "mistral 7b v0.3"), opener=broken) == INTERNAL
    incident = caplog.records[-1].getMessage().rpartition(" ")[2]
    captured = capsys.readouterr()
    assert incident in captured.err
    assert captured.out == "" and "Error: Internal error" in captured.err


EVERY_TOOL: dict[str, tuple[str, ...]] = {
    "describe_model": ("mistral 7b v0.3",),
    "describe_accelerator": ("L40S",),
    "describe_provider": ("lambda",),
    "find_offers": ("--minimum-memory-gb", "40", "--region", "EU"),
    "estimate_memory": ("mistral 7b v0.3", "--method", "qlora", "--accelerator", "L40S"),
    "estimate_duration": ("mistral 7b v0.3", "--method", "qlora", "--accelerator", "L40S", "--dataset-tokens", "3M"),
    "plan_job": ("mistral 7b v0.3", "--method", "qlora", "--dataset-tokens", "3M", "--region", "EU"),
    "compare_plans": (
        *("mistral 7b v0.3", "--method", "qlora", "--dataset-tokens", "3M"),
        *("--alternatives", "accelerator=L40S", "--alternatives", '{"accelerator": "L4", "accelerator_count": 2, "name": "pair"}'),
    ),
    "spot_economics": (
        "--hours",
        "20",
        "--interruptions",
        "2",
        "--on-demand-usd-per-hour",
        "2",
        "--spot-usd-per-hour",
        "1",
        "--deadline",
        "30",
    ),
    "bill_experiments": ("--runs", "9", "--run-minutes", "14", "--usd-per-hour", "1.8", "--pause-minutes", "30", "--provider", "runpod"),
    "search_knowledge": ("spot instances",),
}


def test_the_examples_below_cover_every_tool() -> None:
    assert set(EVERY_TOOL) == {spec.name for spec in toolbox()}


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec.name) for spec in toolbox()])
def test_every_tool_prints_json_of_its_result_model(advisor: Advisor, spec: Any) -> None:
    shown = advisor(spec.name.replace("_", "-"), *EVERY_TOOL[spec.name], "--json")
    assert shown.code == OK, shown.err
    computed = set(spec.result.model_computed_fields)
    spec.result.model_validate({name: value for name, value in shown.result.items() if name not in computed}, strict=False)


@pytest.mark.parametrize("name", EVERY_TOOL)
def test_every_tool_prints_text(advisor: Advisor, name: str) -> None:
    shown = advisor(name.replace("_", "-"), *EVERY_TOOL[name])
    assert shown.code == OK, shown.err
    assert len(shown.out.splitlines()) >= 3
    assert not {"None", "Decimal(", "<", "nan"} & set(shown.out.replace("(", "( ").split())


def test_memory_as_text_agrees_with_json(advisor: Advisor) -> None:
    arguments = ("estimate-memory", *EVERY_TOOL["estimate_memory"])
    text, result = advisor(*arguments).out, advisor(*arguments, "--json").result
    peak = result["peak_device_bytes"]
    assert f"{peak['expected'] / 2**30:.1f} GiB ({peak['low'] / 2**30:.1f} to {peak['high'] / 2**30:.1f})" in text
    assert ("Fits on L40S" in text) == (result["verdict"]["fits"] is True)
    for component in result["breakdown"]:
        assert component.replace("_", " ") in text
    for assumption in result["assumptions"]:
        assert assumption["name"] in text


def test_plans_as_text_show_everything_a_buyer_needs(advisor: Advisor) -> None:
    arguments = ("plan-job", *EVERY_TOOL["plan_job"])
    text, result = advisor(*arguments).out, advisor(*arguments, "--json").result
    assert result["plans"]
    for plan in result["plans"]:
        offer = plan["offer"]
        line = next(
            line for line in text.splitlines() if offer["instance"] in line and offer["provider_name"] in line and offer["region"] in line
        )
        for shown in (
            plan["accelerator"],
            f"{offer['usd_per_hour']:,.2f}",
            offer["as_of"],
            f"{plan['memory']['expected'] / 2**30:.1f} of",
            plan["cost"]["currency"],
        ):
            assert shown in line


def test_version_names_the_distribution(advisor: Advisor) -> None:
    shown = advisor("version")
    assert shown.code == OK and shown.out.startswith("finetune-advisor ")


def test_help_lists_every_tool(advisor: Advisor) -> None:
    shown = advisor("--help")
    assert shown.code == OK
    for spec in toolbox():
        assert spec.name.replace("_", "-") in shown.out


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_prints_a_script(advisor: Advisor, shell: str) -> None:
    shown = advisor("completion", shell)
    assert shown.code == OK and "_ADVISOR_COMPLETE" in shown.out


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        pytest.param(["estimate-memory", "--model", "mistralai/Mistral-7B-v0"], "mistralai/Mistral-7B-v0.3", id="a model"),
        pytest.param(["describe-accelerator", "L40"], "L40S", id="an accelerator that stands alone"),
        pytest.param(["plan-job", "--method", "ql"], "qlora", id="a method"),
        pytest.param(["plan-job", "--sharding", "zer"], "zero3", id="a word of an enumeration"),
        pytest.param(["estim"], "estimate-memory", id="a command"),
    ],
)
def test_the_shell_completes(ctx: Context, typed: list[str], offered: str) -> None:
    completion = ShellComplete(cli, {"obj": lambda: ctx}, "advisor", "_ADVISOR_COMPLETE")
    assert offered in [item.value for item in completion.get_completions(typed[:-1], typed[-1])]


def test_a_completed_card_name_is_understood(ctx: Context) -> None:
    for card in ctx.catalog.accelerators():
        assert card in ctx.catalog.accelerator_candidates(card.id.replace(" ", "-"))
