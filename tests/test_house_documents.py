"""Documents that are made from the code say what the code says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts import readme_examples, settings_doc
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


README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("arguments", readme_examples.commands(README), ids=" ".join)
def test_every_example_of_the_readme_runs(arguments: list[str]) -> None:
    assert readme_examples.printed(arguments)


def test_the_readme_has_examples() -> None:
    assert len(list(readme_examples.commands(README))) >= 3


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/tools.md", "docs/settings.md"])
def test_every_file_a_document_links_to_is_there(name: str) -> None:
    document = ROOT / name
    linked = re.findall(r"\]\((?!https?:|#)([^)#]+)", document.read_text(encoding="utf-8"))
    assert not [link for link in linked if not (document.parent / link).exists()]


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md"])
def test_every_make_target_a_document_names_exists(name: str) -> None:
    targets = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:`|^    )make ([a-z][a-z-]+)", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)) <= targets
