"""The tools as a chat model sees them."""

from __future__ import annotations

import json

import pytest
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from advisor.langchain_tools import langchain_tools
from tools.context import Context
from tools.toolbox import tool, toolbox
from tools.toolspec import ToolSpec


@pytest.fixture(scope="module")
def by_name(ctx: Context) -> dict[str, BaseTool]:
    return {made.name: made for made in langchain_tools(ctx)}


def test_every_definition_makes_a_tool_with_its_description(by_name: dict[str, BaseTool]) -> None:
    assert {name: made.description for name, made in by_name.items()} == {spec.name: spec.description for spec in toolbox()}


@pytest.mark.parametrize("spec", [pytest.param(spec, id=spec.name) for spec in toolbox()])
def test_the_schema_a_model_gets_has_every_argument_with_help_and_no_context(by_name: dict[str, BaseTool], spec: ToolSpec) -> None:
    function = convert_to_openai_tool(by_name[spec.name])["function"]
    shown = function["parameters"]["properties"]
    assert set(shown) == {field.alias or name for name, field in spec.arguments.model_fields.items()}
    assert all(part.get("description") for part in shown.values())


def test_a_call_returns_the_result_as_json(by_name: dict[str, BaseTool], ctx: Context) -> None:
    arguments = {"model": "mistral 7b v0.3", "method": "lora"}
    called = json.loads(by_name["estimate_memory"].invoke(arguments))
    assert called == tool("estimate_memory").run(ctx, arguments).model_dump(mode="json")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        pytest.param({"model": "mistrall"}, "Error (unknown_name)", id="unknown model"),
        pytest.param({"model": "mistral 7b v0.3", "accelerator_count": 0}, "Error (invalid_arguments)", id="argument out of range"),
        pytest.param({"model": "mistral 7b v0.3", "lora_rnak": 8}, "lora_rnak", id="argument of another name"),
        pytest.param({"model": ["a", "b"]}, "Error", id="argument of another type"),
    ],
)
def test_a_fault_comes_back_as_text(by_name: dict[str, BaseTool], arguments: dict[str, object], told: str) -> None:
    assert told in by_name["estimate_memory"].invoke(arguments)


def test_a_bug_comes_back_without_its_details(by_name: dict[str, BaseTool], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("inner detail")

    from tools import cards

    monkeypatch.setattr(cards, "model_card", broken)
    told = by_name["describe_model"].invoke({"model": "mistral 7b v0.3"})
    assert told.startswith("Error (internal)") and "inner detail" not in told
