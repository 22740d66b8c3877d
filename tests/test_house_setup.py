"""The set-up decides what to install, and when there is nothing left to do."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from scripts import chromium, setup_env

ROOT = Path(__file__).parent.parent


def pins() -> dict[str, str]:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line and not line.startswith("#"))


def test_every_direct_dependency_is_pinned() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {re.split(r"[^\w-]", text)[0].lower() for text in [*project["dependencies"], *project["optional-dependencies"]["dev"]]}
    assert names <= set(pins())


def test_pins_name_releases_that_every_machine_can_install() -> None:
    assert not {name: version for name, version in pins().items() if not re.fullmatch(r"[0-9][0-9.]*((b|post)\d+)?", version)}
    assert not [name for name in pins() if name.startswith(("torch", "nvidia", "triton"))]


@pytest.mark.parametrize(
    ("version", "kept"),
    [("2.13.0+cpu", True), ("2.13.0+cu130", True), ("2.14.1", True), ("2.6.0", True), ("2.5.1", False), ("1.13.1", False), (None, False)],
)
def test_an_installed_torch_is_kept_if_it_serves(version: str | None, kept: bool) -> None:
    assert setup_env.serves(version) is kept


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in setup_env.KEYED:
        target = tmp_path / name
        target.parent.mkdir(exist_ok=True)
        target.write_bytes((ROOT / name).read_bytes())
    (tmp_path / ".venv").mkdir()
    monkeypatch.setattr(setup_env, "ROOT", tmp_path)
    monkeypatch.setattr(setup_env, "VENV", tmp_path / ".venv")
    return tmp_path


def test_a_second_run_has_nothing_to_do(clone: Path) -> None:
    assert not setup_env.is_installed("run")
    setup_env.stamp("run").write_text(setup_env.key(), encoding="utf-8")
    assert setup_env.is_installed("run")
    assert not setup_env.is_installed("test")


def test_an_environment_for_the_tests_serves_the_application(clone: Path) -> None:
    setup_env.stamp("test").write_text(setup_env.key(), encoding="utf-8")
    assert setup_env.is_installed("run")


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_a_change_of_what_is_required_installs_again(clone: Path, name: str) -> None:
    setup_env.stamp("run").write_text(setup_env.key(), encoding="utf-8")
    with (clone / name).open("a", encoding="utf-8") as file:
        file.write("# changed\n")
    assert not setup_env.is_installed("run")


@pytest.mark.parametrize(("ci", "code"), [("true", 1), ("", 0)], ids=["a failure under CI", "one line elsewhere"])
def test_a_missing_chromium_is(ci: str, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(chromium, "find_chromium", lambda: None)
    monkeypatch.setattr(chromium, "may_install", lambda: False)
    assert chromium.ensure_chromium() == code
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_named_chromium_goes_first_and_must_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "browser"
    monkeypatch.setenv("CHROMIUM", str(browser))
    assert chromium.find_chromium() is None
    browser.touch()
    assert chromium.find_chromium() == str(browser)


def test_ci_runs_what_a_developer_runs() -> None:
    script = ROOT / ".ci" / "run"
    assert script.stat().st_mode & 0o111
    assert script.read_text(encoding="utf-8").rstrip().endswith("make test")
