"""A server on loopback answers this machine alone, whatever a web page elsewhere makes a browser send."""

from __future__ import annotations

from urllib.parse import urlparse

from starlette.types import ASGIApp, Receive, Scope, Send

from ui.problems import Forbidden, problem

FORWARDED = frozenset({b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip"})


class LoopbackOnly:
    """Refuses a Host or Origin that is not loopback, and forwarded requests, with 403: on every path."""

    def __init__(self, app: ASGIApp, enabled: bool) -> None:
        self._app = app
        self._enabled = enabled

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the headers."""
        if not self._enabled or scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        origin = headers.get(b"origin", b"").decode("latin-1")
        foreign = not own_name(f"//{host}") or (origin != "" and not own_name(origin)) or bool(FORWARDED & headers.keys())
        if not foreign:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            error = Forbidden("This server answers this machine only.", "Open it as http://127.0.0.1.")
            await problem(error)(scope, receive, send)


def own_name(url: str) -> bool:
    """Whether a URL's host is this machine."""
    try:
        name = urlparse(url).hostname or ""
    except ValueError:
        return False
    return name in ("localhost", "::1") or (name.startswith("127.") and name.replace(".", "").isdigit())
