"""Tools and records over HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tools.context import Context
from tools.toolbox import toolbox
from ui.http_tools import tools_router

JOB = {"model": "mistral 7b v0.3", "method": "qlora", "accelerator": "L40S"}


@pytest.fixture(scope="module")
def client(ctx: Context) -> Iterator[TestClient]:
    app = FastAPI()
    app.include_router(tools_router(lambda: ctx))
    with TestClient(app) as opened:
        yield opened


def test_every_tool_is_listed_with_its_schemas(client: TestClient) -> None:
    listed = {entry["name"]: entry for entry in client.get("/v1/tools").json()["tools"]}
    assert list(listed) == [spec.name for spec in toolbox()]
    for entry in listed.values():
        assert entry["arguments"]["properties"] and entry["result"]["properties"]


def test_a_tool_answers_with_what_the_tool_returns(client: TestClient, ctx: Context) -> None:
    from tools.toolbox import tool

    answer = client.post("/v1/tools/estimate_memory", json=JOB)
    assert answer.status_code == 200
    assert answer.json() == tool("estimate_memory").run(ctx, JOB).model_dump(mode="json")


def test_hyphens_name_the_same_tool(client: TestClient) -> None:
    assert client.post("/v1/tools/estimate-memory", json=JOB).status_code == 200


@pytest.mark.parametrize(
    ("name", "body", "status", "code"),
    [
        pytest.param("estimate", JOB, 404, "unknown_name", id="unknown tool"),
        pytest.param("estimate_memory", {**JOB, "model": "mistrall"}, 404, "unknown_name", id="unknown model"),
        pytest.param("estimate_memory", {**JOB, "accelerator_count": 0}, 422, "invalid_arguments", id="no accelerator"),
        pytest.param("estimate_memory", {**JOB, "method": "full", "lora_rank": 8}, 422, "invalid_job", id="rank on a full fine-tune"),
        pytest.param("estimate_memory", {"method": "lora"}, 422, "missing_fact", id="no model"),
    ],
)
def test_a_fault_is_a_problem(client: TestClient, name: str, body: dict[str, object], status: int, code: str) -> None:
    answer = client.post(f"/v1/tools/{name}", json=body)
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["code"] == code and answer.json()["hint"] and answer.json()["status"] == status


@pytest.mark.parametrize(
    "content", [b"{", b"[1]", b"\xff", b'"x"', b"[" * 50_000], ids=["broken", "list", "no UTF-8", "text", "nested too deep"]
)
def test_a_body_that_is_no_object_is_a_problem(client: TestClient, content: bytes) -> None:
    answer = client.post("/v1/tools/estimate_memory", content=content)
    assert answer.status_code == 422 and answer.json()["code"] == "invalid_arguments"


@pytest.mark.parametrize("kind", ["models", "accelerators", "providers"])
def test_records_are_listed(client: TestClient, ctx: Context, kind: str) -> None:
    source = ctx.models if kind == "models" else ctx.catalog
    assert len(client.get(f"/v1/{kind}").json()[kind]) == len(getattr(source, kind)())


def test_offers_take_the_filters_of_find_offers(client: TestClient) -> None:
    answer = client.get("/v1/offers", params={"accelerator": "L40S", "pricing_term": "on_demand", "consumer_ok": "false", "limit": "3"})
    offers = answer.json()["offers"]
    assert answer.status_code == 200 and 0 < len(offers) <= 3
    assert {offer["accelerator"] for offer in offers} == {"L40S"} and {offer["pricing_term"] for offer in offers} == {"on_demand"}


@pytest.mark.parametrize("query", ["limit=0", "colour=red", "pricing_term=free", "features=magic"])
def test_an_impossible_filter_is_a_problem(client: TestClient, query: str) -> None:
    answer = client.get(f"/v1/offers?{query}")
    assert answer.status_code == 422 and answer.json()["code"] == "invalid_arguments"
