"""The command `advisor`. Nothing heavy is imported before the command that needs it runs.

Exit codes: 0 done, 1 a fault of the program, 2 wrong usage, 3 an error the user can mend (printed with a hint).
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from advisor.failures import error_record
from tools.errors import AdvisorError
from ui.json_text import to_json

OK, INTERNAL, USAGE, MENDABLE = 0, 1, 2, 3


class Tools(click.Group):
    """The program's own commands, and after them one for each tool."""

    TALK = ("ask", "serve", "mcp", "catalog", "dataset")
    """Commands of their own modules, which a tool's start must not pay for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Tools in the toolbox's order, then the rest."""
        from tools.toolbox import toolbox
        from ui.tool_commands import command_name

        return [*(command_name(spec.name) for spec in toolbox()), *self.TALK, *self.commands]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by name; underscores count as hyphens."""
        name = cmd_name.replace("_", "-")
        if name in self.commands:
            return self.commands[name]
        if name == "catalog":
            from ui.catalog_commands import catalog

            return catalog
        if name == "dataset":
            from ui.dataset_command import dataset

            return dataset
        if name in self.TALK:
            from ui import talk_commands

            return {"ask": talk_commands.ask, "serve": talk_commands.serve, "mcp": talk_commands.mcp}[name]
        from tools.toolbox import toolbox
        from ui.tool_commands import command_name, tool_command

        return next((tool_command(spec) for spec in toolbox() if command_name(spec.name) == name), None)


def open_context() -> Any:
    """The Context of the shipped data and of the user's own."""
    from advisor.data_dir import data_dir
    from knowledge.context import open_context as open_knowledge

    return open_knowledge(data_dir=data_dir())


def open_asker() -> Any:
    """What answers the questions of a batch; its conversations last as long as the run."""
    from advisor.service import open_advisor

    return open_advisor(ephemeral=True)


@click.group(cls=Tools, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
def cli() -> None:
    """Which cloud GPU to rent for fine-tuning a model: what fits, how long it runs, what the finished run costs."""


@cli.command(short_help="Answer JSON lines from a file or standard input.")
@click.argument("file", type=click.File("rb"))
@click.pass_obj
def batch(open_tools: Any, file: Any) -> None:
    """Answer JSON lines from FILE (`-` for standard input), one line each, in order.

    {"id", "tool", "arguments"} gives {"id", "result"}; {"id", "question"} gives {"id", "answer"}; {"id", "turns"} gives
    {"id", "answers"}. A line that cannot be answered gives {"id", "error"}, and the rest goes on.
    """
    from ui.batch import Batch

    for line in Batch(open_tools, open_asker).answers(file):
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


@cli.command()
def version() -> None:
    """Print the version."""
    from importlib.metadata import version as installed

    click.echo(f"finetune-advisor {installed('finetune-advisor')}")


@cli.command(short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of SHELL; `source` it, or save it where the shell looks for completions."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"No completion for {shell}.")
    click.echo(found(cli, {}, "advisor", "_ADVISOR_COMPLETE").source())


def main(arguments: Sequence[str] | None = None, *, opener: Any = open_context) -> int:
    """Run the command line; returns the exit code. `opener` opens the Context of the tools."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # there are none, and looking for them takes 20 ms
    set_up_log()
    try:
        code = cli.main(given, prog_name="advisor", obj=opener, standalone_mode=False)
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.Abort:
        click.echo("Stopped.", err=True)
        return INTERNAL
    except click.ClickException as error:
        error.show()
        return USAGE
    except BrokenPipeError:  # the reader closed the pipe, as `head` does
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123  # flushed at exit
        return OK
    except Exception as error:
        return report(error, as_json="--json" in given)
    return code if isinstance(code, int) else OK


def report(error: Exception, *, as_json: bool) -> int:
    """Tell an error: message and hint on standard error, and with `--json` the error object on standard output."""
    record = error_record(error)
    if as_json:
        click.echo(to_json({"error": record}, indent=2))
    click.echo(f"Error: {record['message']}", err=True)
    if record["hint"]:
        click.echo(record["hint"], err=True)
    return MENDABLE if isinstance(error, AdvisorError) else INTERNAL


def set_up_log() -> None:
    """Log to standard error, warnings and worse unless ADVISOR_LOG_LEVEL says otherwise."""
    level = os.environ.get("ADVISOR_LOG_LEVEL", "WARNING").upper()
    logging.basicConfig(level=level if level in logging.getLevelNamesMapping() else "WARNING", stream=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
