"""A real server on loopback and a real Chromium."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Address of `advisor serve` on a free port, with a data folder of its own."""
    environment = {**os.environ, "ADVISOR_DATA_DIR": str(tmp_path_factory.mktemp("data"))}
    command = [str(Path(sys.executable).with_name("advisor")), "serve", "--port", "0"]
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        found = re.search(r"http://\S+", line)
        assert found, f"no address in {line!r}"
        yield found.group()
    finally:
        process.terminate()
        process.wait(timeout=20)


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium; under CI a missing one is a failure."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, server: str) -> Iterator[Page]:
    """The chat, loaded, with every error of the page's own scripts collected."""
    context = browser.new_context(viewport={"width": 1360, "height": 980}, locale="en-GB")
    page = context.new_page()
    page.goto(server, wait_until="load", timeout=60_000)  # never idle: the page keeps a heartbeat open
    page.wait_for_selector("#ask textarea", timeout=60_000)
    yield page
    context.close()
