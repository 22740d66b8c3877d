"""What a person does with the page."""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

TABS = {
    "understood": "Understood|Verstanden",
    "pictures": "Pictures|Bilder",
    "offers": "Offers|Angebote",
    "sources": "Sources|Quellen",
    "take": "Take away|Mitnehmen",
}


def answers(page: Page) -> Locator:
    """Finished and unfinished answers of the page."""
    return page.locator("#conversation .message.bot")


def wait_for_answer(page: Page, turns: int) -> str:
    """Wait until so many questions are answered; the last answer's text."""
    expect(page.locator("#conversation .message.user")).to_have_count(turns, timeout=60_000)
    expect(page.locator("#stop")).to_be_hidden(timeout=60_000)
    page.wait_for_function(  # a step that still runs is marked by an ellipsis
        """() => {
            const bots = document.querySelectorAll('#conversation .message.bot');
            return bots.length > 0 && !/^\\s*…/m.test(bots[bots.length - 1].innerText);
        }""",
        timeout=60_000,
    )
    page.wait_for_timeout(500)  # the last update of a stream replaces the messages once more
    return answers(page).last.inner_text()


def ask(page: Page, question: str) -> str:
    """Type, send, wait for the finished answer; its text."""
    turns = page.locator("#conversation .message.user").count()
    box = page.locator("#ask textarea")
    box.fill(question)
    box.press("Enter")
    return wait_for_answer(page, turns + 1)


def tab(page: Page, name: str) -> None:
    """Open one of the tabs beside the chat."""
    page.get_by_role("tab", name=re.compile(f"^({TABS[name]})$")).click()
    page.wait_for_timeout(300)


def photograph(page: Page, name: str) -> None:
    """A screenshot for people, where a folder for them is named."""
    if folder := os.environ.get("ADVISOR_SCREENSHOTS"):
        Path(folder).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=Path(folder) / f"{name}.png")
