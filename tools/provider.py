"""A company that rents accelerators out."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tools.base import Value
from tools.terms import Network

Known = Literal["yes", "no", "partly", "unknown"]
BillingStep = Literal["second", "minute", "ten_minutes", "hour", "month", "unknown"]


class PriceTier(Value):
    """One step of a tiered price."""

    up_to_gb: float | None = Field(default=None, gt=0)
    """Upper end of the step in GB a month; None for the last."""
    usd_per_gb: float = Field(ge=0)
    """Price within the step."""


class StorageKind(Value):
    """A kind of storage and what it costs."""

    name: str
    """What the provider calls it."""
    survives_stop: Known = "unknown"
    """Whether it is still there after the instance was stopped."""
    survives_terminate: Known = "unknown"
    """Whether it is still there after the instance was deleted."""
    usd_per_gb_month: float | None = Field(default=None, ge=0)
    """While the instance runs; None where no source states it."""
    usd_per_gb_month_stopped: float | None = Field(default=None, ge=0)
    """While it is stopped; None where no source states it."""
    note: str = ""
    """Conditions of the price."""


class FactSource(Value):
    """Where one fact of a record is stated."""

    source: str
    """Address or document."""
    as_of: str
    """Date of the source where it bears one, otherwise the day it was read."""


class Provider(Value):
    """Facts beside the price; `unknown` is a finding, not a gap to fill."""

    id: str
    """Key of its offers."""
    display_name: str
    """Name as people write it."""
    aliases: tuple[str, ...] = ()
    """Other names and former names."""
    hq_country: str = "unknown"
    """ISO country of the seat."""
    category: str = "unknown"
    """hyperscaler, neocloud, marketplace, ..."""
    billing_step: BillingStep = "unknown"
    """Smallest unit that is charged."""
    billing_note: str = ""
    """As the source words it."""
    minimum_charge: str = "unknown"
    """Smallest charge or first payment."""
    storage: tuple[StorageKind, ...] = ()
    """Kinds of storage."""
    storage_charged_while_stopped: Known = "unknown"
    """Whether a stopped instance goes on costing."""
    storage_note: str = ""
    """As the source words it."""
    compute_charged_while_stopped: Known = "unknown"
    """Whether a machine that was stopped, not deleted, is billed in full; then only deleting it ends the bill."""
    stop_note: str = "unknown"
    """What stopping does, against deleting."""
    egress_tiers: tuple[PriceTier, ...] = ()
    """Price of traffic out to the internet; empty where unknown, one tier at 0 where free."""
    egress_note: str = ""
    """As the source words it."""
    ingress_usd_per_gb: float | None = Field(default=None, ge=0)
    """Price of traffic in."""
    spot: Known = "unknown"
    """Whether interruptible capacity is sold."""
    spot_name: str = "unknown"
    """What the provider calls it."""
    interruption_notice_seconds: int | None = Field(default=None, ge=0)
    """Warning before a spot instance is taken; None where no source states it."""
    spot_discount_note: str = "unknown"
    """Usual discount as the source words it."""
    interruption_note: str = "unknown"
    """How often spot instances are taken, and what becomes of them."""
    ssh: Known = "unknown"
    """Shell access."""
    docker: Known = "unknown"
    """Own container images."""
    jupyter: Known = "unknown"
    """Notebooks."""
    bare_metal: Known = "unknown"
    """Whole machines."""
    network: Network = Network.UNKNOWN
    """Network between nodes."""
    network_gbps: float | None = Field(default=None, gt=0)
    """Gbit/s per node."""
    network_note: str = ""
    """As the source words it."""
    intra_node: str = "unknown"
    """Link inside a node, as the source words it."""
    regions: tuple[str, ...] = ()
    """Where it runs."""
    eu_hosting: Known = "unknown"
    """Whether an EU region can be chosen."""
    data_protection: str = "unknown"
    """What matters for data protection: seat, certificates, third-party hosts."""
    certificates: tuple[str, ...] = ()
    """Certificates and attestations such as ISO 27001 or BSI C5; empty where no source states any."""
    data_processing_agreement: Known = "unknown"
    """Whether it signs an agreement on commissioned processing (Article 28 GDPR)."""
    invoice: Known = "unknown"
    """Whether it can be paid on invoice or by bank transfer."""
    quota_note: str = "unknown"
    """Limits of a new account, and how they are raised."""
    console_url: str = "unknown"
    """Where to order."""
    source: str = "unknown"
    """Where the facts come from."""
    as_of: str = "unknown"
    """Date of the facts."""
    notes: str = ""
    """What a reader should know."""
    cells: dict[str, FactSource] = {}
    """Field -> its own source and date; a field that is not named here rests on `source`, of `as_of`."""

    def source_of(self, field: str) -> FactSource:
        """Where a field is stated."""
        return self.cells.get(field, FactSource(source=self.source, as_of=self.as_of))
