"""A real server on loopback and a real Chromium."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

SIZES = {"desktop": {"width": 1360, "height": 980}, "phone": {"width": 360, "height": 740}}

OpenPage = Callable[..., Page]


class Server:
    """`advisor serve` as a process that can be killed and started again on the same port and data."""

    def __init__(self, data: Path) -> None:
        self.environment = {**os.environ, "ADVISOR_DATA_DIR": str(data)}
        self.port = 0
        self.address = ""
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start and wait for the address."""
        command = [str(Path(sys.executable).with_name("advisor")), "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://[^:]+:(\d+)", line)
        assert found, f"no address in {line!r}"
        self.address, self.port = found.group(), int(found[1])

    def kill(self) -> None:
        """As by kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(timeout=20)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of the page; a test that kills it starts it again."""
    server = Server(tmp_path_factory.mktemp("data"))
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """Chromium; under CI a missing one is a failure. Per module: its driver's event loop must not outlive the browser tests."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser, server: Server) -> Iterator[OpenPage]:
    """Open the chat in a browser of its own: `open_page(size, locale, scheme)`; its scripts must raise no error."""
    contexts = []
    faults: list[str] = []

    def opened(size: str = "desktop", locale: str = "en-GB", scheme: str = "light", path: str = "/") -> Page:
        context = browser.new_context(
            viewport=SIZES[size],  # type: ignore[arg-type]  # Playwright's TypedDict
            locale=locale,
            color_scheme=scheme,  # type: ignore[arg-type]  # a literal
            accept_downloads=True,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.goto(server.address + path, wait_until="load", timeout=60_000)  # never idle: the page keeps a heartbeat open
        page.wait_for_selector("#ask textarea" if path == "/" else "#compare", timeout=60_000)
        page.wait_for_timeout(600)  # the page's own load event sets language and conversation
        return page

    yield opened
    for context in contexts:
        context.close()
    ours = [fault for fault in faults if not re.search(r"net::ERR_(CONNECTION|INCOMPLETE)|[Cc]onnection", fault)]  # of a killed server
    assert not ours, ours


@pytest.fixture
def page(open_page: OpenPage) -> Page:
    """The chat on a desktop in English."""
    return open_page()
