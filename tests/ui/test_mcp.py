"""The server spoken to by a real MCP client, over standard input and output and over streamable HTTP."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastmcp import Client
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from fastmcp.exceptions import ToolError

from tests.conftest import TODAY
from tools.context import Context
from tools.toolbox import tool, toolbox
from ui.json_text import plain
from ui.mcp_server import build_mcp

pytestmark = pytest.mark.anyio

ADVISOR = str(Path(sys.executable).with_name("advisor"))
JOB = {"model": "qwen 2.5 14b", "method": "lora", "accelerator": "A40", "sequence_length": 4096}
CALLS: dict[str, dict[str, Any]] = {
    "describe_model": {"model": "mistral 7b v0.3"},
    "describe_accelerator": {"accelerator": "L40S"},
    "describe_provider": {"provider": "runpod"},
    "find_offers": {"accelerator": "L40S", "limit": 3},
    "estimate_memory": JOB,
    "estimate_duration": JOB | {"dataset_tokens": 2_000_000},
    "plan_job": {"model": "mistral 7b v0.3", "method": "qlora", "dataset_tokens": 2_000_000},
    "compare_plans": {
        "model": "mistral 7b v0.3",
        "method": "lora",
        "dataset_tokens": 2_000_000,
        "alternatives": [{"accelerator": "A40"}, {"accelerator": "L40S"}],
    },
    "spot_economics": {"hours": 9},
    "bill_experiments": {"runs": 12, "run_minutes": 7, "usd_per_hour": 1.5},
    "search_knowledge": {"query": "checkpoints on spot"},
}


def environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "ADVISOR_DATA_DIR": str(folder)}


@asynccontextmanager
async def in_memory(ctx: Context) -> AsyncIterator[Client[Any]]:
    async with Client(build_mcp(lambda: ctx, today=lambda: TODAY)) as client:
        yield client


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("mcp")
    process = subprocess.Popen(
        [ADVISOR, "serve", "--port", "0"], env=environment(folder), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found
        yield found.group()
    finally:
        process.terminate()
        process.wait(timeout=20)


async def test_every_definition_is_a_tool_that_only_reads(ctx: Context) -> None:
    async with in_memory(ctx) as client:
        tools = await client.list_tools()
    assert [made.name for made in tools] == [spec.name for spec in toolbox()]
    for made, spec in zip(tools, toolbox(), strict=True):
        assert made.description == spec.description
        assert set(made.input_schema["properties"]) == {field.alias or name for name, field in spec.arguments.model_fields.items()}
        assert "ctx" not in made.input_schema["properties"]
        assert made.output_schema and made.output_schema["type"] == "object"
        assert made.annotations and made.annotations.read_only_hint is True and made.annotations.destructive_hint is False


def test_every_tool_is_called_here() -> None:
    assert set(CALLS) == {spec.name for spec in toolbox()}


@pytest.mark.parametrize("name", CALLS)
async def test_a_call_gives_what_the_tool_gives(ctx: Context, name: str) -> None:
    """The client checks the reply against the schema that the server announced."""
    async with in_memory(ctx) as client:
        reply = await client.call_tool(name, CALLS[name])
    assert reply.structured_content == plain(tool(name).run(ctx, CALLS[name]))
    assert reply.content[0].text.strip()


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        pytest.param("estimate_memory", {"model": "qwen 2.5 14c"}, "unknown_name", id="unknown-model"),
        pytest.param("estimate_memory", {"model": "7B", "accelerator_count": -2}, "accelerator_count", id="bad-count"),
        pytest.param("describe_accelerator", {"accelerator": ["A40"]}, "accelerator", id="bad-type"),
        pytest.param("spot_economics", {"hours": 9, "shout": True}, "shout", id="unknown-argument"),
    ],
)
async def test_a_fault_is_told_with_its_name(ctx: Context, name: str, arguments: dict[str, Any], told: str) -> None:
    async with in_memory(ctx) as client:
        with pytest.raises(ToolError, match=told):
            await client.call_tool(name, arguments)


async def test_a_bug_is_told_by_its_id_alone(ctx: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    from tools import cards

    def broken(*_: object) -> None:
        raise ZeroDivisionError("inner detail")

    monkeypatch.setattr(cards, "model_card", broken)
    async with in_memory(ctx) as client:
        with pytest.raises(ToolError) as caught:
            await client.call_tool("describe_model", {"model": "7B"})
    assert "internal" in str(caught.value) and "inner detail" not in str(caught.value)


async def test_guide_and_catalog_are_resources_and_there_is_a_prompt(ctx: Context) -> None:
    async with in_memory(ctx) as client:
        listed = {str(resource.uri) for resource in await client.list_resources()}
        assert {"catalog://accelerators", "catalog://providers", "catalog://models", "catalog://status"} <= listed
        guide = sorted(uri for uri in listed if uri.startswith("guide://"))
        assert {uri.removeprefix("guide://de/") for uri in guide if "//de/" in uri} == {
            uri.removeprefix("guide://en/") for uri in guide if "//en/" in uri
        }
        for uri in sorted(listed):
            assert (await client.read_resource(uri))[0].text.strip()
        offers = json.loads((await client.read_resource("catalog://offers/L40S"))[0].text)
        assert offers["offers"] and all(row["as_of"] for row in offers["offers"])
        with pytest.raises(Exception, match="unknown_name"):
            await client.read_resource("catalog://offers/no-such-card")
        (prompt,) = await client.list_prompts()
        said = await client.get_prompt(prompt.name, {"model": "Mistral 7B", "constraints": "Only in the EU."})
        assert "Mistral 7B" in said.messages[0].content.text and "Only in the EU." in said.messages[0].content.text


@pytest.mark.slow
async def test_over_standard_input_and_output(tmp_path: Path) -> None:
    async with Client(StdioTransport(ADVISOR, ["mcp"], env=environment(tmp_path))) as client:
        assert len(await client.list_tools()) == len(toolbox())
        reply = await client.call_tool("estimate_memory", JOB)
        assert reply.structured_content["verdict"]["accelerator"]


@pytest.mark.slow
async def test_over_streamable_http(address: str, ctx: Context) -> None:
    async with Client(StreamableHttpTransport(f"{address}/mcp/")) as client:
        assert len(await client.list_tools()) == len(toolbox())
        reply = await client.call_tool("estimate_memory", JOB)
        assert reply.structured_content == plain(tool("estimate_memory").run(ctx, JOB))
        with pytest.raises(ToolError, match="unknown_name"):
            await client.call_tool("describe_provider", {"provider": "no such cloud"})


@pytest.mark.slow
@pytest.mark.parametrize("headers", [{"Origin": "https://advisor.example"}, {"Host": "advisor.example"}], ids=["origin", "host"])
def test_a_page_elsewhere_cannot_reach_it(address: str, headers: dict[str, str]) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    accept = {"Accept": "application/json, text/event-stream", **headers}
    assert httpx.post(f"{address}/mcp/", json=body, headers=accept).status_code == 403
