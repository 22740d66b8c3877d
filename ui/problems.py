"""Errors over HTTP: `application/problem+json` (RFC 9457) with the contract's code, message and hint."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from advisor.failures import error_record
from tools.errors import AdvisorError, InvalidArguments

STATUS = {
    "unknown_name": 404,
    "not_found": 404,
    "ambiguous_name": 422,
    "invalid_job": 422,
    "invalid_arguments": 422,
    "missing_fact": 422,
    "no_plan_found": 422,
    "busy_conversation": 409,
    "not_ready": 503,
    "stale_catalog": 503,
    "body_too_large": 413,
    "forbidden": 403,
}
"""Code of an error -> HTTP status; anything else is 500."""


class BodyTooLarge(AdvisorError):
    """A request body over the limit."""

    code = "body_too_large"


class Forbidden(AdvisorError):
    """A request this server does not take from there."""

    code = "forbidden"


def problem(error: Exception, status: int | None = None) -> JSONResponse:
    """Any exception as problem details; a bug is logged and told by its id alone."""
    record = error_record(error)
    code = status or STATUS.get(record["code"], 500)
    body = {"type": f"about:blank#{record['code']}", "title": record["message"], "status": code, "detail": record["hint"], **record}
    return JSONResponse(body, status_code=code, media_type="application/problem+json")


def install_problems(app: FastAPI) -> None:
    """Make every error of the app a problem."""

    @app.exception_handler(AdvisorError)
    async def _advisor_error(request: Request, error: AdvisorError) -> JSONResponse:
        del request
        return problem(error)

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        del request
        faults = "; ".join(f"{'.'.join(str(part) for part in fault['loc'][1:]) or 'body'}: {fault['msg']}" for fault in error.errors())
        return problem(InvalidArguments(faults, "/openapi.json lists the fields."))

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        del request
        return problem(AdvisorError(str(error.detail), "/openapi.json lists the paths."), error.status_code)

    @app.exception_handler(Exception)
    async def _bug(request: Request, error: Exception) -> JSONResponse:
        del request
        return problem(error)
