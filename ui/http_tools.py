"""Tools and records over HTTP, generated from the definitions of the tools. Errors are `application/problem+json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool

from tools.context import Context
from tools.errors import InvalidArguments
from tools.toolbox import tool, toolbox
from tools.toolspec import ToolSpec
from ui.json_text import to_json
from ui.problems import problem


def tools_router(open_context: Callable[[], Context]) -> APIRouter:
    """Routes under `/v1`; `open_context` gives the Context of a request."""
    router = APIRouter(prefix="/v1", tags=["tools"])

    @router.get("/tools", operation_id="list_tools")
    def list_tools() -> Response:
        """Every tool with the schemas of its arguments and result."""
        return answered(lambda: {"tools": [described(spec) for spec in toolbox()]})

    @router.post("/tools/{name}", operation_id="run_tool")
    async def run_tool(name: str, request: Request) -> Response:
        """Run a tool; the body is the object of its arguments, the reply its result."""
        try:
            body = await body_object(request)
        except InvalidArguments as error:
            return problem(error)
        return await run_in_threadpool(answered, lambda: tool(name).run(open_context(), body))

    @router.get("/models", operation_id="list_models")
    def list_models() -> Response:
        """All architectures of the registry."""
        return answered(lambda: {"models": open_context().models.models()})

    @router.get("/accelerators", operation_id="list_accelerators")
    def list_accelerators() -> Response:
        """All accelerators of the catalog."""
        return answered(lambda: {"accelerators": open_context().catalog.accelerators()})

    @router.get("/providers", operation_id="list_providers")
    def list_providers() -> Response:
        """All provider records of the catalog."""
        return answered(lambda: {"providers": open_context().catalog.providers()})

    @router.get("/offers", operation_id="list_offers")
    def list_offers(request: Request) -> Response:
        """Offers that match; takes the arguments of `find_offers` as query parameters, `features` repeated, and lists 100 by default."""
        query = request.query_params
        given: dict[str, Any] = {name: query.getlist(name) if name == "features" else query[name] for name in query}
        return answered(lambda: tool("find_offers").run(open_context(), {"limit": 100, **given}))

    return router


def described(spec: ToolSpec) -> dict[str, Any]:
    """A tool's name, texts and schemas."""
    return {
        "name": spec.name,
        "summary": spec.summary,
        "description": spec.description,
        "arguments": spec.arguments.model_json_schema(by_alias=True),
        "result": spec.result.model_json_schema(mode="serialization"),
    }


def answered(compute: Callable[[], Any]) -> Response:
    """What `compute` returns as JSON, or the problem it raises."""
    try:
        return Response(to_json(compute()), media_type="application/json")
    except Exception as error:  # the surface's last line: an AdvisorError is told, a bug is logged under an id
        return problem(error)


async def body_object(request: Request) -> dict[str, Any]:
    """The JSON object of a request, `{}` where there is no body. Raises InvalidArguments."""
    try:
        body = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError) as error:
        raise InvalidArguments("The body is not JSON.", "Send the object of the tool's arguments.") from error
    if not isinstance(body, dict):
        raise InvalidArguments("The body is not an object.", "Send the object of the tool's arguments.")
    return body
