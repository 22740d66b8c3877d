"""Fetching a public file: https, one host, a deadline, a size limit, and words for everything that goes wrong."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage
from typing import IO, Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, OpenerDirector, Request, build_opener

from knowledge.prices.listed import SourceFailed

Fetch = Callable[[str], bytes]
"""Address -> body. Raises SourceFailed."""

WAIT_SECONDS = 20.0
"""Longest silence of a server."""
DEADLINE_SECONDS = 60.0
"""Longest download."""
MOST_BYTES = 64 * 2**20
"""Largest body; the largest price list known here has some 30 MB."""
AGENT = "finetune-advisor (price catalog)"
LATER = "The prices so far stay in force. Try again later, or name the providers to refresh."


class SameHost(HTTPRedirectHandler):
    """Follows redirects on the host that was asked, and no others."""

    def redirect_request(self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str) -> Request | None:
        """The next request, None where it would leave the host."""
        if urlsplit(newurl).netloc != urlsplit(req.full_url).netloc:
            return None
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def fetch(url: str, *, wait_seconds: float = WAIT_SECONDS, deadline_seconds: float = DEADLINE_SECONDS) -> bytes:
    """The body at an address. Raises SourceFailed with the host and what it did."""
    parts = urlsplit(url)
    if parts.scheme != "https" and parts.hostname != "127.0.0.1":
        raise SourceFailed(f"{url} is not an https address.", "Prices are fetched over https only.")
    opener: OpenerDirector = build_opener(SameHost())
    end = time.monotonic() + deadline_seconds
    chunks: list[bytes] = []
    try:
        with opener.open(Request(url, headers={"User-Agent": AGENT}), timeout=wait_seconds) as reply:  # noqa: S310  # scheme checked above
            size = 0
            while chunk := reply.read1(2**16):
                chunks.append(chunk)
                size += len(chunk)
                if size > MOST_BYTES:
                    raise SourceFailed(f"{parts.hostname} sent more than {MOST_BYTES // 2**20} MB.", LATER)
                if time.monotonic() > end:
                    raise SourceFailed(f"{parts.hostname} had not finished after {deadline_seconds:g} s.", LATER)
    except HTTPError as error:
        raise SourceFailed(f"{parts.hostname} answered {error.code} {error.reason}.", LATER) from error
    except TimeoutError as error:
        raise SourceFailed(f"{parts.hostname} said nothing for {wait_seconds:g} s.", LATER) from error
    except URLError as error:
        if isinstance(error.reason, TimeoutError):
            raise SourceFailed(f"{parts.hostname} said nothing for {wait_seconds:g} s.", LATER) from error
        raise SourceFailed(f"No connection to {parts.hostname}: {error.reason}.", f"Is there a network? {LATER}") from error
    except (OSError, HTTPException) as error:
        raise SourceFailed(f"The connection to {parts.hostname} broke off: {type(error).__name__}.", LATER) from error
    return b"".join(chunks)


def json_at(url: str, get: Fetch = fetch) -> Any:
    """The JSON value at an address. Raises SourceFailed, with words of its own for a web page or an empty body."""
    body = get(url)
    host = urlsplit(url).hostname
    if not body.strip():
        raise SourceFailed(f"{host} answered with nothing.", LATER)
    try:
        return json.loads(body)
    except ValueError as error:
        kind = "a web page" if body.lstrip()[:1] == b"<" else "something that is not JSON"
        raise SourceFailed(f"{host} answered with {kind} instead of prices.", LATER) from error
