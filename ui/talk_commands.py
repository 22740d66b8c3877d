"""Commands that need the whole advisor: `ask`, `serve` and `mcp`."""

from __future__ import annotations

import sys
from typing import Any

import click

from ui.json_text import to_json


@click.command()
@click.argument("question")
@click.option("--json", "as_json", is_flag=True, help="Print the whole answer as JSON.")
@click.option("--conversation", default=None, help="Go on with this conversation.")
@click.option(
    "--language", type=click.Choice(["en", "de"]), default=None, help="Language of the answer; that of the question where left out."
)
@click.option("--currency", default=None, help="Currency of costs, as an ISO code.")
def ask(question: str, as_json: bool, conversation: str | None, language: str | None, currency: str | None) -> None:
    """Answer QUESTION (`-` reads it from standard input); `--conversation` goes on with an earlier one."""
    from advisor.service import open_advisor

    text = sys.stdin.read() if question == "-" else question
    with open_advisor() as advisor:
        answer = advisor.ask(text, conversation_id=conversation, language=language, currency=currency)
    if as_json:
        click.echo(to_json(answer, indent=2))
        return
    click.echo(answer.text)
    for citation in answer.citations:
        click.echo(f"{citation.marker} {citation.title} ({citation.source}, {citation.as_of})", err=True)
    click.echo(f'Go on with: advisor ask --conversation {answer.conversation_id} "..."', err=True)


class WithSettings(click.Command):
    """A command whose help lists the settings, read from their one definition."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Environment variables with default and meaning."""
        from advisor.settings import settings_table

        with formatter.section("Environment variables (default)"):
            formatter.write_dl([(f"{name} ({default or 'none'})", text) for name, default, text in settings_table()])


@click.command(cls=WithSettings)
@click.option("--host", default=None, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65_535), default=None, help="Port to listen on; 0 takes a free one.")
def serve(host: str | None, port: int | None) -> None:
    """Serve the browser chat at /, the API at /v1 and MCP at /mcp/."""
    from advisor.settings import load_settings
    from tools.errors import AdvisorError
    from ui.server import is_loopback
    from ui.server import serve as run

    given: dict[str, Any] = {name: value for name, value in (("host", host), ("port", port)) if value is not None}
    settings = load_settings(**given)
    if not is_loopback(settings.host):
        raise AdvisorError(
            f"{settings.host} can be reached from the network, and this version has no keys to guard it.",
            "Listen on 127.0.0.1 and reach it through an SSH tunnel.",
        )
    try:
        run(settings, announce=lambda address: click.echo(f"finetune-advisor answers at {address} (Ctrl-C stops it)"))
    except OSError as error:
        raise AdvisorError(
            f"Port {settings.port} cannot be used: {error.strerror}.", "Give another with --port, or 0 for a free one."
        ) from error


@click.command()
def mcp() -> None:
    """Serve the tools to one agent over MCP on standard input and output; docs/mcp.md has ready configurations."""
    from ui.mcp_server import run_stdio

    run_stdio()
