"""Architecture records: counts derived from dimensions agree with the published ones, exceptions are named in data."""

from __future__ import annotations

import pytest

from knowledge.registry import Registry
from knowledge.tables import DATA, read_csv, read_jsonl
from tools.architecture import ModelArchitecture
from tools.base import Value
from tools.parameters import explained_blocks, linear_modules, parameter_blocks
from tools.terms import ModelKind

MODELS = read_jsonl(DATA / "architectures.jsonl", ModelArchitecture)
LOW, HIGH = 0.97, 1.005
"""Biases, position tables and projectors may be missing; more than the published count may not be explained."""


class CountException(Value):
    """A family whose dimensions do not tell the whole count."""

    kind: ModelKind
    """Shape of the network."""
    family: str
    """Family of releases."""
    reason: str
    """What the dimensions leave out."""


EXCEPTIONS = {(row.kind, row.family): row.reason for row in read_csv(DATA / "count_exceptions.csv", CountException)}
COUNTED = [m for m in MODELS if m.published_parameters and (m.hidden_size or m.stages)]


def explained_share(model: ModelArchitecture) -> float:
    assert model.published_parameters
    return explained_blocks(model).total / model.published_parameters


@pytest.mark.parametrize("model", [m for m in COUNTED if (m.kind, m.family) not in EXCEPTIONS], ids=lambda model: model.id)
def test_dimensions_explain_the_published_count(model: ModelArchitecture) -> None:
    assert LOW <= explained_share(model) <= HIGH


def test_every_exception_is_needed_and_has_a_reason() -> None:
    needed = {(m.kind, m.family) for m in COUNTED if not LOW <= explained_share(m) <= HIGH}
    assert set(EXCEPTIONS) == needed
    assert all(len(reason) > 10 for reason in EXCEPTIONS.values())


def test_blocks_add_up_to_the_published_count() -> None:
    for model in MODELS:
        blocks = parameter_blocks(model)
        assert blocks.total == (model.published_parameters or blocks.total), model.id
        assert 0 <= blocks.linear <= blocks.total, model.id
        assert 0 <= blocks.active <= blocks.total, model.id


@pytest.mark.parametrize("model", [m for m in MODELS if m.num_experts and m.published_active_parameters], ids=lambda m: m.id)
def test_active_parameters_agree_with_the_published_ones(model: ModelArchitecture) -> None:
    assert parameter_blocks(model).active == pytest.approx(model.published_active_parameters, rel=0.001)


def test_shapes_are_possible() -> None:
    for model in MODELS:
        if model.num_key_value_heads and model.num_attention_heads:
            assert model.num_attention_heads % model.num_key_value_heads == 0, model.id
        assert model.num_experts_per_tok <= model.num_experts, model.id
        if model.num_hidden_layers:
            assert model.num_sliding_layers + model.num_linear_layers <= model.num_hidden_layers, model.id
            assert (model.num_encoder_layers or 0) < model.num_hidden_layers, model.id
        assert all(module.weights > 0 for module in linear_modules(model)), model.id


def test_every_record_names_its_source() -> None:
    assert [model.id for model in MODELS if model.source == "unknown"] == []


def test_no_alias_has_two_owners() -> None:
    registry = Registry(MODELS)
    twice = {}
    for model in MODELS:
        for name in (model.id, *model.aliases):
            if len(found := registry.find(name)) != 1:
                twice[name] = [m.id for m in found]
    assert twice == {}


def test_every_id_finds_itself() -> None:
    registry = Registry(MODELS)
    assert [m.id for m in MODELS if registry.model(m.id) != m] == []
