"""What every test shares: no network but loopback, a data folder of its own, a frozen day."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date

import pytest

from tools.context import Context

os.environ.update(
    HF_HUB_OFFLINE="1",
    TRANSFORMERS_OFFLINE="1",
    ANONYMIZED_TELEMETRY="False",
    GRADIO_ANALYTICS_ENABLED="False",
    LANGSMITH_TRACING="false",
    LANGGRAPH_STRICT_MSGPACK="true",
)
for name in [name for name in os.environ if name.startswith("ADVISOR_") and name != "ADVISOR_SCREENSHOTS"]:
    del os.environ[name]

TODAY = date(2026, 11, 15)


@pytest.fixture(scope="session", autouse=True)
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A data folder for the whole run, so that no test touches the user's; a test that needs a fresh one sets its own."""
    folder = str(tmp_path_factory.mktemp("advisor-data"))
    os.environ["ADVISOR_DATA_DIR"] = folder
    yield folder
    os.environ.pop("ADVISOR_DATA_DIR", None)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The loop of asynchronous tests."""
    return "asyncio"


@pytest.fixture(scope="session")
def today() -> date:
    """The day on which all tests run."""
    return TODAY


@pytest.fixture(scope="session")
def ctx(today: date) -> Context:
    """The shipped data on the frozen day."""
    from knowledge.context import open_context

    return open_context(today=today)


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of the browser; without one the test is skipped, under CI it fails."""
    from scripts.chromium import ci, find_chromium

    path = find_chromium()
    if path is None:
        message = "No Chromium found: install `chromium`, or set CHROMIUM to its path."
        if ci():
            pytest.fail(message)
        pytest.skip(message)
    return path
