"""Documents that are made from the code say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

from scripts import settings_doc
from scripts.tools_doc import document
from tools.toolbox import toolbox

ROOT = Path(__file__).parent.parent


def test_docs_tools_is_what_make_docs_writes() -> None:
    assert (ROOT / "docs" / "tools.md").read_text(encoding="utf-8") == document(), "run `make docs`"


def test_docs_settings_is_what_make_docs_writes() -> None:
    assert (ROOT / "docs" / "settings.md").read_text(encoding="utf-8") == settings_doc.document(), "run `make docs`"


def test_docs_tools_names_every_argument_of_every_tool() -> None:
    text = document()
    for spec in toolbox():
        section = text.partition(f"### Arguments of {spec.name}\n")[2].partition("\n### ")[0]
        assert set(re.findall(r"^\| `(\w+)`", section, re.MULTILINE)) == {
            field.alias or name for name, field in spec.arguments.model_fields.items()
        }


def test_every_link_in_docs_tools_leads_somewhere() -> None:
    text = document()
    headings = {re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-") for line in text.splitlines() if line.startswith("#")}
    assert set(re.findall(r"\]\(#([\w-]+)\)", text)) <= headings
