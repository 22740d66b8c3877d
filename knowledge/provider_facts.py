"""Records of providers: the table, and over it single facts that were looked up one by one, each with source and date."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import ValidationError

from knowledge.tables import DATA, read_jsonl
from tools.base import Value
from tools.errors import BrokenData
from tools.provider import FactSource, Provider
from tools.toolspec import fault_text


class ProviderFact(Value):
    """One cell of a record."""

    provider: str
    """Provider id."""
    field: str
    """Field of the record."""
    value: Any
    """What it holds, as the record's schema has it."""
    source: str
    """Where it is stated."""
    as_of: str
    """Date of the source where it bears one, otherwise the day it was read."""


def provider_records(data: Path = DATA) -> list[Provider]:
    """Every record with its facts laid over it. Raises BrokenData naming the fact that does not fit."""
    records = {record.id: record for record in read_jsonl(data / "providers.jsonl", Provider)}
    facts: dict[str, list[ProviderFact]] = {}
    for number, fact in enumerate(read_jsonl(data / "provider_facts.jsonl", ProviderFact), start=1):
        if fact.provider not in records or fact.field not in Provider.model_fields:
            raise BrokenData(f"provider_facts.jsonl:{number}", f"there is no {fact.field} of {fact.provider}.")
        facts.setdefault(fact.provider, []).append(fact)
    return [with_facts(record, facts[id_]) if id_ in facts else record for id_, record in records.items()]


def with_facts(record: Provider, facts: list[ProviderFact]) -> Provider:
    """The record with single cells replaced, the source of each beside it. Raises BrokenData."""
    values = record.model_dump() | {fact.field: fact.value for fact in facts}
    values["cells"] = {fact.field: FactSource(source=fact.source, as_of=fact.as_of) for fact in facts}
    values["source"] = "; ".join(dict.fromkeys([*(fact.source for fact in facts), *record.source.split("; ")]))
    values["as_of"] = max([record.as_of, *(fact.as_of for fact in facts)], key=lambda day: (day != "unknown", day))
    try:
        return Provider.model_validate(values)
    except ValidationError as error:
        raise BrokenData("provider_facts.jsonl", f"{record.id}: {fault_text(error)}") from error
