"""Tool lines of `advisor batch`, against the real tools and as a real process."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tools.context import Context
from tools.toolbox import tool
from ui.batch import Batch

JOB = {"model": "mistral 7b v0.3", "method": "qlora", "accelerator": "L40S"}


def nobody() -> Any:
    raise AssertionError("no line asked a question")


def answer(ctx: Context, line: dict[str, Any]) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(Batch(lambda: ctx, nobody).answer(json.dumps(line).encode(), 1))
    return value


@pytest.mark.parametrize("name", ["estimate_memory", "estimate_duration", "plan_job"])
def test_a_result_is_what_the_tool_returns(ctx: Context, name: str) -> None:
    line = answer(ctx, {"id": 7, "tool": name, "arguments": JOB})
    assert line == {"id": 7, "result": tool(name).run(ctx, JOB).model_dump(mode="json")}


def test_money_is_a_number(ctx: Context) -> None:
    line = answer(ctx, {"id": "a", "tool": "find_offers", "arguments": {"accelerator": "L40S", "limit": 1}})
    assert isinstance(line["result"]["offers"][0]["usd_per_hour"], float)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        pytest.param({"tool": "estimate", "arguments": {}}, "unknown_name", id="unknown tool"),
        pytest.param({"tool": "estimate_memory", "arguments": []}, "invalid_arguments", id="arguments that are a list"),
        pytest.param({"tool": "estimate_memory"}, "missing_fact", id="no arguments"),
        pytest.param({"tool": "estimate_memory", "arguments": {**JOB, "model": "mistrall"}}, "unknown_name", id="unknown model"),
        pytest.param(
            {"tool": "estimate_memory", "arguments": {**JOB, "model_config": "config.json"}}, "invalid_arguments", id="a file path"
        ),
        pytest.param({"tool": "estimate_memory", "arguments": {**JOB, "lora_rank": "many"}}, "invalid_arguments", id="text for a number"),
        pytest.param(
            {"tool": "estimate_memory", "arguments": {**JOB, "method": "full", "lora_rank": 4}}, "invalid_job", id="impossible job"
        ),
    ],
)
def test_a_fault_is_an_error_object(ctx: Context, line: dict[str, Any], code: str) -> None:
    found = answer(ctx, {"id": "x", **line})
    assert found["id"] == "x" and found["error"]["code"] == code
    assert set(found["error"]) == {"code", "message", "hint"}


def test_a_whole_process_answers_every_line_in_order(tmp_path: Path) -> None:
    lines = [
        json.dumps({"id": "first", "tool": "describe_accelerator", "arguments": {"accelerator": "L40S"}}),
        "no JSON at all",
        "",
        json.dumps({"id": "last", "tool": "estimate_memory", "arguments": JOB}),
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    command = [str(Path(sys.executable).with_name("advisor")), "batch"]
    from_file = subprocess.run([*command, str(file)], capture_output=True, check=True).stdout
    from_input = subprocess.run([*command, "-"], input=file.read_bytes(), capture_output=True, check=True).stdout
    assert from_file == from_input
    answers = [json.loads(line) for line in from_file.splitlines()]
    assert [(line["id"], "result" in line) for line in answers] == [("first", True), (None, False), ("last", True)]
