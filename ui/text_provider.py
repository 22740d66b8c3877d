"""A provider's card as text."""

from __future__ import annotations

import textwrap

from tools.card_results import ProviderCard
from tools.provider import PriceTier, Provider, StorageKind
from ui.text_common import sources
from ui.text_table import items, pairs, section, table
from ui.text_value import value_text

WIDTH = 110


def provider_text(card: ProviderCard) -> list[str]:
    """Lines of the card."""
    record = card.provider
    dates = card.oldest_price if card.oldest_price == card.newest_price else f"{card.oldest_price} to {card.newest_price}"
    terms = ", ".join(term.replace("_", "-") for term in card.pricing_terms)
    offers = f"{card.offers:,} offers ({terms}; prices of {dates})" if card.offers else "no offers in the catalog"
    return [
        f"{record.display_name} ({record.category}, seat {record.hq_country}): {offers}",
        *section("Billing", pairs(billing(record))),
        *section("Storage", storage(record)),
        *section("Spot", pairs(spot(record))),
        *section("Access and network", pairs(access(record))),
        *section(
            "Where",
            pairs(
                {
                    "regions": record.regions,
                    "EU hosting": record.eu_hosting,
                    "data protection": record.data_protection,
                    "certificates": record.certificates,
                    "agreement on data processing": record.data_processing_agreement,
                    "console": record.console_url,
                }
            ),
        ),
        *section("Accelerators on offer", textwrap.wrap(", ".join(card.accelerators), WIDTH)),
        *section("Warnings", items(card.warnings)),
        *section("No source states", items(card.unknown)),
        *section("Notes", items([record.notes] if record.notes else [])),
        *sources(card.citations),
    ]


def billing(record: Provider) -> dict[str, object]:
    """What is charged, and when."""
    return {
        "smallest step": record.billing_step.replace("_", " "),
        "minimum": record.minimum_charge,
        "note": record.billing_note,
        "traffic out": ", ".join(tier_text(tier) for tier in record.egress_tiers) or "unknown",
        "traffic note": record.egress_note if len(record.egress_note) > 3 else "",
        "storage charged while stopped": record.storage_charged_while_stopped,
        "machine charged while stopped": record.compute_charged_while_stopped,
        "stop or delete": record.stop_note,
        "invoice": record.invoice,
        "limits": record.quota_note,
    }


def tier_text(tier: PriceTier) -> str:
    """`0.09 USD/GB up to 10,000 GB`."""
    price = "free" if tier.usd_per_gb == 0 else f"{tier.usd_per_gb:g} USD/GB"
    return price if tier.up_to_gb is None else f"{price} up to {tier.up_to_gb:,.0f} GB"


def storage(record: Provider) -> list[str]:
    """A table of the kinds, and what the source adds."""
    lines = (
        table(
            ["kind", "survives a stop", "survives deletion", "USD/GB/month", "while stopped", "note"],
            [kind_row(kind) for kind in record.storage],
        )
        if record.storage
        else []
    )
    return [*lines, *items([record.storage_note] if record.storage_note else [])]


def kind_row(kind: StorageKind) -> list[str]:
    """One kind of storage."""
    return [
        kind.name,
        kind.survives_stop,
        kind.survives_terminate,
        value_text(kind.usd_per_gb_month),
        value_text(kind.usd_per_gb_month_stopped),
        kind.note,
    ]


def spot(record: Provider) -> dict[str, object]:
    """Interruptible capacity."""
    notice = "unknown" if record.interruption_notice_seconds is None else f"{record.interruption_notice_seconds} s"
    if record.spot == "no":
        return {"offered": record.spot}
    return {
        "offered": record.spot,
        "name": record.spot_name,
        "notice before an interruption": notice,
        "discount": record.spot_discount_note,
        "interruptions": record.interruption_note,
    }


def access(record: Provider) -> dict[str, object]:
    """How to get in, and what connects machines."""
    speed = "" if record.network_gbps is None else f", {record.network_gbps:g} Gbit/s per node"
    return {
        "SSH": record.ssh,
        "own Docker image": record.docker,
        "Jupyter": record.jupyter,
        "bare metal": record.bare_metal,
        "network between nodes": f"{record.network.value}{speed}",
        "network note": record.network_note,
        "inside a node": record.intra_node,
    }
