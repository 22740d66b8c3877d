"""Facts of providers: each with source and date, unknown said as unknown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from knowledge.provider_facts import ProviderFact, provider_records
from knowledge.tables import DATA, read_jsonl
from tools.arguments import OfferArguments
from tools.cards import PROVIDER_FACTS, provider_card
from tools.context import Context
from tools.errors import BrokenData
from tools.offer import OfferQuery
from tools.offers import offers_matching
from tools.plan.features import FEATURES
from tools.provider import Provider

FACTS = read_jsonl(DATA / "provider_facts.jsonl", ProviderFact)


def test_every_fact_can_be_looked_up() -> None:
    assert len(FACTS) > 100
    assert all("https://" in fact.source for fact in FACTS)
    assert all(re.fullmatch(r"20\d\d-\d\d-\d\d", fact.as_of) for fact in FACTS)


def test_no_fact_is_given_twice() -> None:
    cells = [(fact.provider, fact.field) for fact in FACTS]
    assert len(cells) == len(set(cells))


def test_a_fact_says_something() -> None:
    assert [fact for fact in FACTS if fact.value in (None, "", "unknown", [])] == []


def test_every_cell_of_a_record_leads_to_a_source() -> None:
    for record in provider_records():
        for field in PROVIDER_FACTS:
            value = getattr(record, field)
            if value not in (None, "unknown", ()):
                where = record.source_of(field)
                assert where.source != "unknown", f"{record.id}.{field} = {value}"
                assert where.as_of != "unknown", f"{record.id}.{field} = {value}"


def test_a_looked_up_cell_has_its_own_source_and_the_record_names_it() -> None:
    (record,) = [each for each in provider_records() if each.id == "nebius"]
    notice = record.source_of("interruption_notice_seconds")
    assert "preemptible" in notice.source
    assert notice.source in record.source
    assert record.source_of("hq_country").source != notice.source


def test_what_nobody_states_is_said_as_unknown(ctx: Context) -> None:
    for record in ctx.catalog.providers():
        unknown = provider_card(ctx, record.id).unknown
        assert ("certificates" in unknown) == (not record.certificates)
        assert ("payment on invoice" in unknown) == (record.invoice == "unknown")


@pytest.mark.parametrize(
    ("features", "provider", "other"),
    [
        (["persistent_storage", "free_egress", "per_second_billing"], "runpod", "aws"),
        (["stops_when_stopped"], "aws", "vultr"),
        (["bsi_c5"], "azure", "runpod"),
        (["iso_27001"], "scaleway", "runpod"),
        (["data_processing_agreement"], "ovh", "vast"),
    ],
)
def test_offers_by_what_their_provider_grants(ctx: Context, features: list[str], provider: str, other: str) -> None:
    found = offers_matching(ctx, OfferArguments(features=features, limit=500))  # type: ignore[arg-type]  # names of features
    assert found.matched
    sellers = {offer.provider for offer in found.offers}
    assert provider in sellers | {o.provider for o in ctx.catalog.offers(OfferQuery(providers=(provider,))) if found.matched > 500}
    assert other not in sellers


def test_unknown_passes_no_feature() -> None:
    blank = Provider(id="x", display_name="X")
    assert [name for name, test in FEATURES.items() if test(blank)] == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"provider": "nobody", "field": "ssh", "value": "yes"', r"\.jsonl:1: there is no ssh of nobody"),
        ('{"provider": "aws", "field": "colour", "value": "red"', r"\.jsonl:1: there is no colour of aws"),
        ('{"provider": "aws", "field": "ssh", "value": "perhaps"', "aws: ssh"),
    ],
)
def test_a_broken_fact_is_told(tmp_path: Path, line: str, told: str) -> None:
    (tmp_path / "providers.jsonl").write_bytes((DATA / "providers.jsonl").read_bytes())
    (tmp_path / "provider_facts.jsonl").write_text(line + ', "source": "s", "as_of": "2026-01-01"}\n', encoding="utf-8")
    with pytest.raises(BrokenData, match=told):
        provider_records(tmp_path)
