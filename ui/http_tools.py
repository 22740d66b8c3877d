"""Tools and records over HTTP, generated from the definitions of the tools. Errors are `application/problem+json`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse

from advisor.failures import error_record
from tools.arguments import OfferArguments
from tools.context import Context
from tools.errors import AdvisorError, InvalidArguments
from tools.toolbox import tool, toolbox
from tools.toolspec import ToolSpec
from ui.json_text import to_json

MAX_BODY_BYTES = 1_000_000
"""A job with a whole `config.json` has a few kilobytes."""

STATUS = {
    "unknown_name": 404,
    "ambiguous_name": 422,
    "invalid_job": 422,
    "invalid_arguments": 422,
    "missing_fact": 422,
    "no_plan_found": 422,
    "busy_conversation": 409,
    "not_ready": 503,
    "stale_catalog": 503,
    "body_too_large": 413,
}
"""Code of an error -> HTTP status; anything else is 500."""


class BodyTooLarge(AdvisorError):
    """A request body over the limit."""

    code = "body_too_large"


def problem(error: Exception) -> JSONResponse:
    """Any exception as RFC 9457 problem details, with the contract's code, message and hint beside them."""
    record = error_record(error)
    status = STATUS.get(record["code"], 500)
    body = {"type": f"about:blank#{record['code']}", "title": record["message"], "status": status, "detail": record["hint"], **record}
    return JSONResponse(body, status_code=status, media_type="application/problem+json")


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
            body = await limited_body(request)
            return answered(lambda: tool(name).run(open_context(), body))
        except AdvisorError as error:
            return problem(error)

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
    def list_offers(request: Request, limit: Annotated[int, Query(ge=1, le=500)] = 100) -> Response:
        """Offers that match; takes the arguments of `find_offers` as query parameters, `features` repeated."""
        names = OfferArguments.model_fields
        given: dict[str, Any] = {name: request.query_params[name] for name in request.query_params if name != "features"}
        if "features" in request.query_params and "features" in names:
            given["features"] = request.query_params.getlist("features")
        return answered(lambda: tool("find_offers").run(open_context(), {**given, "limit": limit}))

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


async def limited_body(request: Request) -> dict[str, Any]:
    """The JSON object of a request, at most MAX_BODY_BYTES. Raises BodyTooLarge or InvalidArguments."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > MAX_BODY_BYTES:
            raise BodyTooLarge(f"The body is larger than {MAX_BODY_BYTES:,} bytes.", "Send the arguments only.")
        parts.append(part)
    try:
        body = json.loads(b"".join(parts) or b"{}")
    except (ValueError, RecursionError) as error:
        raise InvalidArguments("The body is not JSON.", "Send the object of the tool's arguments.") from error
    if not isinstance(body, dict):
        raise InvalidArguments("The body is not an object.", "Send the object of the tool's arguments.")
    return body
