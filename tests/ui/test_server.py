"""The server over real HTTP: answers, streams, tools, health, and what it refuses."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytestmark = pytest.mark.slow

QUESTION = "Does LoRA on Qwen2.5 14B with 4k context fit an A40?"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    environment = {**os.environ, "ADVISOR_DATA_DIR": str(tmp_path_factory.mktemp("data"))}
    command = [str(Path(sys.executable).with_name("advisor")), "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        with httpx.Client(base_url=found.group(), timeout=60) as client:
            yield client
    finally:
        process.terminate()
        process.wait(timeout=20)


def test_health(client: httpx.Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}
    assert client.get("/readyz").status_code == 200


def test_an_answer_holds_the_contract(client: httpx.Client) -> None:
    answer = client.post("/v1/answer", json={"question": QUESTION}).raise_for_status().json()
    assert answer["route"] == "answer"
    assert answer["understood"]["stated"]["sequence_length"] == 4096
    assert answer["memory"]["peak_device_bytes"]["low"] <= answer["memory"]["peak_device_bytes"]["high"]
    assert answer["verdict"]["accelerator"]
    assert answer["grounded"] is True


def test_a_stream_gives_steps_text_and_the_same_answer(client: httpx.Client) -> None:
    events = []
    with client.stream("POST", "/v1/answer", json={"question": QUESTION}, headers={"Accept": "text/event-stream"}) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        for line in reply.iter_lines():
            if line.startswith("data: "):
                events.append(json.loads(line.removeprefix("data: ")))
    kinds = [event["event"] for event in events]
    assert kinds[0] == "step"
    assert kinds[-2:] == ["text", "answer"]
    assert events[-2]["delta"] == events[-1]["answer"]["text"]


def test_a_tool_over_http(client: httpx.Client) -> None:
    body = {"model": "qwen 2.5 14b", "method": "lora", "accelerator": "A40"}
    result = client.post("/v1/tools/estimate_memory", json=body).raise_for_status().json()
    assert result["peak_device_bytes"]["expected"] > 0


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        pytest.param("/v1/answer", {}, 422, "invalid_arguments", id="no-question"),
        pytest.param("/v1/answer", {"question": "x", "shout": True}, 422, "invalid_arguments", id="unknown-field"),
        pytest.param("/v1/answer", {"question": "x", "currency": "euros"}, 422, "invalid_arguments", id="bad-currency"),
        pytest.param("/v1/answer", {"question": "y" * 70_000}, 413, "body_too_large", id="too-large"),
        pytest.param("/v1/tools/estimate_memory", {"model": "qwen 2.5 14c"}, 404, "unknown_name", id="unknown-model"),
        pytest.param("/v1/tools/no_such_tool", {}, 404, "unknown_name", id="unknown-tool"),
    ],
)
def test_errors_are_problems(client: httpx.Client, path: str, body: dict[str, object], status: int, code: str) -> None:
    reply = client.post(path, json=body)
    assert reply.status_code == status
    assert reply.headers["content-type"].startswith("application/problem+json")
    assert reply.json()["code"] == code
    assert reply.json()["message"]


@pytest.mark.parametrize(
    "headers",
    [{"Host": "advisor.example"}, {"Origin": "https://advisor.example"}, {"Origin": "null"}, {"X-Forwarded-For": "10.0.0.9"}],
    ids=["foreign-host", "foreign-origin", "opaque-origin", "forwarded"],
)
@pytest.mark.parametrize("path", ["/v1/answer", "/gradio_api/info", "/"])
def test_requests_from_elsewhere_are_refused(client: httpx.Client, path: str, headers: dict[str, str]) -> None:
    reply = client.get(path, headers=headers) if path != "/v1/answer" else client.post(path, json={"question": QUESTION}, headers=headers)
    assert reply.status_code == 403


def test_the_schema_names_the_answer(client: httpx.Client) -> None:
    schema = client.get("/openapi.json").raise_for_status().json()
    assert {"/v1/answer", "/v1/tools/{name}", "/healthz"} <= schema["paths"].keys()
    assert "Answer" in schema["components"]["schemas"]
