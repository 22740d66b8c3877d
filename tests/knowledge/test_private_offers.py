"""The user's own machines and negotiated prices."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest

from knowledge.catalog import TableCatalog
from knowledge.context import open_context
from tools.arguments import OfferArguments, ProviderArguments
from tools.errors import BrokenData
from tools.offer import OfferQuery
from tools.offers import offers_matching
from tools.toolbox import describe_provider

HEADER = "region,instance,accelerator,accelerator_count,pricing_term,price_per_hour,currency,as_of,source,source_licence\n"
TODAY = date(2026, 11, 15)


def own(folder: Path, name: str, rows: str, header: str = HEADER) -> Path:
    (folder / "offers").mkdir(exist_ok=True)
    (folder / "offers" / f"{name}.csv").write_text(header + rows, encoding="utf-8")
    return folder


RACK = "cellar,node1,RTX 4090,4,on_demand,9.80,EUR,2026-11-01,our rack,own\n"


def test_own_machines_come_first_and_say_so(tmp_path: Path) -> None:
    ctx = open_context(today=TODAY, data_dir=own(tmp_path, "rack", RACK))
    found = offers_matching(ctx, OfferArguments(accelerator="RTX 4090", limit=3))
    assert [offer.private for offer in found.offers] == [True, False, False]
    assert found.offers[0].provider == "rack"


def test_a_negotiated_price_takes_the_place_of_the_public_one(tmp_path: Path) -> None:
    public = [o for o in TableCatalog.load().offers(OfferQuery(providers=("lambda",))) if o.instance == "gpu_8x_h100_sxm_80gb"]
    assert public
    row = "any,gpu_8x_h100_sxm_80gb,H100 SXM 80GB,8,on_demand,20,USD,2026-11-01,contract 17,own\n"
    found = TableCatalog.load(own=own(tmp_path, "lambda", row)).offers(OfferQuery(providers=("lambda",)))
    assert [(o.price_per_hour, o.private) for o in found if o.instance == "gpu_8x_h100_sxm_80gb"] == [(Decimal(20), True)]
    assert len(found) > 5, "other machines keep their public prices"


def test_one_file_may_name_several_providers(tmp_path: Path) -> None:
    rows = (
        "Amazon EC2,any,p5.48xlarge,H100 SXM 80GB,8,on_demand,30,USD,2026-11-01,contract,own\n"
        "rack,cellar,n1,L4,1,on_demand,0.2,EUR,2026-11-01,rack,own\n"
    )
    catalog = TableCatalog.load(own=own(tmp_path, "contracts", rows, "provider," + HEADER))
    aws = [o for o in catalog.offers(OfferQuery(providers=("aws",), accelerators=("H100 SXM 80GB",))) if o.instance == "p5.48xlarge"]
    assert [o.price_per_hour for o in aws if o.pricing_term.value == "on_demand"] == [30]
    assert catalog.offers(OfferQuery(providers=("rack",)))


def test_any_name_of_a_card_will_do(tmp_path: Path) -> None:
    rows = RACK.replace("RTX 4090", "geforce rtx4090")
    (offer,) = TableCatalog.load(own=own(tmp_path, "rack", rows)).offers(OfferQuery(providers=("rack",)))
    assert offer.accelerator == "RTX 4090"


def test_of_an_own_provider_everything_else_is_unknown(tmp_path: Path) -> None:
    ctx = open_context(today=TODAY, data_dir=own(tmp_path, "rack", RACK))
    card = describe_provider(ctx, ProviderArguments(provider="rack"))
    assert card.offers == 1
    assert {"seat", "billing step", "price of traffic out", "whether spot is sold"} <= set(card.unknown)


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (RACK + RACK.replace("9.80", "free"), r"rack\.csv:3: price_per_hour"),
        (RACK.replace("9.80", "-1"), r"rack\.csv:2: price_per_hour"),
        (RACK.replace("9.80", "nan"), r"rack\.csv:2: price_per_hour"),
        (RACK.replace("RTX 4090", "RTX 9999"), r"rack\.csv:2: .*RTX 9999"),
        (RACK.replace("RTX 4090", "RTX 6000"), r"rack\.csv:2: .*RTX 6000.*more than one"),
        (RACK.replace("2026-11-01", "yesterday"), r"rack\.csv:2: as_of"),
        (RACK.replace(",own\n", "\n"), r"rack\.csv:2: 9 cells where the header names 10"),
        ("\x00", r"rack\.csv:2"),
    ],
)
def test_a_fault_is_told_at_once_with_file_and_line(tmp_path: Path, rows: str, told: str) -> None:
    with pytest.raises(BrokenData, match=told):
        TableCatalog.load(own=own(tmp_path, "rack", rows))
