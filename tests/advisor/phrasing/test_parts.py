"""Parts of answers: spot, comparisons, bills, providers, German clauses, length."""

from __future__ import annotations

from datetime import date

import pytest

from advisor.answer import ToolResult
from advisor.phrasing.compose import compose
from advisor.phrasing.escape import quoted
from advisor.phrasing.german import in_language
from advisor.phrasing.grounding import check
from advisor.phrasing.quotes import sentences
from advisor.phrasing.sections import Section, fitted
from tests.advisor.phrasing.samples import asked, memory
from tools.arguments import ExperimentArguments, ProviderArguments, SpotArguments
from tools.cards import provider_card
from tools.context import Context
from tools.cost.experiments import experiment_bills
from tools.cost.spot import spot_against_on_demand


def test_spot_is_told_by_what_it_saves_and_what_an_interruption_costs(ctx: Context, today: date) -> None:
    arguments = {"hours": 10, "interruptions": 2, "checkpoint_interval_minutes": 20, "restart_minutes": 5}
    arguments |= {"spot_usd_per_hour": 0.8, "on_demand_usd_per_hour": 2.0}
    result = spot_against_on_demand(ctx, SpotArguments.model_validate(arguments)).model_dump(mode="json")
    results = [ToolResult(tool="spot_economics", arguments=arguments, result=result)]
    for language, words in (("en", ("Spot is cheaper", "15 min", "last checkpoint")), ("de", ("Spot ist um", "15 min", "Checkpoint"))):
        draft = compose(asked("spot", language, hours=10.0), results, today=today)
        assert all(word in draft.text for word in words)
        assert check(draft.text, results, draft.citations, "") == []


@pytest.mark.parametrize(
    ("slots", "said"),
    [
        pytest.param({"resume": False}, "Not without resume", id="no-resume"),
        pytest.param({"deadline": "noon"}, "On-demand is no guarantee", id="deadline"),
        pytest.param({}, "last checkpoint", id="the-rule"),
    ],
)
def test_when_spot_is_wise_depends_on_the_run(slots: dict[str, object], said: str, today: date) -> None:
    assert said in compose(asked("spot", **slots), [], today=today).text


def test_short_runs_are_billed_by_step(ctx: Context, today: date) -> None:
    arguments = {"runs": 5, "run_minutes": 10}
    result = experiment_bills(ctx, ExperimentArguments.model_validate(arguments)).model_dump(mode="json")
    results = [ToolResult(tool="bill_experiments", arguments=arguments, result=result)]
    draft = compose(asked("billing", runs=5, run_minutes=10.0), results, today=today)
    assert "per hour" in draft.text
    assert "5.0 h" in draft.text
    assert check(draft.text, results, draft.citations, "") == []


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("intent", ["storage", "billing", "spot", "environment", "general"])
def test_provider_records_are_shown_with_their_source_and_unknown_as_unknown(ctx: Context, intent: str, language: str, today: date) -> None:
    for provider in ctx.catalog.providers()[:12]:
        card = provider_card(ctx, ProviderArguments(provider=provider.id).provider).model_dump(mode="json")
        results = [ToolResult(tool="describe_provider", arguments={"provider": provider.id}, result=card)]
        draft = compose(asked(intent, language, provider=provider.id), results, today=today)
        assert check(draft.text, results, draft.citations, "") == []
        assert any(citation.id == f"provider:{provider.id}" for citation in draft.citations)


def test_how_many_cards_is_answered_with_a_number(today: date) -> None:
    job = {"parameters_billion": 40.0, "method": "full", "accelerator": "H100 SXM 80GB"}
    tried = [memory(job | {"accelerator_count": n}, peak=(600 / n, 640 / n, 700 / n), usable=79) for n in (8, 16)]
    search = ToolResult(tool="search_knowledge", arguments={}, result={"passages": []})
    results = [memory(job, peak=(600, 640, 700), usable=79), search, *tried]
    draft = compose(asked("fit_check", parameters_billion=40.0, method="full", accelerator="H100"), results, today=today)
    assert draft.text.startswith("**It takes 16× H100 SXM 80GB.**")
    assert draft.verdict is not None
    assert draft.verdict.accelerator_count == 16


@pytest.mark.parametrize(
    ("english", "german"),
    [
        pytest.param("short by 1.5 GiB per card", "es fehlen 1,5 GiB pro Karte", id="figures-take-the-german-form"),
        pytest.param("Prices exclude VAT.", "Preise ohne Mehrwertsteuer.", id="a-warning"),
        pytest.param("a clause nobody translated", "a clause nobody translated", id="unknown-clauses-stay"),
    ],
)
def test_clauses_of_tools_are_said_in_german(english: str, german: str) -> None:
    assert in_language(english, "de") == german
    assert in_language(english, "en") == english


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        pytest.param("<script>x</script>", "&lt;script&gt;x&lt;/script&gt;", id="html"),
        pytest.param("<!channel> a", "&lt;!channel&gt; a", id="slack"),
        pytest.param("a|b*c`", "a\\|b\\*c\\`", id="markdown"),
        pytest.param("key sk-abcdefghijklmnop", "key …", id="a-key"),
        pytest.param("5500 0000 0000 0004", "…", id="a-card-number"),
        pytest.param("a\u202eb\x00c", "a b c", id="control-characters"),
    ],
)
def test_words_of_others_are_harmless(words: str, kept: str) -> None:
    assert quoted(words) == kept


def test_what_ranks_last_gives_way_first_and_tables_lose_rows_before_they_go() -> None:
    table = "|a|\n|---|\n" + "\n".join(f"|row {n} with some words|" for n in range(6))
    text = fitted([Section(0, "verdict first"), Section(3, table), Section(5, "an aside of six words here")], cap=24)
    assert text.startswith("verdict first")
    assert "aside" not in text
    assert "row 1" in text
    assert "row 5" not in text


def test_sentences_of_a_passage_leave_headings_tables_and_code_out() -> None:
    text = "## Head\nFirst one. Second, e.g. this one.\n\n|a|b|\n|---|---|\n- An item here\n```\ncode\n```"
    assert sentences(text) == ["First one.", "Second, e.g. this one.", "An item here"]
