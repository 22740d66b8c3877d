"""What users of other price tools complained about, one test for each report, which it names by its thread on GitHub."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from knowledge.prices.listed import ListedPrice
from knowledge.prices.skypilot_folder import read_folder
from tests.knowledge.prices.rows import DAY, row
from tests.knowledge.prices.steps import Find, Guard, Refreshed, Take
from tools.context import Context
from tools.offer import OfferQuery
from tools.terms import Availability, PricingTerm

COVERED: set[str] = set()


def complaint(*threads: str) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Mark a test with the threads it answers."""
    assert not COVERED & set(threads)
    COVERED.update(threads)
    return lambda test: test


def skypilot(folder: Path, cloud: str, rows: str) -> list[ListedPrice]:
    header = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
    (folder / cloud).mkdir()
    path = folder / cloud / "vms.csv"
    path.write_text(header + rows, encoding="utf-8")
    return list(read_folder(path, cloud, DAY, "https://example.org/catalog"))


@complaint("skypilot-org/skypilot-catalog#31", "skypilot-org/skypilot#3147")
def test_a_host_and_its_cards_are_one_price(tmp_path: Path) -> None:
    rows = skypilot(
        tmp_path,
        "gcp",
        "a2-highgpu-1g,12.0,85.0,,,,us-central1,us-central1-a,0.73948,0.36975\n"
        ",,,A100,1.0,A100,us-central1,us-central1-a,2.933908,0.88\n"
        "a2-highgpu-2g,24.0,170.0,,,,us-central1,us-central1-a,1.47895,0.7395\n"
        ",,,tpu-v3-8,1.0,tpu,us-central1,us-central1-a,8.8,2.64\n"
        "n1-standard-4,4.0,15.0,,,,us-central1,us-central1-a,0.19,0.04\n",
    )
    assert [(r.instance, r.card, r.count, r.spot, r.price) for r in rows] == [
        ("a2-highgpu-1g", "A100", 1, False, Decimal("3.673388")),
        ("a2-highgpu-1g", "A100", 1, True, Decimal("1.24975")),
    ], "a host without the price of its cards, and cards or TPUs without a host, are no offers"


@complaint("skypilot-org/skypilot#1438", "skypilot-org/skypilot#4914")
def test_a_spot_price_has_its_own_date_and_source_and_is_true_for_a_day(find: Find) -> None:
    found = find(pricing_term="spot", accelerator="A100 80GB", limit=20)
    assert all(offer.as_of and offer.source.startswith("https://") for offer in found.offers)
    assert all(offer.stale == (offer.age_days > 1) for offer in found.offers)
    assert any("check them before renting" in warning for warning in found.warnings)


@complaint("skypilot-org/skypilot#1367")
def test_a_row_that_is_given_twice_counts_once(guard: Guard) -> None:
    zones = [row(price=Decimal(price), spot=True, as_of=DAY) for price in ("1.9", "1.5", "1.7")]
    (spot,) = guard(*zones).offers
    assert spot.price_per_hour == Decimal("1.5"), "the cheapest zone of a region"
    (listed,) = guard(row(price=Decimal("3.50")), row(price=Decimal("3.52")), row(price=Decimal("3.50"))).offers
    assert listed.price_per_hour == Decimal("3.52"), "a list price that is given twice is not made cheaper than it may be"


@complaint("skypilot-org/skypilot#3794")
def test_a_moved_price_is_taken_over_and_the_form_is_not_guessed(refreshed: Refreshed) -> None:
    plain = row(card="H100", instance="1x H100", memory_gb=80, price=Decimal("4.49"))
    _, before = refreshed(lambda: [plain])
    report, after = refreshed(lambda: [row(card="H100", instance="1x H100", memory_gb=80, price=Decimal("3.29"))], before)
    assert (report.moved, report.moves[0].before, report.moves[0].after) == (1, Decimal("4.49"), Decimal("3.29"))
    assert after[0].accelerator == "H100 80GB", "neither PCIe nor SXM was said"


@complaint("skypilot-org/skypilot#3615", "skypilot-org/skypilot#9156")
@pytest.mark.parametrize("price", ["0", "0.01", "-1"])
def test_nothing_is_free_and_a_floor_is_no_price(guard: Guard, take: Take, price: str) -> None:
    before = guard(row()).offers
    result = guard(row(price=Decimal(price)), before=before)
    assert list(result.offers) == list(before), "the old price stays, with its date"


@complaint("skypilot-org/skypilot-catalog#50")
@pytest.mark.parametrize(
    ("changes", "reason"), [({"price": Decimal("NaN")}, "no price"), ({"count": 6}, "6 cards"), ({"count": 12}, "12 cards")]
)
def test_previews_without_price_or_with_odd_counts_are_kept_back(take: Take, changes: dict[str, object], reason: str) -> None:
    taken = take(row(**changes))
    assert not taken.offers
    assert reason in taken.held[0].reason


@complaint("skypilot-org/skypilot#4904")
def test_a_market_says_that_it_is_a_sample(take: Take) -> None:
    hosts = [row(instance=str(n), market=True, price=Decimal(n)) for n in (3, 2, 4)]
    (offer,) = take(*hosts).offers
    assert offer.price_per_hour == 2
    assert "cheapest of 3 offers found at that moment" in offer.notes


@complaint("skypilot-org/skypilot-catalog#179")
@pytest.mark.parametrize("listed", [0, 13], ids=["nothing", "two thirds"])
def test_a_list_that_lost_its_rows_does_not_replace_the_old_one(refreshed: Refreshed, listed: int) -> None:
    _, before = refreshed(lambda: [row(region=f"r{n}") for n in range(20)])
    report, after = refreshed(lambda: [row(region=f"r{n}") for n in range(listed)], before)
    assert report.outcome == "refused"
    assert after == before


@complaint("skypilot-org/skypilot-catalog#2")
def test_a_refresh_reports_what_changed(refreshed: Refreshed) -> None:
    _, before = refreshed(lambda: [row(region=f"r{n}") for n in range(10)])
    report, _ = refreshed(lambda: [row(region=f"r{n}", price=Decimal("3.6" if n == 4 else "3.5")) for n in range(2, 13)], before)
    assert (report.new, report.gone, report.moved) == (3, 2, 1)


@complaint("skypilot-org/skypilot#1832", "skypilot-org/skypilot#2148")
def test_regions_that_others_leave_out_are_there(ctx: Context) -> None:
    def regions(provider: str) -> set[str]:
        return {offer.region for offer in ctx.catalog.offers(OfferQuery(providers=(provider,)))}

    assert {"europe-west1", "europe-west2", "europe-west3", "europe-west4", "europe-west9", "europe-central2"} <= regions("gcp")
    assert "westus3" in regions("azure")


@complaint("skypilot-org/skypilot#4702", "skypilot-org/skypilot#1760", "dstackai/dstack#1210", "skypilot-org/skypilot#10264")
@pytest.mark.parametrize(
    ("provider", "region"), [("lambda", "us-east-3"), ("gcp", "us-central2"), ("verda", "FIN-02"), ("nebius", "uk-south1")]
)
def test_a_region_nobody_listed_here_is_taken_as_the_provider_names_it(take: Take, guard: Guard, provider: str, region: str) -> None:
    (offer,) = guard(row(provider=provider, region=region)).offers
    assert offer.region == region
    (elsewhere,) = take(row(provider=provider, region="atlantis-1")).offers
    assert elsewhere.country == "unknown", "a place that no table knows lies in no country"


@complaint("skypilot-org/skypilot-catalog#29", "dstackai/dstack#1740")
def test_a_price_is_no_promise_of_a_machine(find: Find, take: Take) -> None:
    assert {offer.availability for offer in find(provider="lambda", limit=50).offers} == {Availability.UNKNOWN}
    assert any("what is free right now" in warning for warning in find(provider="lambda").warnings)
    assert find(availability="available").matched == 0, "unknown does not pass"
    assert take(row(availability=Availability.LIMITED)).offers[0].availability is Availability.LIMITED


@complaint("skypilot-org/skypilot#8409")
def test_an_a40_at_runpod_is_found(find: Find) -> None:
    assert find(accelerator="A40", provider="RunPod").matched > 0


@complaint("dstackai/gpuhunt#156")
def test_a_new_card_of_a_provider_is_taken_in(take: Take) -> None:
    (offer,) = take(row(provider="runpod", card="B200", memory_gb=192, instance="NVIDIA B200", price=Decimal("5.9"))).offers
    assert offer.accelerator == "B200 180GB", "marketing memory of 192 GB and 180 GB are one card"


@complaint("dstackai/dstack#2486")
def test_every_data_centre_of_a_list_is_an_offer(guard: Guard) -> None:
    rows = [
        row(provider="cudo", region=place, card="RTX A5000", memory_gb=24, price=Decimal("0.35"))
        for place in ("no-luster-1", "gb-london-1")
    ]
    assert len(guard(*rows).offers) == 2


@complaint("dstackai/gpuhunt#63")
def test_a_list_of_another_shape_fails_without_taking_the_old_prices_along(
    refreshed: Refreshed,
) -> None:
    def changed() -> Sequence[ListedPrice]:
        raise KeyError("sku")

    _, before = refreshed(lambda: [row()])
    report, after = refreshed(changed, before)
    assert (report.outcome, report.rows) == ("failed", 1)
    assert "shape" in report.message
    assert after == before


@complaint("dstackai/gpuhunt#214")
@pytest.mark.parametrize(("name", "card"), [("L40S (graphics mode)", "L40S"), ("V100 32G", "V100 32GB")])
def test_names_with_remarks_are_read(ctx: Context, name: str, card: str) -> None:
    assert ctx.catalog.accelerator(name).id == card


@complaint("dstackai/dstack#4036")
def test_a_spot_price_above_the_list_price_is_kept_back(guard: Guard) -> None:
    result = guard(row(price=Decimal(3)), row(price=Decimal("3.2"), spot=True))
    assert [offer.pricing_term for offer in result.offers] == [PricingTerm.ON_DEMAND]
    assert "spot above on-demand" in result.held[0].reason


@complaint("skypilot-org/skypilot-catalog#64")
def test_a_form_that_is_named_is_kept_apart(take: Take) -> None:
    cards = {name: take(row(card=name, memory_gb=80, instance="x")).offers[0].accelerator for name in ("A100-80GB", "A100-80GB-SXM")}
    assert cards == {"A100-80GB": "A100 80GB", "A100-80GB-SXM": "A100 SXM 80GB"}


@complaint("skypilot-org/skypilot#6701", "skypilot-org/skypilot#3691")
@pytest.mark.parametrize("name", ["H100_NVLINK_80GB", "H100-MEGA-80GB", "H100-MEGA"])
def test_labels_of_clouds_are_the_card_they_mean(ctx: Context, name: str) -> None:
    assert ctx.catalog.accelerator(name).id == "H100 SXM 80GB"


@complaint("skypilot-org/skypilot#9818")
def test_who_asks_for_80_gb_gets_no_40_gb_card(find: Find, ctx: Context, take: Take) -> None:
    found = find(accelerator="A100-80GB", limit=500)
    assert found.offers
    assert {ctx.catalog.accelerator(offer.accelerator).memory_label_gb for offer in found.offers} == {80}
    assert "40 GB" in take(row(card="A100-80GB", memory_gb=40)).held[0].reason, "nor does a list that contradicts itself"


@complaint("skypilot-org/skypilot#3562")
def test_labels_that_look_alike_are_not_mixed_up(ctx: Context) -> None:
    assert ctx.catalog.accelerator("RTX-A6000").id == "RTX A6000"
    assert {"RTX A6000", "Quadro RTX 6000", "RTX 6000 Ada"} <= {card.id for card in ctx.catalog.accelerator_candidates("RTX 6000")}


@complaint("skypilot-org/skypilot#4860")
def test_host_memory_in_a_name_is_no_memory_of_the_card(ctx: Context) -> None:
    assert ctx.catalog.accelerator("GH200-480GB").memory_label_gb == 96


@complaint("dstackai/dstack#2771")
def test_unknown_names_wait_in_quarantine_and_are_told(refreshed: Refreshed) -> None:
    report, offers = refreshed(lambda: [row(), row(card="RTX 9090 Ext", region="a"), row(card="RTX 9090 Ext", region="b")])
    assert report.unknown_cards == {"RTX 9090 Ext": 2}
    assert len(offers) == 1


@complaint("dstackai/dstack#1975")
def test_offers_whose_form_nobody_states_are_found_under_the_plain_name(ctx: Context, find: Find) -> None:
    unstated = {card.id for card in ctx.catalog.accelerators() if not card.form_stated}
    assert unstated & {offer.accelerator for offer in find(accelerator="A100", limit=500).offers}


def test_old_prices_come_behind_and_are_warned_of(find: Find, today: date) -> None:
    found = find(limit=500)
    old = [offer.as_of < today - timedelta(days=365) for offer in found.offers]
    assert old == sorted(old)


def test_every_report_has_its_test() -> None:
    assert len(COVERED) == 34
