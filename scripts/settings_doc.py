"""Write `docs/settings.md` from the settings' definition."""

from __future__ import annotations

from pathlib import Path

from advisor.settings import settings_table

TARGET = Path(__file__).parent.parent / "docs" / "settings.md"
INTRODUCTION = """\
# Settings

Made from their definition by `make docs`; do not edit. Settings are environment variables, and none of them is needed:
the defaults use no account, no key and no network. `advisor serve --help` lists them too.
"""


def document() -> str:
    """The whole file."""
    rows = [f"| `{name}` | {f'`{default}`' if default else 'none'} | {meaning} |" for name, default, meaning in settings_table()]
    return "\n".join([INTRODUCTION, "| variable | default | meaning |", "| --- | --- | --- |", *rows]) + "\n"


def main() -> None:
    """Write the file."""
    TARGET.write_text(document(), encoding="utf-8")
    print(f"wrote docs/{TARGET.name}")


if __name__ == "__main__":
    main()
