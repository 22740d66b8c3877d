"""Commands are generated from tool definitions: a toy tool shows how each kind of argument is written."""

from __future__ import annotations

import json
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

import click
import pytest
from click.testing import CliRunner, Result
from pydantic import Field

from tools.base import Value
from tools.context import Context
from tools.errors import InvalidJob
from tools.toolspec import ToolSpec
from ui.tool_commands import tool_command


class Colour(StrEnum):
    RED = "red"
    DARK_BLUE = "dark_blue"


class Wheel(Value):
    """A wheel."""

    width: int
    """Across."""
    tread: str | None = None
    """Of what kind."""


class ToyArguments(Value):
    """What to make."""

    toy_name: str | None = None
    """What it is called."""
    model_config_object: dict[str, Any] | None = Field(default=None, alias="model_config")
    """An object."""
    count: int | None = Field(default=None, ge=1)
    """How many."""
    price: Decimal | None = None
    """What it costs."""
    colour: Colour | None = None
    """One word."""
    colours: list[Colour] | None = None
    """Several words."""
    parts: str | list[str] | None = None
    """One word or several."""
    size: Literal["s", "l"] = "s"
    """One of two."""
    loud: bool | None = None
    """Yes or no."""
    wheels: list[Wheel] | None = None
    """Its wheels."""
    safe: bool = True
    """Yes unless denied."""


class Toy(Value):
    """A toy."""

    given: dict[str, Any]
    """The arguments as the tool saw them."""
    cost: Decimal
    """Money."""


def make_toy(ctx: Context, arguments: ToyArguments) -> Toy:
    """Make a toy.

    A longer word on it.
    """
    if arguments.count == 13:
        raise InvalidJob("No toy comes in thirteens.", "Ask for twelve.")
    return Toy(given=arguments.model_dump(by_alias=True, exclude_unset=True), cost=Decimal("1.50"))


COMMAND = tool_command(ToolSpec.of(make_toy))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(COMMAND, list(arguments), obj=lambda: None)


def given(*arguments: str) -> dict[str, Any]:
    result = run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    seen: dict[str, Any] = json.loads(result.stdout)["given"]
    return seen


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        pytest.param(["--toy-name", "bear"], {"toy_name": "bear"}, id="text"),
        pytest.param(["bear"], {"toy_name": "bear"}, id="the first argument may stand alone"),
        pytest.param(["--count", "3"], {"count": 3}, id="integer"),
        pytest.param(["--price", "2.50"], {"price": 2.5}, id="money"),
        pytest.param(["--colour", "dark_blue"], {"colour": "dark_blue"}, id="enumeration"),
        pytest.param(["--colours", "red,dark_blue"], {"colours": ["red", "dark_blue"]}, id="list with commas"),
        pytest.param(["--parts", "ear"], {"parts": "ear"}, id="one word where a list may stand"),
        pytest.param(["--parts", "ear, nose"], {"parts": ["ear", "nose"]}, id="a list where one word may stand"),
        pytest.param(["--size", "l"], {"size": "l"}, id="literal"),
        pytest.param(["--loud"], {"loud": True}, id="flag"),
        pytest.param(["--no-safe"], {"safe": False}, id="denied flag"),
        pytest.param(["--model-config", '{"a": 1}'], {"model_config": {"a": 1}}, id="object as JSON"),
        pytest.param(
            ["--wheels", "width=3,tread=fine", "--wheels", '{"width": 4}'],
            {"wheels": [{"width": 3, "tread": "fine"}, {"width": 4}]},
            id="records, once for each",
        ),
        pytest.param([], {}, id="nothing given, nothing passed on"),
    ],
)
def test_an_argument_is_written_as(written: list[str], seen: dict[str, Any]) -> None:
    assert given(*written) == seen


@pytest.mark.parametrize("prefix", ["", "@"], ids=["path", "@path"])
def test_an_object_comes_from_a_file(tmp_path: Path, prefix: str) -> None:
    file = tmp_path / "config.json"
    file.write_text('{"hidden_size": 8}', encoding="utf-8")
    assert given("--model-config", f"{prefix}{file}") == {"model_config": {"hidden_size": 8}}


@pytest.mark.parametrize(
    ("written", "told"),
    [
        pytest.param(["--colour", "green"], "red", id="a word outside the enumeration lists the words"),
        pytest.param(["--colours", "red,green"], "'green' is not one of red, dark_blue", id="a word outside the list's set"),
        pytest.param(["--model-config", "nowhere.json"], "cannot read 'nowhere.json'", id="a file that is not there"),
        pytest.param(["--model-config", "{"], "does not hold JSON", id="broken JSON"),
        pytest.param(["--wheels", "colour=red"], "width, tread", id="a record with an unknown name"),
        pytest.param(["bear", "--toy-name", "hare"], "given twice", id="the first argument twice"),
        pytest.param(["--wings", "4"], "--wings", id="an unknown option"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_why(written: list[str], told: str) -> None:
    result = run(*written)
    assert result.exit_code == 2
    assert told in result.stderr


def test_json_holds_money_as_a_number() -> None:
    assert json.loads(run("--json").stdout)["cost"] == 1.5


def test_help_shows_every_argument_with_its_docstring_and_default() -> None:
    text = run("--help").output
    for field in ToyArguments.model_fields.values():
        assert str(field.description) in text
    assert "[default: s]" in text and "[default: yes]" in text
    assert "A longer word on it." in text


def test_completion_offers_the_words_of_an_enumeration() -> None:
    option = next(parameter for parameter in COMMAND.params if parameter.name == "colours")
    items = option.shell_complete(click.Context(COMMAND), "red,da")
    assert [item.value for item in items] == ["red,dark_blue"]
