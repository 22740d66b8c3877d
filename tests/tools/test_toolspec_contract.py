"""What every tool must bring, so that every surface can be made from it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel

from tools.base import Value
from tools.context import Context
from tools.errors import InvalidArguments, UnknownName
from tools.toolbox import tool, toolbox
from tools.toolspec import ToolSpec, option_fields

SPECS = [pytest.param(spec, id=spec.name) for spec in toolbox()]


@pytest.mark.parametrize("spec", SPECS)
def test_the_summary_is_one_sentence(spec: ToolSpec) -> None:
    assert spec.summary.endswith(".") and len(spec.summary) <= 160


@pytest.mark.parametrize("spec", SPECS)
def test_every_argument_has_help(spec: ToolSpec) -> None:
    assert not [name for name, _, _, text in option_fields(spec.arguments) if not text]


@pytest.mark.parametrize("spec", SPECS)
def test_arguments_and_result_are_frozen_values_that_reject_unknown_fields(spec: ToolSpec) -> None:
    for model in (spec.arguments, spec.result):
        assert issubclass(model, Value)
        assert model.model_config.get("frozen") and model.model_config.get("extra") == "forbid"


def properties(schema: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for owner in (schema, *schema.get("$defs", {}).values()):
        for name, part in owner.get("properties", {}).items():
            yield f"{owner.get('title')}.{name}", part


@pytest.mark.parametrize("spec", SPECS)
def test_every_field_of_the_result_is_described_in_its_schema(spec: ToolSpec) -> None:
    schema = spec.result.model_json_schema(mode="serialization")
    assert not [name for name, part in properties(schema) if not part.get("description") and "$ref" not in part]


@pytest.mark.parametrize("spec", SPECS)
def test_the_context_is_hidden_from_the_schema(spec: ToolSpec) -> None:
    assert not {"ctx", "context", "today"} & set(spec.arguments.model_json_schema()["properties"])


@pytest.mark.parametrize("spec", SPECS)
def test_an_unknown_argument_is_refused_by_name(spec: ToolSpec) -> None:
    with pytest.raises(InvalidArguments, match="frobnicate") as caught:
        spec.parse({"frobnicate": 1})
    assert "--help" in caught.value.hint


def test_names_are_unique_and_found_with_hyphens_too() -> None:
    names = [spec.name for spec in toolbox()]
    assert len(set(names)) == len(names)
    assert [tool(name.replace("_", "-")).name for name in names] == names


def test_an_unknown_tool_names_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="estimate_memory"):
        tool("estimate")


def test_a_function_of_another_shape_is_no_tool() -> None:
    def no_context(arguments: Value) -> BaseModel:
        """Has no Context."""
        return arguments

    def no_docstring(ctx: Context, arguments: Value) -> BaseModel:
        return arguments

    for function in (no_context, no_docstring):
        with pytest.raises(TypeError):
            ToolSpec.of(function)  # type: ignore[arg-type]  # the wrong shape is what is tested
