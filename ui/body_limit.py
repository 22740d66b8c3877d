"""Requests of the API have a largest size."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ui.problems import BodyTooLarge, problem


class BodyLimit:
    """Refuses bodies over `limit` bytes on `/v1` with 413, also when no length was announced."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Count what comes in."""
        if scope["type"] != "http" or not scope["path"].startswith("/v1"):
            await self._app(scope, receive, send)
            return
        refusal = BodyTooLarge(f"A request has at most {self._limit:,} bytes.", "Send the question or the arguments only.")
        received = 0

        async def counted() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > self._limit:
                raise refusal
            return message

        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._limit:
            await problem(refusal)(scope, receive, send)
            return
        try:
            await self._app(scope, counted, send)
        except BodyTooLarge as error:
            await problem(error)(scope, receive, send)
