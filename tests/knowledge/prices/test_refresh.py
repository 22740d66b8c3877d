"""A refresh over real sockets: what comes in, what is kept back, and what is left as it was."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from knowledge.catalog import TableCatalog
from knowledge.prices.refresh import Refresher, Sources
from knowledge.prices.snapshots import RefreshRunning, SnapshotStore
from tests.knowledge.prices.conftest import NOW, SCALEWAY, Lists, Refresh, lambda_rows, only, scaleway, server
from tools.errors import UnknownName
from tools.offer import Offer, OfferQuery
from tools.terms import Availability, Interconnect


def offers(folder: Path, provider: str) -> list[Offer]:
    return list(TableCatalog.load(own=folder).offers(OfferQuery(providers=(provider,), include_specialised=True)))


def test_prices_come_through_the_library_with_the_day_of_the_list(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    lists.publish("lambdalabs", lambda_rows())
    report = refresh("lambda")
    told = only(report, "lambda")
    assert (told.outcome, told.rows, told.held_back) == ("refreshed", 24, 0)
    found = offers(tmp_path, "lambda")
    assert {offer.as_of for offer in found} == {date(2026, 11, 12)}
    assert all(offer.source.startswith("https://") and offer.source_licence != "unknown" for offer in found)
    assert {offer.accelerator for offer in found} == {"H100 PCIe 80GB", "A10", "V100 16GB"}, "known machine types keep their form"


def test_a_providers_own_list_in_euros_with_stock(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    scaleway(lists, SCALEWAY)
    report = refresh("scaleway")
    told = only(report, "scaleway")
    assert (told.outcome, told.rows) == ("refreshed", 7)
    found = {offer.instance: offer for offer in offers(tmp_path, "scaleway")}
    assert found["H100-2-80G"].accelerator == "H100 PCIe 80GB"
    assert found["H100-SXM-8-80G"].accelerator == "H100 SXM 80GB"
    assert found["H100-SXM-8-80G"].interconnect is Interconnect.NVLINK
    assert {(o.currency, o.availability, o.country) for o in found.values()} == {("EUR", Availability.LIMITED, "FR")}
    catalog = TableCatalog.load(own=tmp_path)
    assert catalog.usd_per_hour(found["L40S-1-48G"]) == Decimal("1.47") * Decimal("1.1612"), "under the rates of the same refresh"


def test_rates_of_the_central_bank_with_its_own_date(tmp_path: Path, refresh: Refresh) -> None:
    report = refresh("hetzner")
    assert "2026-11-13" in report.rates
    catalog = TableCatalog.load(own=tmp_path)
    assert catalog.rate("EUR").usd_per_unit == Decimal("1.1612")
    assert catalog.rate("CHF").usd_per_unit == pytest.approx(Decimal("1.1612") / Decimal("0.9402"), abs=Decimal("1e-6"))
    assert catalog.rate("GBP").as_of == date(2026, 11, 13)


@pytest.mark.parametrize(
    ("body", "told"),
    [("", "no dollar rate"), ("<html>maintenance</html>", "no dollar rate"), ("absurd", "not believed"), ("stale", "older")],
)
def test_rates_that_make_no_sense_are_left_as_they_are(tmp_path: Path, lists: Lists, refresh: Refresh, body: str, told: str) -> None:
    feeds = {
        "absurd": lists.replies["/ecb"].body.replace(b"1.1612", b"11.612"),
        "stale": lists.replies["/ecb"].body.replace(b"2026-11", b"2020-11"),
    }
    lists.say("/ecb", feeds.get(body, body.encode()))
    assert told in refresh("hetzner").rates
    assert TableCatalog.load(own=tmp_path).rate("EUR").usd_per_unit == TableCatalog.load().rate("EUR").usd_per_unit


FAILURES = {
    "an empty reply": ({"value": b""}, "answered with nothing"),
    "a web page": ({"value": "<!doctype html><title>Just a moment</title>"}, "a web page instead of prices"),
    "half a file": ({"value": '{"servers": {"H100-1-80G"'}, "not JSON"),
    "another shape": ({"value": {"items": []}}, "shape"),
    "a list where an object was": ({"value": {"servers": ["H100"]}}, "shape"),
    "a server error": ({"value": b"x", "status": 503}, "503"),
    "silence": ({"value": b"x", "wait_seconds": 1.5}, "said nothing"),
    "byte after byte": ({"value": b"x" * 400, "drip": True}, "had not finished"),
}


@pytest.mark.parametrize("case", FAILURES)
def test_a_reply_that_is_no_price_list_changes_nothing_and_is_told(tmp_path: Path, lists: Lists, refresh: Refresh, case: str) -> None:
    reply, told = FAILURES[case]
    for zone in ("fr-par-1", "fr-par-2"):
        lists.say(f"/scaleway/instance/v1/zones/{zone}/products/servers", **reply)
    before = offers(tmp_path, "scaleway")
    report = only(refresh("scaleway"), "scaleway")
    assert report.outcome == "failed"
    assert told in report.message
    assert offers(tmp_path, "scaleway") == before


def test_a_row_of_garbage_fails_its_provider_only(lists: Lists, refresh: Refresh) -> None:
    scaleway(lists, {"H100-1-80G": {"gpu": "many", "hourly_price": {}}})
    lists.publish("lambdalabs", lambda_rows())
    report = refresh("scaleway", "lambda")
    assert only(report, "scaleway").outcome == "failed"
    assert only(report, "lambda").outcome == "refreshed"


def test_an_empty_list_does_not_wipe_a_provider(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    before = offers(tmp_path, "scaleway")
    scaleway(lists, {})
    told = only(refresh("scaleway"), "scaleway")
    assert told.outcome == "refused"
    assert f"0 usable rows where there were {len(before)}" in told.message
    assert offers(tmp_path, "scaleway") == before


def test_a_partial_list_is_refused_unless_accepted(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    scaleway(lists, SCALEWAY)
    refresh("scaleway")
    scaleway(lists, {"L4-1-24G": server(1, 0.79)})
    later = NOW + timedelta(days=1)
    assert only(refresh("scaleway", now=later), "scaleway").outcome == "refused"
    assert len(offers(tmp_path, "scaleway")) == 7
    told = only(refresh("scaleway", now=later, accept=True), "scaleway")
    assert (told.outcome, told.gone, told.moved) == ("refreshed", 6, 1)
    assert len(offers(tmp_path, "scaleway")) == 1


def test_an_absurd_price_is_kept_back_and_the_old_one_stays_with_its_date(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    scaleway(lists, SCALEWAY)
    refresh("scaleway")
    scaleway(lists, {**SCALEWAY, "H100-SXM-8-80G": server(8, 2.533), "L4-1-24G": server(1, 0.8)})
    told = only(refresh("scaleway", now=NOW + timedelta(days=3)), "scaleway")
    assert (told.held_back, told.moved) == (1, 1)
    assert told.held[0].instance == "H100-SXM-8-80G"
    found = {offer.instance: offer for offer in offers(tmp_path, "scaleway")}
    assert (found["H100-SXM-8-80G"].price_per_hour, found["H100-SXM-8-80G"].as_of) == (Decimal("25.33"), NOW.date())
    assert (found["L4-1-24G"].price_per_hour, found["L4-1-24G"].as_of) == (Decimal("0.8"), date(2026, 11, 18))


def test_the_change_report_counts_new_gone_and_moved(lists: Lists, refresh: Refresh) -> None:
    scaleway(lists, SCALEWAY)
    refresh("scaleway")
    changed = {name: row for name, row in SCALEWAY.items() if name != "L4-1-24G"} | {
        "L40S-1-48G": server(1, 1.6),
        "L40S-2-48G": server(2, 2.94),
    }
    told = only(refresh("scaleway", now=NOW + timedelta(days=1)), "scaleway") if scaleway(lists, changed) is None else None
    assert told is not None
    assert (told.new, told.gone, told.moved) == (1, 1, 1)
    (move,) = told.moves
    assert (move.instance, move.before, move.after, move.currency) == ("L40S-1-48G", Decimal("1.47"), Decimal("1.6"), "EUR")


def test_superseded_prices_become_history(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    for days, price in enumerate((1.40, 1.47, 1.60, 1.60)):
        scaleway(lists, {**SCALEWAY, "L40S-1-48G": server(1, price)})
        refresh("scaleway", now=NOW + timedelta(days=days))
    catalog = TableCatalog.load(own=tmp_path)
    (offer,) = [o for o in catalog.offers(OfferQuery(providers=("scaleway",))) if o.instance == "L40S-1-48G"]
    past = [(o.price_per_hour, o.as_of) for o in catalog.history(offer) if o.currency == "EUR" and o.as_of >= NOW.date()]
    assert past == [(Decimal("1.4"), NOW.date()), (Decimal("1.47"), date(2026, 11, 16))]


def test_the_same_list_again_changes_no_price_and_its_date(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    scaleway(lists, SCALEWAY)
    refresh("scaleway")
    told = only(refresh("scaleway", now=NOW + timedelta(days=2)), "scaleway")
    assert (told.new, told.gone, told.moved) == (0, 0, 0)
    assert {offer.as_of for offer in offers(tmp_path, "scaleway")} == {date(2026, 11, 17)}


def test_one_slow_list_of_the_library_leaves_the_others(lists: Lists, refresh: Refresh) -> None:
    lists.publish("lambdalabs", lambda_rows())
    lists.publish("verda", "")
    lists.say("/v3/verda/version", "20261112-7", wait_seconds=2)
    report = refresh("verda", "lambda")
    assert only(report, "lambda").outcome == "refreshed"
    assert only(report, "verda").outcome == "failed"
    assert "verda" in only(report, "verda").message


@pytest.mark.parametrize("body", [b"", b"<html></html>", b"PK\x03\x04 broken"], ids=["empty", "web page", "broken archive"])
def test_a_published_file_that_is_none(lists: Lists, refresh: Refresh, body: bytes) -> None:
    lists.publish("lambdalabs", lambda_rows())
    lists.say("/v3/runpod/version", "20261112-7")
    lists.say("/v3/runpod/20261112-7/catalog.zip", body)
    report = refresh("runpod", "lambda")
    assert only(report, "runpod").outcome in ("failed", "refused")
    assert only(report, "lambda").outcome == "refreshed"


def test_without_a_network_everything_stays_and_is_told(tmp_path: Path, refresh: Refresh, sources: Sources, lists: Lists) -> None:
    nowhere = replace(
        sources,
        public_lists={name: replace(each, address="http://127.0.0.1:9") for name, each in sources.public_lists.items()},
        rates_address="http://127.0.0.1:9/ecb",
    )
    report = Refresher(tmp_path, now=NOW).refresh(("scaleway", "akamai"), sources=nowhere)
    assert {each.outcome for each in report.providers} == {"failed"}
    assert all("No connection to 127.0.0.1" in each.message for each in report.providers)
    assert report.snapshot is None
    assert SnapshotStore(tmp_path / "catalog").current_id() is None


def test_without_the_library_its_providers_are_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch, refresh: Refresh) -> None:
    monkeypatch.setitem(__import__("sys").modules, "gpuhunt", None)
    told = only(refresh("lambda"), "lambda")
    assert told.outcome == "failed"
    assert "gpuhunt is not installed" in told.message


def test_a_provider_that_wants_a_key_says_which(refresh: Refresh) -> None:
    told = only(refresh("digitalocean"), "digitalocean")
    assert told.outcome == "needs_key"
    assert "DIGITAL_OCEAN" in told.message


def test_unknown_providers_are_refused_before_anything_is_fetched(refresh: Refresh) -> None:
    with pytest.raises(UnknownName, match="provider"):
        refresh("skynet")


def test_two_refreshes_at_once_do_not_mix(tmp_path: Path, refresh: Refresh) -> None:
    with SnapshotStore(tmp_path / "catalog").locked(), pytest.raises(RefreshRunning):
        refresh("scaleway")


def test_a_market_is_boiled_down_to_the_cheapest_of_each_kind(tmp_path: Path, lists: Lists, refresh: Refresh) -> None:
    def bundle(id_: int, card: str, ram: int, count: int, price: float, place: str) -> dict[str, object]:
        return {
            "id": id_, "cpu_cores": 32, "cpu_cores_effective": 16, "cpu_ram": 128_000, "disk_space": 500, "gpu_name": card, "gpu_ram": ram,
            "storage_cost": 0.0, "geolocation": place, "dph_base": price, "num_gpus": count, "min_bid": price / 2, "reliability2": 0.99,
            "driver_version": "570.1", "cuda_max_good": 12.8, "compute_cap": 890, "verification": "verified", "rentable": True,
        }  # fmt: skip

    hosts = [bundle(n, "RTX 4090", 24_564, 1, 0.30 + n / 100, place) for n, place in enumerate(["Sweden, SE", "Sweden, SE", "Texas, US"])]
    lists.say("/vast", {"offers": hosts})
    told = only(refresh("vast", accept=True), "vast")
    assert told.outcome == "refreshed", told
    found = offers(tmp_path, "vast")
    prices = {(o.country, o.pricing_term.value): o.price_per_hour for o in found}
    assert prices[("SE", "on_demand")] == Decimal("0.3")
    assert len(found) == 4
    assert all("cheapest of" in o.notes for o in found)
    assert any("outbid" in o.notes for o in found if o.pricing_term.value == "spot")
