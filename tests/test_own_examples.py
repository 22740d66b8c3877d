"""Examples in code and tests are our own: none repeats a row of the question file the product is judged with."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
QUESTIONS = ROOT.parent / "shared" / "data" / "dev_questions.jsonl"
SHARED_AT_MOST = 0.5


def grams(text: str) -> set[tuple[str, ...]]:
    """4-grams of words; a text of fewer than four words has none and says nothing of its own."""
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[start : start + 4]) for start in range(len(words) - 3)}


def own_strings() -> Iterator[tuple[str, str]]:
    """(place, text) of every string literal in the product and its tests, and every line of its prose."""
    for folder in ("advisor", "knowledge", "tools", "ui", "tests"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node.value
    for folder in ("advisor", "knowledge", "docs"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".md", ".json", ".toml", ".yaml"):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    yield f"{path.relative_to(ROOT)}:{number}", line


@pytest.mark.skipif(not QUESTIONS.exists(), reason="the question file is not part of the project")
def test_no_example_repeats_a_row_of_the_question_file() -> None:
    rows = [json.loads(line) for line in QUESTIONS.read_text(encoding="utf-8").splitlines() if line.strip()]
    asked: dict[tuple[str, ...], str] = {}
    for row in rows:
        for text in [row.get("question") or "", *(turn["user"] or "" for turn in row.get("turns") or [])]:
            asked.update(dict.fromkeys(grams(text), row["id"]))
    copies = []
    for place, text in own_strings():
        own = grams(text)
        if len(own) >= 2 and len(own & asked.keys()) > SHARED_AT_MOST * len(own):
            copies.append(f"{place} repeats {asked[next(iter(own & asked.keys()))]}: {text[:80]!r}")
    assert not copies, "\n".join(copies)


def test_the_measure_tells_a_copy_from_a_text_of_our_own() -> None:
    asked = grams("which card do I need for tuning a small model on my own data")
    assert len(grams("which card do I need for tuning a small model") & asked) == len(
        grams("which card do I need for tuning a small model")
    )
    assert not grams("the weather in spring is mostly mild and dry") & asked
