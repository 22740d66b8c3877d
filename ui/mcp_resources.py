"""Guide and catalog as MCP resources: what an agent may read without calling a tool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

from fastmcp import FastMCP
from fastmcp.exceptions import ResourceError
from fastmcp.resources import TextResource

from advisor.failures import error_record
from knowledge.guide_files import Article, articles
from knowledge.prices.status import catalog_status
from tools.context import Context
from tools.toolbox import tool
from ui.json_text import to_json

JSON, MARKDOWN = "application/json", "text/markdown"
OFFERS = 100
"""Offers of a card in one resource; `find_offers` filters all of them."""


def add_resources(server: FastMCP, open_context: Callable[[], Context], today: Callable[[], date], data_dir: Path | None) -> None:
    """Every article of the guide, the lists of the catalog, its state, and the offers of a card."""
    for article in articles():
        server.add_resource(article_resource(article))

    def listed(name: str, title: str, read: Callable[[Context], Any]) -> None:
        @server.resource(f"catalog://{name}", name=name, title=title, mime_type=JSON)
        def resource() -> str:
            return told(lambda: to_json(read(open_context())))

    listed("accelerators", "Accelerators with memory, peaks and links", lambda ctx: ctx.catalog.accelerators())
    listed("providers", "Providers with storage, billing and seat", lambda ctx: ctx.catalog.providers())
    listed("models", "Architectures of the registry", lambda ctx: ctx.models.models())
    listed("status", "Age of the prices, and what the last refresh kept back", lambda _: catalog_status(today(), data_dir))

    @server.resource("catalog://offers/{accelerator}", name="offers", title="Offers of a card, cheapest first", mime_type=JSON)
    def offers(accelerator: str) -> str:
        """Up to a hundred dated offers of an accelerator, by any of its names."""
        return told(lambda: to_json(tool("find_offers").run(open_context(), {"accelerator": accelerator, "limit": OFFERS})))


def article_resource(article: Article) -> TextResource:
    """An article as Markdown under `guide://<language>/<id>`, its sources at the end."""
    return TextResource(
        uri=f"guide://{article.language}/{article.id}",
        name=f"guide-{article.language}-{article.id}",
        title=article.title,
        description=f"Guide, {article.language}: {article.title}",
        mime_type=MARKDOWN,
        text="\n".join(article_lines(article)),
    )


def article_lines(article: Article) -> Iterable[str]:
    """Title, passages with their ids, sources and date."""
    yield f"# {article.title}\n"
    for chunk in article.chunks:
        yield f"## {chunk.title.removeprefix(f'{article.title}: ')}\n\n{chunk.text}\n\n`{chunk.id}`\n"
    yield f"Sources ({article.as_of}): {article.source}"


def told(read: Callable[[], str]) -> str:
    """What `read` returns. Raises ResourceError with the text of the fault, or with the id of a logged bug."""
    try:
        return read()
    except Exception as error:
        record = error_record(error)
        raise ResourceError(f"Error ({record['code']}): {record['message']} {record['hint']}".strip()) from None
