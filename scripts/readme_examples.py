"""Fill the examples of README.md with what the commands print today.

An example is a block that starts with `$ advisor ...`; a comment `<!-- lines: N -->` before it keeps the first N lines.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
EXAMPLE = re.compile(r"<!-- lines: (\d+) -->\n```\n\$ (advisor [^\n]+)\n.*?```", re.DOTALL)


def commands(text: str) -> Iterator[list[str]]:
    """Arguments of every example."""
    for _, command in EXAMPLE.findall(text):
        yield shlex.split(command)[1:]


def printed(arguments: list[str]) -> list[str]:
    """Lines that a command prints. Raises RuntimeError where it fails."""
    import contextlib
    import io

    from ui.cli import main as advisor

    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        code = advisor(arguments)
    if code:
        raise RuntimeError(f"`advisor {shlex.join(arguments)}` ended with {code}")
    return output.getvalue().splitlines()


def filled(text: str) -> str:
    """The text with fresh examples."""

    def example(found: re.Match[str]) -> str:
        most, command = int(found[1]), found[2]
        lines = printed(shlex.split(command)[1:])
        shown = [*lines[:most], "..."] if len(lines) > most else lines
        return "\n".join([f"<!-- lines: {most} -->", "```", f"$ {command}", *(line.rstrip() for line in shown), "```"])

    return EXAMPLE.sub(example, text)


def main() -> None:
    """Write the file."""
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
    print(f"wrote {README.name}")


if __name__ == "__main__":
    main()
