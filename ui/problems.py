"""Errors over HTTP: `application/problem+json` with the contract's code, message and hint."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from advisor.failures import error_record
from tools.errors import AdvisorError

STATUS = {
    "unknown_name": 404,
    "ambiguous_name": 422,
    "invalid_job": 422,
    "invalid_arguments": 422,
    "missing_fact": 422,
    "no_plan_found": 422,
    "busy_conversation": 409,
    "not_ready": 503,
    "too_large": 413,
    "internal": 500,
}
"""HTTP status by error code; any other AdvisorError is the request's fault."""


def problem(record: dict[str, str], status: int | None = None) -> JSONResponse:
    """An error record as a problem (RFC 9457)."""
    code = status or STATUS.get(record["code"], 400)
    body: dict[str, Any] = {"type": "about:blank", "title": record["message"], "status": code, "detail": record["hint"], **record}
    return JSONResponse(body, status_code=code, media_type="application/problem+json")


def install_problems(app: FastAPI) -> None:
    """Make every error of the app a problem."""

    @app.exception_handler(AdvisorError)
    async def _advisor_error(request: Request, error: AdvisorError) -> JSONResponse:
        del request
        return problem(error.as_dict())

    @app.exception_handler(RequestValidationError)
    async def _invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        del request
        faults = "; ".join(f"{'.'.join(str(part) for part in fault['loc'][1:]) or 'body'}: {fault['msg']}" for fault in error.errors())
        return problem({"code": "invalid_arguments", "message": faults, "hint": "See /openapi.json for the fields."}, 422)

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> JSONResponse:
        del request
        return problem({"code": "http", "message": str(error.detail), "hint": "See /openapi.json for the paths."}, error.status_code)

    @app.exception_handler(Exception)
    async def _bug(request: Request, error: Exception) -> JSONResponse:
        del request
        return problem(error_record(error))
