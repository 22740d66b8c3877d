"""Arguments of the tools that do not describe a job alone."""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Literal

from pydantic import Field

from tools.base import Value
from tools.job import JobArguments
from tools.terms import Availability, Interconnect, Precision, PricingTerm

Feature = Literal[
    "persistent_storage",
    "no_charge_while_stopped",
    "stops_when_stopped",
    "ssh",
    "docker",
    "jupyter",
    "bare_metal",
    "eu_company",
    "eu_hosting",
    "free_egress",
    "infiniband",
    "per_second_billing",
    "per_minute_billing",
    "spot",
    "iso_27001",
    "bsi_c5",
    "data_processing_agreement",
    "invoice",
]


class ModelArguments(Value):
    """Which model to describe."""

    model: str | None = Field(default=None, max_length=200)
    """Name, Hugging Face id, alias, or only a size such as `7B`."""
    model_config_object: dict[str, Any] | None = Field(default=None, alias="model_config")
    """The object of a Hugging Face `config.json`, instead of a name."""


class AcceleratorArguments(Value):
    """Which card to describe."""

    accelerator: str = Field(min_length=1, max_length=120)
    """Any alias of a card, or a machine type such as `g5.12xlarge`."""


class ProviderArguments(Value):
    """Which provider to describe."""

    provider: str = Field(min_length=1, max_length=120)
    """Name or alias of a provider."""


class OfferArguments(Value):
    """Filters over the catalog; each narrows."""

    accelerator: str | None = Field(default=None, max_length=120)
    """Any alias of a card; an ambiguous one matches every form."""
    minimum_memory_gb: float | None = Field(default=None, gt=0)
    """Least memory per card, by label."""
    maximum_memory_gb: float | None = Field(default=None, gt=0)
    """Most memory per card, by label."""
    architecture: str | None = Field(default=None, max_length=40)
    """Generation such as `Hopper`, `Ada` or `CDNA3`."""
    precision: Precision | None = None
    """A format the card computes in, such as `bf16` or `fp8`; unknown does not pass."""
    interconnect: Interconnect | None = None
    """Link between the cards of the instance."""
    accelerator_count: int | None = Field(default=None, ge=1)
    """Exactly this many cards in the instance."""
    minimum_count: int | None = Field(default=None, ge=1)
    """At least this many cards in the instance."""
    maximum_usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Dearest instance, US dollars an hour."""
    maximum_usd_per_accelerator_hour: Decimal | None = Field(default=None, gt=0)
    """Dearest card, US dollars an hour."""
    pricing_term: PricingTerm | None = None
    """on_demand, spot or reserved."""
    provider: str | None = Field(default=None, max_length=120)
    """Name or alias of a provider."""
    region: str | None = Field(default=None, max_length=60)
    """A region as the provider names it, a city, a country or its code, a continent, or `EU`."""
    availability: Availability | None = None
    """What the source says of it; hardly any price list says."""
    maximum_age_days: int | None = Field(default=None, ge=0, le=36_500)
    """Oldest price, in days."""
    consumer_ok: bool = True
    """Whether desktop cards may appear."""
    features: list[Feature] | None = None
    """What the provider must offer; unknown does not pass."""
    limit: int = Field(default=10, ge=1, le=500)
    """Longest list."""


class PlanArguments(JobArguments):
    """A job and the conditions under which it may run."""

    region: str | None = Field(default=None, max_length=60)
    """A region as the provider names it, a country code, or `EU`."""
    provider: str | None = Field(default=None, max_length=120)
    """Name or alias of a provider."""
    pricing_term: PricingTerm | None = None
    """on_demand, spot or reserved; both on-demand and spot where left out, spot only with its interruptions priced."""
    budget: Decimal | None = Field(default=None, gt=0)
    """Dearest finished run, in `currency`."""
    currency: str = Field(default="USD", min_length=3, max_length=3)
    """ISO code of the currency costs are shown in."""
    deadline: float | None = Field(default=None, gt=0)
    """Longest run in hours."""
    consumer_ok: bool = True
    """Whether desktop cards may appear."""
    features: list[Feature] | None = None
    """What the provider must offer; unknown does not pass."""
    max_nodes: int = Field(default=4, ge=1, le=64)
    """Most machines of one plan."""
    usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Your own price for the named accelerator and count, instead of the catalog's."""
    limit: int = Field(default=8, ge=1, le=50)
    """Longest list."""


class SpotArguments(PlanArguments):
    """A run that may be interrupted: its hours or its job, and what is known of interruptions, saving and prices."""

    hours: float | None = Field(default=None, gt=0, le=1e6)
    """Hours of work without interruptions; estimated from the job where left out."""
    interruptions: float | None = Field(default=None, ge=0, le=100_000)
    """Interruptions you expect during the run."""
    interruptions_per_day: float | None = Field(default=None, ge=0, le=10_000)
    """Interruptions a day you expect."""
    checkpoint_interval_minutes: float | None = Field(default=None, gt=0, le=1e6)
    """Minutes of work between saves; the best interval where left out."""
    checkpoint_write_minutes: float | None = Field(default=None, ge=0, le=10_000)
    """Minutes to write a checkpoint; from its size where left out."""
    restart_minutes: float | None = Field(default=None, ge=0, le=100_000)
    """Minutes from an interruption to the next step, waiting for a machine included."""
    resume: bool = True
    """Whether the run resumes from its last checkpoint."""
    on_demand_usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Price of all machines on demand; from the catalog where left out."""
    spot_usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Price of all machines on spot; from the catalog where left out."""


class ExperimentArguments(Value):
    """Several short runs on one rented machine, stopped in between."""

    runs: int = Field(ge=1, le=1_000_000)
    """How many."""
    run_minutes: float = Field(gt=0, le=1e6)
    """Minutes of one run, set-up included."""
    pause_minutes: float | None = Field(default=None, ge=0, le=1e6)
    """Minutes between two runs, to price leaving the machine on."""
    usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Price of the machine; billed hours alone where left out."""
    provider: str | None = Field(default=None, max_length=120)
    """Name or alias of a provider, to pick out its own step and the price of its disk."""
    storage_gib: float | None = Field(default=None, gt=0, le=1e7)
    """Disk that outlives the stops, to price it through the pauses."""


class Alternative(Value):
    """One of the ways to compare: what it changes of the shared job."""

    name: str | None = Field(default=None, max_length=80)
    """What you call it."""
    accelerator: str = Field(min_length=1, max_length=120)
    """Any alias of a card."""
    accelerator_count: int | None = Field(default=None, ge=1, le=65_536)
    """Total over all nodes."""
    nodes: int | None = Field(default=None, ge=1, le=65_536)
    """Machines."""
    interconnect: Interconnect | None = None
    """Link inside a node."""
    method: str | None = Field(default=None, max_length=40)
    """Another method than the shared one."""
    sequence_length: int | None = Field(default=None, ge=1)
    """Another context than the shared one."""
    provider: str | None = Field(default=None, max_length=120)
    """Name or alias of a provider."""
    region: str | None = Field(default=None, max_length=60)
    """A region, a country code, or `EU`."""
    pricing_term: PricingTerm | None = None
    """on_demand, spot or reserved."""
    usd_per_hour: Decimal | None = Field(default=None, gt=0)
    """Your own price for all its cards together."""


class CompareArguments(PlanArguments):
    """A job and two or more ways to run it."""

    alternatives: list[Alternative] = Field(min_length=2, max_length=8)
    """The ways to compare."""


class SearchArguments(Value):
    """What to look up in the guide."""

    query: str = Field(min_length=1, max_length=2000)
    """Question or keywords."""
    language: Literal["en", "de"] = "en"
    """Language the passages should have."""
    limit: int = Field(default=5, ge=1, le=20)
    """Longest list."""
