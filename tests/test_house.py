"""The house: layout, dependency rule, words that must not appear."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("tools", "knowledge", "advisor", "ui")
HEAVY = (
    "torch",
    "transformers",
    "gradio",
    "chromadb",
    "langchain",
    "langchain_core",
    "langgraph",
    "sentence_transformers",
    "fastapi",
    "fastmcp",
    "mcp",
    "openai",
    "numpy",
)
LONGEST = 300
FORBIDDEN_NAMES = {"models.py", "utils.py", "helpers.py"}

# Spelled in parts, so that this file does not hold what it looks for.
REGISTRY_HOSTS = ["py" + "pi.org", "pythonhosted" + ".org", "deb.deb" + "ian.org", "registry.npm" + "js.org", "mirror" + "s.aliyun"]
WORKPLACE = ["/wo" + "rk/", "shar" + "ed/", "/ro" + "ot/"]
QUESTION_FILE = "../shar" + "ed/data/dev_questions.jsonl"


def committed_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


PYTHON_FILES = [path for path in committed_files() if path.suffix == ".py"]
PLAIN_FILES = [path for path in committed_files() if path.suffix in {".py", ".md", ".toml", ".txt", ".yaml", ".yml", ".cfg", ".sh", ""}]


def test_the_dependency_rule_holds() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("folder", [*PACKAGES, "tests", "scripts"])
def test_no_file_is_longer_than_300_lines(folder: str) -> None:
    long = {
        str(path.relative_to(ROOT)): lines
        for path in PYTHON_FILES
        if path.is_relative_to(ROOT / folder) and (lines := len(text_of(path).splitlines())) > LONGEST
    }
    assert not long


def test_every_module_of_the_packages_says_what_it_holds() -> None:
    silent = [
        str(path.relative_to(ROOT))
        for path in PYTHON_FILES
        if path.relative_to(ROOT).parts[0] in PACKAGES and not text_of(path).startswith('"""')
    ]
    assert not silent


def test_no_module_has_a_name_without_a_noun() -> None:
    assert not [path for path in PYTHON_FILES if path.name in FORBIDDEN_NAMES]


@pytest.mark.parametrize("host", REGISTRY_HOSTS)
def test_no_file_names_a_registry(host: str) -> None:
    assert not [str(path.relative_to(ROOT)) for path in PLAIN_FILES if host in text_of(path)]


@pytest.mark.parametrize("word", WORKPLACE)
def test_no_file_names_a_place_outside_the_repository(word: str) -> None:
    naming = [
        str(path.relative_to(ROOT))
        for path in PLAIN_FILES
        if re.search(rf"(?<![\w.]){re.escape(word)}", text_of(path).replace(QUESTION_FILE, ""))
    ]
    assert not naming


def test_the_only_wheel_index_named_is_pytorchs_in_the_set_up() -> None:
    index = "download.pytorch" + ".org"
    assert [path.name for path in PLAIN_FILES if index in text_of(path)] == ["setup_env.py"]


def modules_after(statement: str) -> set[str]:
    code = f"import sys, json\n{statement}\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout.splitlines()[-1]))


@pytest.mark.parametrize(
    "statement",
    [
        pytest.param("import ui.cli", id="import"),
        pytest.param("from ui.cli import main; assert main(['version']) == 0", id="version"),
        pytest.param("from ui.cli import main; assert main(['--help']) == 0", id="help"),
        pytest.param(
            "from ui.cli import main; assert main(['estimate-memory', '--model', '7B', '--method', 'qlora', '--json']) == 0",
            id="estimate-memory",
        ),
        pytest.param(
            "from ui.cli import main; assert main(['plan-job', '--model', '7B', '--method', 'lora', '--json']) == 0", id="plan-job"
        ),
        pytest.param("from ui.cli import main; assert main(['find-offers', '--accelerator', 'H100', '--json']) == 0", id="find-offers"),
    ],
)
def test_the_command_line_works_without_heavy_libraries(statement: str) -> None:
    assert not modules_after(statement) & set(HEAVY)


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_opens_nothing_heavy(package: str) -> None:
    assert not modules_after(f"import {package}") & set(HEAVY)
