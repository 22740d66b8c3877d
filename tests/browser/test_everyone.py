"""The page for everyone: phone, keyboard, screen reader, dark mode, a slow network, many people at once."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from axe_core_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Server
from tests.browser.talk import TABS, ask, photograph, tab, wait_for_answer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

GRADIOS_OWN = {
    "button-name": "its toolbar's icons have an empty aria-label",
    "color-contrast": "labels of its radio buttons and placeholders",
    "nested-interactive": "the head of a collapsible message holds a button",
}
"""Rules that Gradio's own markup breaks wherever it is used; on what we render ourselves none is let off."""

OURS = "#sources section, #sources p, #conversation .message .prose, #conversation .message .md"
"""What we write ourselves: passages, and the text of questions and answers."""


def violations(page: Page, context: str | None = None) -> dict[str, list[str]]:
    """Rule -> the elements that break it."""
    options: dict[str, Any] = {"resultTypes": ["violations"]}
    found = Axe().run(page, context, options) if context else Axe().run(page, options=options)
    return {fault["id"]: [node["html"][:160] for node in fault["nodes"]] for fault in found["violations"]}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_what_we_render(open_page: OpenPage, scheme: str) -> None:
    page = open_page(scheme=scheme)
    ask(page, "What happens to my data on a RunPod pod when I stop it? And does LoRA of an 8B fit an L4?")
    tab(page, "sources")
    page.locator("#sources summary").first.click()
    photograph(page, f"sources-{scheme}")
    assert not violations(page, OURS)
    rest = {rule: nodes for rule, nodes in violations(page).items() if rule not in GRADIOS_OWN}
    assert not rest


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_a_phone_shows_everything_without_sideways_scrolling(open_page: OpenPage, locale: str) -> None:
    page = open_page(size="phone", locale=locale)
    answer = ask(page, "Full fine-tuning of Qwen2.5 7B on 2 H100, 4096 tokens, 20M tokens of data: cost?")
    assert "GiB" in answer or "USD" in answer
    photograph(page, f"phone-{locale}")
    for name in TABS:
        tab_button = page.get_by_role("tab", name=TABS[name].split("|")[locale == "de-DE"])
        if not tab_button.is_visible():  # the row of tabs keeps what does not fit in a menu
            page.locator(".overflow-menu button").first.click()
        page.get_by_role("button", name=TABS[name].split("|")[locale == "de-DE"], exact=True).or_(tab_button).first.click()
        page.wait_for_timeout(300)
        photograph(page, f"phone-{locale}-{name}")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 1, f"{name} is {wide} pixels too wide"


def test_the_keyboard_is_enough(page: Page) -> None:
    page.keyboard.type("Does QLoRA of Mistral 7B fit an RTX 3060 12GB?")  # the box has the focus from the start
    page.keyboard.press("Enter")
    wait_for_answer(page, 1)
    link = page.locator("#conversation a[href*='#source-1-']").first
    link.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#sources details[open] summary")).to_be_focused(timeout=5_000)


def test_stop_ends_an_answer_and_the_chat_goes_on(page: Page) -> None:
    box = page.locator("#ask textarea")
    box.fill("Which GPU should I rent for full fine-tuning of Llama 3.1 70B on 100M tokens?")
    box.press("Enter")
    stop = page.locator("#stop")
    try:
        stop.click(timeout=2_000)
    except Exception:  # the answer was faster than the click, which is as well
        wait_for_answer(page, 1)
    expect(stop).to_be_hidden(timeout=20_000)
    ask(page, "Does LoRA of an 8B fit an L4?")


def test_a_slow_network_shows_the_question_and_then_the_answer(open_page: OpenPage) -> None:
    page = open_page()
    session = page.context.new_cdp_session(page)
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 20_000},  # bytes a second: slow 3G
    )
    answer = ask(page, "Does LoRA of an 8B with 2k context fit an L4?")
    assert "GiB" in answer


def test_twenty_people_at_once_are_all_answered(server: Server) -> None:
    async def one(client: httpx.AsyncClient, number: int) -> str:
        question = f"Does LoRA of a {number + 3}B with 2k context fit an A100 80GB?"
        response = await client.post("/v1/answer", json={"question": question})
        response.raise_for_status()
        return str(response.json()["text"])

    async def everyone() -> list[str]:
        async with httpx.AsyncClient(base_url=server.address, timeout=60) as client:
            return await asyncio.gather(*(one(client, number) for number in range(20)))

    with ThreadPoolExecutor(1) as pool:  # a loop of its own: the browser's driver runs one in this thread
        texts = pool.submit(lambda: asyncio.run(everyone())).result(timeout=120)
    assert all("GiB" in text for text in texts)
    assert len(set(texts)) == 20, "each got the answer to their own question"


def test_a_long_conversation_stays_usable(page: Page) -> None:
    ask(page, "Does LoRA of Mistral 7B with 2k context fit an RTX 4090?")
    for turns, length in enumerate((1024, 3072, 4096, 5120, 6144, 7168, 8192), start=2):
        context = page.locator("#control-sequence_length input")
        context.fill(str(length))
        context.press("Enter")
        wait_for_answer(page, turns)
        expect(context).to_have_value(str(length), timeout=20_000)
    assert "Mistral-7B" in page.locator("#control-model input").input_value()
