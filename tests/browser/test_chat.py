"""The main job in a real browser: ask, read the answer, change a value, take the plan along."""

from __future__ import annotations

import csv
import json
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import OpenPage, Server
from tests.browser.talk import answers, ask, photograph, tab, wait_for_answer

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLANNING = "I want to QLoRA fine-tune Llama 3.3 70B on 5M tokens at 2k context, EU only, what should I rent?"
FIT_IN_GERMAN = "Passt ein volles Feintuning von einem 8B auf eine H100? Und wenn ich vier nehme?"


def test_planning_shows_verdict_range_offers_and_sources(page: Page) -> None:
    answer = ask(page, PLANNING)
    assert re.search(r"\d GiB \(\d+(\.\d)?–\d+(\.\d)?\)", answer), answer
    assert re.search(r"\b(weights|gradients|activations)\b", answer, re.IGNORECASE), answer
    assert page.locator("#conversation .message.bot table").count() >= 2, "breakdown and offers are tables"
    assert re.search(r"20\d\d-\d\d-\d\d", answer), "every price has its date"
    assert re.search(r"on.demand|spot", answer, re.IGNORECASE)
    assert "[1]" in answer
    assert "Llama-3.3-70B" in page.locator("#control-model input").input_value()
    assert page.locator("#control-region textarea, #control-region input").first.input_value() == "EU"
    page.set_viewport_size({"width": 1360, "height": 1180})
    photograph(page, "chat")


def test_german_question_with_two_counts_and_a_follow_up_that_keeps_the_rest(open_page: OpenPage) -> None:
    page = open_page(locale="de-DE")
    expect(page.get_by_role("tab", name="Verstanden")).to_be_visible()
    first = ask(page, FIT_IN_GERMAN)
    assert "GiB" in first
    assert re.search(r"\b(passt|nicht)\b", first)
    ask(page, "Und mit LoRA statt voll, bei 4k Kontext?")
    assert page.locator("#control-method input").input_value() == "lora"
    assert page.locator("#control-sequence_length input").input_value() == "4096"
    assert "H100" in page.locator("#control-accelerator input").input_value()
    expect(page.locator("#control-sequence_length")).to_contain_text("genannt")
    expect(page.locator("#control-optimizer")).to_contain_text("angenommen")
    photograph(page, "follow-up-de")


def test_a_changed_control_recomputes_and_says_what_moved_and_can_be_undone(page: Page) -> None:
    ask(page, "LoRA on Qwen2.5 14B with 2k context on an A40, does that fit?")
    context = page.locator("#control-sequence_length input")
    context.fill("8192")
    context.press("Enter")
    answer = wait_for_answer(page, 2)
    assert re.search(r"Changed: Context length, tokens: 2,048 → 8,192\. memory [\d.]+ GiB → [\d.]+ GiB", answer), answer
    expect(page.locator("#conversation .message.user").last).to_contain_text("⚙ Context length, tokens: 8192")
    photograph(page, "control")
    page.locator("#reset").click()
    answer = wait_for_answer(page, 3)
    assert "8,192 → 2,048" in answer
    assert context.input_value() == "2048"


def test_an_impossible_value_is_said_and_changes_nothing(page: Page) -> None:
    ask(page, "LoRA on Qwen2.5 14B with 2k context on an A40, does that fit?")
    count = page.locator("#control-accelerator_count input")
    count.fill("-3")
    count.press("Enter")
    expect(answers(page).last).to_contain_text("cannot be -3", timeout=20_000)
    expect(count).to_have_value("1")


def test_a_marker_opens_its_passage_with_source_and_date(page: Page) -> None:
    ask(page, "What happens to my data on a RunPod pod when I stop it?")
    page.locator("#conversation a[href*='#source-1-']").first.click()
    passage = page.locator("#sources details[open]")
    expect(passage).to_be_visible(timeout=5_000)
    assert re.search(r"https?://|\d{4}-\d\d|unknown", passage.inner_text()), passage.inner_text()
    photograph(page, "sources")


def test_pictures_and_offers_belong_to_the_answer(page: Page) -> None:
    ask(page, PLANNING)
    tab(page, "pictures")
    for name in ("memory", "context", "plans"):
        expect(page.locator(f"#picture-{name} .marks").first).to_be_visible(timeout=15_000)
    photograph(page, "pictures")
    tab(page, "offers")
    offers = page.locator("#offers")
    expect(offers.get_by_role("grid")).to_contain_text(re.compile(r"20\d\d-\d\d-\d\d"))
    expect(page.locator("#order a[href^='https://']").first).to_be_visible()
    photograph(page, "offers")


def test_the_plan_can_be_taken_along_as_json_csv_and_markdown(page: Page) -> None:
    ask(page, PLANNING)
    tab(page, "take")
    texts = {}
    for name in ("json", "csv", "markdown"):
        with page.expect_download() as download:
            page.locator(f"#take-{name}").click()
        assert download.value.suggested_filename.startswith("plan-Llama-3.3-70B")
        texts[name] = download.value.path().read_text(encoding="utf-8")
    record = json.loads(texts["json"])
    rows = list(csv.DictReader(texts["csv"].splitlines()))
    assert [row["instance"] for row in rows] == [plan["offer"]["instance"] for plan in record["plans"]]
    assert all(row["price_as_of"] and row["price_source"] for row in rows)
    assert "GiB" in texts["markdown"]


def test_a_question_can_be_asked_again_and_edited(page: Page) -> None:
    ask(page, "Does LoRA on Mistral 7B with 2k context fit an RTX 4090?")
    ask(page, "And QLoRA?")
    page.get_by_role("button", name=re.compile("retry", re.IGNORECASE)).last.click()
    wait_for_answer(page, 2)
    assert page.locator("#control-method input").input_value() == "qlora"
    page.get_by_role("button", name=re.compile("edit", re.IGNORECASE)).first.click()
    box = page.locator("#conversation textarea").first
    box.fill("Does LoRA on Mistral 7B with 2k context fit an RTX 3090?")
    page.get_by_role("button", name=re.compile("submit", re.IGNORECASE)).first.click()
    wait_for_answer(page, 1)
    assert "3090" in page.locator("#control-accelerator input").input_value()


def test_follow_up_chips_keep_the_configuration(page: Page) -> None:
    ask(page, PLANNING)
    page.locator("#conversation .options button, #conversation .option").first.click()
    wait_for_answer(page, 2)
    assert "Llama-3.3-70B" in page.locator("#control-model input").input_value()


def test_a_starter_question_is_answered_in_the_language_of_the_page(page: Page) -> None:
    page.locator("#language label", has_text="Deutsch").click()
    expect(page.get_by_role("tab", name="Verstanden")).to_be_visible()
    page.locator("#conversation button", has_text="Spot oder On-Demand").click()
    answer = wait_for_answer(page, 1)
    assert re.search(r"\b(Stunden|Spot|lohnt|Unterbrechung)", answer)


def test_a_dropped_log_joins_the_question(page: Page) -> None:
    log = "RuntimeError in train.py: the device has no memory left (cudaErrorMemoryAllocation)\n" * 400
    page.locator("#ask input[type=file]").set_input_files({"name": "run.log", "mimeType": "text/plain", "buffer": log.encode()})
    page.wait_for_timeout(800)
    answer = ask(page, "LoRA on Llama 3.1 8B, batch 4, 4096 tokens on a 4090: why?")
    assert "GiB" in answer


def test_rubbish_is_answered_in_a_friendly_line_and_html_stays_text(page: Page) -> None:
    alerts: list[str] = []
    page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    answer = ask(page, "<img src=x onerror=alert(1)> ';;-- \x07 qwertz <script>alert(2)</script>")
    assert answer.strip()
    assert not alerts
    assert page.locator("#conversation img[onerror]").count() == 0


def test_new_chat_forgets(page: Page) -> None:
    ask(page, "LoRA on Qwen2.5 14B with 4k context on an A40, does that fit?")
    page.locator("#new").click()
    expect(page.locator("#conversation .message")).to_have_count(0)
    ask(page, "And with 8k context?")
    assert "Qwen2.5-14B" not in page.locator("#control-model input").input_value()


def test_a_reload_and_a_killed_server_lose_nothing_that_was_answered(page: Page, server: Server) -> None:
    ask(page, "LoRA on Qwen2.5 14B with 4k context on an A40, does that fit?")
    server.kill()
    server.start()
    page.reload()
    expect(page.locator("#conversation .message.user")).to_have_count(1, timeout=30_000)
    expect(answers(page).last).to_contain_text("GiB")
    ask(page, "And with 8k context?")
    assert "Qwen2.5-14B" in page.locator("#control-model input").input_value()


def test_a_question_that_a_killed_server_left_open_is_named(page: Page) -> None:
    page.evaluate("sessionStorage.setItem('advisor.pending', 'Does a 7B fit an L4?')")
    page.reload()
    expect(answers(page).last).to_contain_text("Does a 7B fit an L4?", timeout=30_000)
    expect(answers(page).last).to_contain_text("Ask again")


def test_two_tabs_are_two_conversations(page: Page) -> None:
    ask(page, "LoRA on Qwen2.5 14B with 4k context on an A40, does that fit?")
    other = page.context.new_page()
    other.goto(page.url, wait_until="load")
    other.wait_for_selector("#ask textarea")
    other.wait_for_timeout(600)
    expect(other.locator("#conversation .message")).to_have_count(0)
