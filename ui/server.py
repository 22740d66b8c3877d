"""One ASGI server: the API at `/v1`, MCP at `/mcp/`, health, and the browser chat at `/`."""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import date
from typing import Any
from urllib.parse import urlparse

from advisor.settings import Settings

log = logging.getLogger(__name__)

OFFLINE = {
    "GRADIO_ANALYTICS_ENABLED": "False",
    "HF_HUB_OFFLINE": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "DO_NOT_TRACK": "1",
}
"""Libraries that would otherwise call home; set before they are imported."""

MAX_BODY_BYTES = 64 * 1024


def build_app(settings: Settings, *, today: Callable[[], date] = date.today) -> Any:
    """The FastAPI app with every surface; nothing is opened before its lifespan starts."""
    for name, value in OFFLINE.items():
        os.environ.setdefault(name, value)
    import anyio.to_thread
    import gradio as gr
    from fastapi import FastAPI
    from fastapi.responses import JSONResponse

    from advisor.service import Advisor
    from knowledge.context import open_context
    from ui.body_limit import BodyLimit
    from ui.chat import chat_page
    from ui.chat_style import HEAD
    from ui.http_answer import answer_routes
    from ui.http_catalog import catalog_router
    from ui.http_tools import tools_router
    from ui.loopback import LoopbackOnly
    from ui.mcp_server import build_mcp
    from ui.problems import install_problems

    ctx = open_context(today=today(), data_dir=settings.data_dir)
    advisor = Advisor(settings, ctx, today=today)

    # stateless and plain JSON: any worker may answer any call; Host, Origin and keys are judged by what wraps the app
    mcp = build_mcp(advisor.fresh_context, today=today, data_dir=settings.data_dir).http_app(
        path="/", stateless_http=True, json_response=True, host_origin_protection=False
    )

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        async with advisor, mcp.lifespan(app):
            await anyio.to_thread.run_sync(warm_tools, ctx, advisor.names)
            threading.Thread(target=warm, args=(ctx.retriever,), name="warm-embedder", daemon=True).start()
            yield

    app = FastAPI(title="finetune-advisor", version=_version(), lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(BodyLimit, limit=MAX_BODY_BYTES)
    app.add_middleware(LoopbackOnly, enabled=is_loopback(settings.host))
    install_problems(app)

    @app.get("/healthz", operation_id="healthz")
    async def healthz() -> dict[str, str]:
        """The process answers."""
        return {"status": "ok"}

    @app.get("/readyz", operation_id="readyz", response_model=None)
    async def readyz() -> JSONResponse:
        """What is not ready yet, and whether answers can be given all the same."""
        status = retriever_status(ctx.retriever)
        return JSONResponse({"status": "ready", "retrieval": status, "notices": advisor.notices})

    app.include_router(answer_routes(advisor))
    app.include_router(tools_router(advisor.fresh_context))
    app.include_router(catalog_router(today, settings.data_dir))
    app.mount("/mcp", mcp)
    theme = gr.themes.Soft(
        primary_hue="emerald", neutral_hue="slate", font=["system-ui", "sans-serif"], font_mono=["ui-monospace", "monospace"]
    )
    return gr.mount_gradio_app(app, chat_page(advisor), path="/", show_error=False, ssr_mode=False, theme=theme, head=HEAD, footer_links=[])


def serve(settings: Settings, *, announce: Callable[[str], None]) -> None:
    """Run until interrupted; `announce` gets the address once it answers there."""
    import uvicorn

    class Announced(uvicorn.Server):
        """A bound port refuses connections until the start is over; only then is the address of use."""

        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            if self.started and sockets:
                announce(f"http://{settings.host}:{sockets[0].getsockname()[1]}")

    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    config = uvicorn.Config(
        build_app(settings),
        host=settings.host,
        port=settings.port,
        log_level=settings.log_level.lower(),
        access_log=False,
        timeout_graceful_shutdown=5,  # an open page's heartbeat would keep the server from ending
    )
    Announced(config).run(sockets=[config.bind_socket()])


def warm_tools(ctx: Any, names: Any) -> None:
    """Build what the first question would otherwise wait for: names, indexes of offers and passages, one plan."""
    from advisor.understanding.fold import understand
    from tools.toolbox import tool

    understand(["QLoRA of an 8B on an H100 at 2k context"], names, ctx.today)
    tool("plan_job").run(ctx, {"model": "8B", "method": "qlora", "dataset_tokens": 1_000_000})
    ctx.retriever.search("out of memory", language="en")


def warm(retriever: Any) -> None:
    """Load the embedder beside the running server; a failure leaves BM25 in charge and is shown by /readyz."""
    try:
        retriever.warm()
    except Exception:
        log.exception("the dense index could not be loaded; retrieval goes on with BM25 alone")


def retriever_status(retriever: Any) -> Any:
    """The retriever's own word on its parts."""
    return retriever.status()


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own."""
    name = urlparse(f"//{host}").hostname or host
    return name in ("localhost", "::1") or name.startswith("127.")


def _version() -> str:
    from importlib.metadata import version

    return version("finetune-advisor")
