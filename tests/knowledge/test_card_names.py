"""Accelerators by the names people give them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.card_names import parts
from tools.context import Context
from tools.errors import AmbiguousName, UnknownName

ONE = [
    ("a100 80g sxm", "A100 SXM 80GB"),
    ("A100-SXM4-80G", "A100 SXM 80GB"),
    ("NVIDIA A100-PCIE-40GB", "A100 PCIe 40GB"),
    ("H100SXM5", "H100 SXM 80GB"),
    ("NVIDIA H100 80GB HBM3", "H100 SXM 80GB"),
    ("h100 nvl", "H100 NVL 94GB"),
    ("H100 96GB HBM2e", "H100 SXM 96GB custom"),
    ("3090", "RTX 3090"),
    ("3090ti", "RTX 3090 Ti"),
    ("NVIDIA GeForce RTX 3090", "RTX 3090"),
    ("rtx4090 24g", "RTX 4090"),
    ("4090 D", "RTX 4090 D"),
    ("4070 ti super", "RTX 4070 Ti SUPER"),
    ("2080 Ti", "RTX 2080 Ti"),
    ("2080 Ti 22G", "RTX 2080 Ti modded 22GB"),
    ("A6000", "RTX A6000"),
    ("6000 ada", "RTX 6000 Ada"),
    ("Quadro RTX 6000", "Quadro RTX 6000"),
    ("RTX PRO 6000 Max-Q", "RTX PRO 6000 Blackwell Max-Q"),
    ("tesla t4", "T4"),
    ("L40", "L40"),
    ("L40S", "L40S"),
    ("A10", "A10"),
    ("A10G", "A10G"),
    ("V100 32 GB", "V100 32GB"),
    ("V100s", "V100S 32GB"),
    ("B200 192GB", "B200 180GB"),
    ("H20", "H20 96GB"),
    ("mi300x", "MI300X"),
    ("7900xtx", "RX 7900 XTX"),
    ("g5.12xlarge", "A10G"),
    ("p4d.24xlarge", "A100 SXM 40GB"),
    ("Standard_ND96isr_H100_v5", "H100 SXM 80GB"),
    ("GH200", "GH200 96GB"),
]

SEVERAL = [
    ("A100", {"A100 40GB", "A100 80GB", "A100 SXM 40GB", "A100 SXM 80GB", "A100 PCIe 40GB", "A100 PCIe 80GB"}),
    ("a100 80GB", {"A100 80GB", "A100 SXM 80GB", "A100 PCIe 80GB"}),
    ("A100 PCIe", {"A100 PCIe 40GB", "A100 PCIe 80GB"}),
    ("H100", {"H100 80GB", "H100 SXM 80GB", "H100 PCIe 80GB", "H100 NVL 94GB"}),
    ("V100", {"V100 16GB", "V100 32GB"}),
    ("RTX 3080", {"RTX 3080 10GB", "RTX 3080 12GB"}),
]


@pytest.mark.parametrize(("written", "id_"), ONE, ids=[written for written, _ in ONE])
def test_a_card_is_found_however_it_is_written(ctx: Context, written: str, id_: str) -> None:
    assert ctx.catalog.accelerator(written).id == id_


@pytest.mark.parametrize(("written", "ids"), SEVERAL, ids=[written for written, _ in SEVERAL])
def test_a_name_of_several_cards_gives_all_of_them(ctx: Context, written: str, ids: set[str]) -> None:
    assert {card.id for card in ctx.catalog.accelerator_candidates(written)} == ids


def test_rtx_6000_is_four_generations(ctx: Context) -> None:
    found = ctx.catalog.accelerator_candidates("RTX 6000")
    assert {card.architecture for card in found} == {"Turing", "Ampere", "Ada Lovelace", "Blackwell"}
    with pytest.raises(AmbiguousName):
        ctx.catalog.accelerator("RTX 6000")


@pytest.mark.parametrize("name", ["A100", "V100", "A100 PCIe"])
def test_a_name_that_leaves_the_memory_open_is_ambiguous(ctx: Context, name: str) -> None:
    with pytest.raises(AmbiguousName):
        ctx.catalog.accelerator(name)


@pytest.mark.parametrize(("name", "id_"), [("A100 80G", "A100 80GB"), ("H100", "H100 80GB"), ("h200", "H200 141GB")])
def test_a_name_that_leaves_only_the_form_open_means_the_slower_one(ctx: Context, name: str, id_: str) -> None:
    card = ctx.catalog.accelerator(name)
    assert (card.id, card.form_stated) == (id_, False)


@pytest.mark.parametrize("name", ["RTX 9090", "A100 64GB", "H100 12GB", "Voodoo 2", ""])
def test_an_unknown_card_is_said_to_be_unknown(ctx: Context, name: str) -> None:
    with pytest.raises(UnknownName):
        ctx.catalog.accelerator_candidates(name)


def test_every_card_answers_to_its_own_name(ctx: Context) -> None:
    for card in ctx.catalog.accelerators():
        assert ctx.catalog.accelerator(card.id) == card
        assert card in ctx.catalog.accelerator_candidates(card.id)


def test_every_alias_of_a_card_means_that_card(ctx: Context) -> None:
    for card in ctx.catalog.accelerators():
        for alias in card.aliases:
            assert ctx.catalog.accelerator(alias) == card, alias


@given(st.text(max_size=60))
def test_no_text_breaks_the_reader(text: str) -> None:
    assert parts(text) == parts(text.casefold())
