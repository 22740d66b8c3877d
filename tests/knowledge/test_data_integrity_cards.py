"""Accelerator records: rates plausible for their generation, names unique, facts sourced."""

from __future__ import annotations

import pytest

from knowledge.names import normal
from knowledge.tables import DATA, read_jsonl
from tools.accelerator import Accelerator
from tools.provider import Provider
from tools.terms import Interconnect, Precision

CARDS = read_jsonl(DATA / "accelerators.jsonl", Accelerator)
PROVIDERS = read_jsonl(DATA / "providers.jsonl", Provider)
NVIDIA = [card for card in CARDS if card.vendor == "nvidia"]
by_id = pytest.mark.parametrize("card", CARDS, ids=lambda card: card.id)
nvidia_by_id = pytest.mark.parametrize("card", NVIDIA, ids=lambda card: card.id)


def ratio(card: Accelerator, above: Precision, below: Precision) -> float | None:
    high, low = card.dense_tflops.get(above), card.dense_tflops.get(below)
    return high / low if high and low else None


@nvidia_by_id
def test_16_bit_rate_is_twice_tf32_from_ampere_on(card: Accelerator) -> None:
    found = ratio(card, Precision.BF16, Precision.TF32)
    assert found is None or found == pytest.approx(2.0, rel=0.03)


@nvidia_by_id
def test_bf16_and_fp16_rates_agree(card: Accelerator) -> None:
    found = ratio(card, Precision.BF16, Precision.FP16)
    assert found is None or found == pytest.approx(1.0, rel=0.01)


@by_id
def test_fp8_rate_is_twice_the_16_bit_rate_at_most_four_times(card: Accelerator) -> None:
    found = ratio(card, Precision.FP8, Precision.BF16)
    assert found is None or 0.99 <= found <= 4.0


@pytest.mark.parametrize("card", [card for card in NVIDIA if card.int8_tops and card.architecture != "Pascal"], ids=lambda card: card.id)
def test_sparse_headline_figures_are_not_taken_for_dense_ones(card: Accelerator) -> None:
    """int8 is twice the 16-bit tensor rate with fp16 accumulation; a sparse figure in either column breaks that."""
    rate = card.fp16_accumulate_tflops or card.dense_tflops.get(Precision.FP16)
    assert rate
    assert card.int8_tops == pytest.approx(2 * rate, rel=0.03)


@nvidia_by_id
def test_compute_capability_decides_bf16_and_fp8(card: Accelerator) -> None:
    assert card.capability is not None
    assert card.supports_bf16 == (card.capability >= (8, 0))
    assert card.supports_fp8 == (card.capability >= (8, 9))


@by_id
def test_a_card_without_a_unit_has_no_rate_for_it(card: Accelerator) -> None:
    assert card.supports_bf16 or Precision.BF16 not in card.dense_tflops
    assert card.supports_fp8 or Precision.FP8 not in card.dense_tflops


@by_id
def test_usable_memory_is_a_little_less_than_the_label_in_binary_units(card: Accelerator) -> None:
    if card.usable_mib is None:
        assert card.usable_bytes == int(card.memory_label_gb * 1e9 * 0.95)
    else:
        assert 0.85 < card.usable_mib * 2**20 / (card.memory_label_gb * 2**30) <= 1.002


@by_id
def test_links_are_stated_or_unknown(card: Accelerator) -> None:
    if card.interconnect in {Interconnect.NVLINK, Interconnect.NVLINK_BRIDGE, Interconnect.XGMI}:
        assert card.link_gb_per_s
    if not card.form_stated:
        assert card.interconnect in {Interconnect.UNKNOWN, Interconnect.PCIE}


@by_id
def test_every_record_names_its_source_and_date(card: Accelerator) -> None:
    assert card.source != "unknown"
    assert card.as_of.startswith("20")
    assert card.verification


def test_no_alias_has_two_owners() -> None:
    owners: dict[str, set[str]] = {}
    for card in CARDS:
        for name in (card.id, *card.aliases):
            owners.setdefault(normal(name), set()).add(card.id)
    assert {name: ids for name, ids in owners.items() if len(ids) > 1} == {}


@pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.id)
def test_a_provider_says_what_it_knows_and_where_from(provider: Provider) -> None:
    assert provider.source.startswith(("https://", "package "))
    assert provider.as_of.startswith("20")
    tops = [tier.up_to_gb for tier in provider.egress_tiers]
    assert tops == sorted(tops, key=lambda top: float("inf") if top is None else top)
    assert all(top is None for top in tops[-1:]), "the last step has no upper end"
    assert provider.hq_country == "unknown" or len(provider.hq_country) == 2
