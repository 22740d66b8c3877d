"""What the tools answer: memory, duration, cost, plan, and the records behind them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import PlainSerializer, computed_field, model_validator

from tools.base import Value
from tools.estimate import Assumption, Citation, Estimate
from tools.terms import ActivationCheckpointing, Availability, Interconnect, PricingTerm, Sharding

Money = Annotated[Decimal, PlainSerializer(float, return_type=float, when_used="json")]
"""Decimal inside, a JSON number outside."""

Bytes = Estimate[int]
Fits = Literal[True, False, "conditional"]


MEMORY_PARTS: dict[str, tuple[str, ...]] = {
    "weights": ("weights", "adapters"),
    "gradients": ("gradients",),
    "optimizer_states": ("optimizer_states", "master_weights"),
    "activations": ("activations",),
    "logits": ("logits",),
    "other_models": ("reference_model", "other_models", "encoders"),
    "overhead": (
        "dequantization",
        "optimizer_workspace",
        "gathered_parameters",
        "communication",
        "framework_context",
        "fragmentation",
    ),
}
"""Components of a breakdown under the headings people know; together they are the whole breakdown."""


class FitVerdict(Value):
    """Whether the job fits, and by how much."""

    fits: Fits | None
    """True, False, `conditional` (only with what is missing), or None where no card was named."""
    tight: bool = False
    """The expected peak fits, the upper end of its range does not."""
    accelerator: str | None = None
    """The card."""
    accelerator_count: int = 1
    """Cards over all nodes."""
    usable_bytes: int | None = None
    """Bytes the driver gives on each card."""
    headroom_bytes: int | None = None
    """Usable minus expected peak, per card; negative where it does not fit."""
    missing: list[str] = []
    """Facts that decide and were not said."""


class SensitivityRow(Value):
    """The same job with one thing changed."""

    change: str
    """The argument that differs."""
    value: str | int
    """Its value."""
    peak_device_bytes: Bytes
    """Peak of the changed job."""
    fits: Fits | None = None
    """Whether the changed job fits the same card."""


class MemoryEstimate(Value):
    """Peak memory per device, with what lives at the peak."""

    model: str
    """Architecture id."""
    peak_allocated_bytes: Bytes
    """torch.cuda.max_memory_allocated."""
    peak_reserved_bytes: Bytes
    """torch.cuda.max_memory_reserved."""
    peak_device_bytes: Bytes
    """Whole device, as nvidia-smi shows it."""
    breakdown: dict[str, int]
    """Component -> bytes at the peak; sums to the expected device peak."""
    parts: dict[str, int] = {}
    """The breakdown under the headings of `MEMORY_PARTS`; filled in from it."""
    phases: dict[str, int]
    """load, forward, backward, optimizer_step -> allocated bytes."""
    peak_phase: str
    """The phase that sets the peak."""
    host_ram_bytes: Bytes
    """Host memory of the whole node."""
    trainable_parameters: int
    """Parameters that receive gradients."""
    total_parameters: int
    """All parameters, adapters included."""
    verdict: FitVerdict
    """Whether it fits the named card."""
    sensitivity: list[SensitivityRow] = []
    """How the peak moves with context, batch and method."""
    assumptions: list[Assumption] = []
    """What nobody said."""
    citations: list[Citation] = []
    """Sources of the architecture, the card and the formulas."""
    warnings: list[str] = []
    """What a user should know before paying."""

    @model_validator(mode="before")
    @classmethod
    def _parts(cls, data: Any) -> Any:
        if not isinstance(data, dict) or data.get("parts") or not isinstance(data.get("breakdown"), dict):
            return data
        breakdown = data["breakdown"]
        return data | {"parts": {part: sum(breakdown.get(name, 0) for name in names) for part, names in MEMORY_PARTS.items()}}


class DurationEstimate(Value):
    """How fast and how long."""

    model: str
    """Architecture id."""
    tokens_per_second_per_accelerator: Estimate[float]
    """Training tokens per second and card."""
    tokens_per_second: Estimate[float]
    """Training tokens per second, all cards."""
    step_seconds: Estimate[float]
    """One optimizer step."""
    hours: Estimate[float] | None
    """The whole run, without set-up; None where nothing was said of the data."""
    device_hours: Estimate[float] | None
    """Hours times cards."""
    total_tokens: int | None
    """Tokens over all epochs."""
    mfu: float
    """Model FLOP/s over dense peak, without recomputation."""
    bound_by: str
    """compute, memory_bandwidth, dequantisation, interconnect, network, launch or optimizer."""
    time_shares: dict[str, float] = {}
    """Part of the step each term takes; sums to 1."""
    assumptions: list[Assumption] = []
    """What nobody said."""
    citations: list[Citation] = []
    """Sources."""
    warnings: list[str] = []
    """What a user should know."""


class Cost(Value):
    """Cost of the finished run."""

    currency: str
    """ISO code."""
    total: Estimate[float]
    """Everything below, VAT not included."""
    compute: float
    """Device hours, rounded to the provider's billing step."""
    setup: float
    """Boot, image and weights download."""
    storage: float
    """Disk during the run; 0 with a warning where the price is unknown."""
    egress: float
    """Results out of the cloud; 0 with a warning where the price is unknown."""
    interruptions: float
    """Lost and repeated work on spot."""
    unknown: list[str] = []
    """Parts whose price no source states."""


class PlanOffer(Value):
    """The offer of a plan."""

    provider: str
    """Provider id."""
    provider_name: str
    """Name as people write it."""
    region: str
    """Region as the provider names it."""
    country: str = "unknown"
    """ISO country."""
    instance: str
    """Machine type."""
    pricing_term: PricingTerm
    """How it is rented."""
    usd_per_hour: Money
    """Price of all instances of the plan, US dollars an hour."""
    price_per_hour: Money
    """The same in the price list's currency."""
    currency: str
    """Currency of the price list."""
    as_of: date
    """Date of the price."""
    age_days: int
    """Days since then."""
    stale: bool = False
    """Older than a price of this kind stays true."""
    availability: Availability
    """Whether it can be had."""
    source: str
    """Where the price comes from."""


class Plan(Value):
    """One way to run the job: job x offer x count x sharding."""

    label: str = ""
    """cheapest, fastest, balanced, or empty."""
    accelerator: str
    """Accelerator id."""
    accelerator_count: int
    """Total over all nodes."""
    nodes: int
    """Machines."""
    sharding: Sharding
    """How states are shared."""
    interconnect: Interconnect
    """Link inside a node."""
    micro_batch_size: int
    """Samples per replica and micro-step."""
    gradient_accumulation_steps: int
    """Micro-steps per optimizer step."""
    activation_checkpointing: ActivationCheckpointing = ActivationCheckpointing.NONE
    """What is computed again in the backward pass."""
    offer: PlanOffer
    """What is rented."""
    memory: Bytes
    """Peak per device."""
    usable_bytes: int
    """Bytes the driver gives on each card."""
    tight: bool = False
    """The upper end of the memory range does not fit."""
    hours: Estimate[float] | None
    """Duration of the run; None where nothing was said of the data."""
    wall_hours: Estimate[float] | None = None
    """From order to result: set-up, run and, on spot, what interruptions add."""
    tokens_per_second: Estimate[float] | None = None
    """Training tokens per second, all cards."""
    usd_per_million_tokens: float | None = None
    """Machine time alone, US dollars."""
    cost: Cost | None
    """Cost of the finished run; None where nothing was said of the data."""
    why: str
    """Why this plan is in the list."""
    reasons: list[str] = []
    """The same as stable kinds, all that hold, the weightiest first."""
    warnings: list[str] = []
    """What a user should know before paying."""


class NearMiss(Value):
    """A way that fails one condition."""

    accelerator: str
    """Accelerator id."""
    accelerator_count: int
    """Cards."""
    missing: str
    """What it fails, with the figure."""
    remedy: str = ""
    """What would make it pass."""


class PlanResult(Value):
    """Ranked ways to run the job."""

    model: str
    """Architecture id."""
    plans: list[Plan]
    """Best first: by cost of the finished run, by price an hour where nothing was said of the data."""
    near_misses: list[NearMiss] = []
    """What nearly worked."""
    memory: MemoryEstimate | None = None
    """Full estimate of the first plan."""
    duration: DurationEstimate | None = None
    """Full estimate of the first plan."""
    considered: int
    """Offers looked at."""
    oldest_price: date | None = None
    """Oldest price shown."""
    newest_price: date | None = None
    """Newest price shown."""
    assumptions: list[Assumption] = []
    """What nobody said."""
    citations: list[Citation] = []
    """Sources."""
    warnings: list[str] = []
    """Given once for the whole list."""

    @computed_field  # type: ignore[prop-decorator]  # pydantic's documented form; mypy has no model of it
    @property
    def found(self) -> bool:
        """Whether anything runs the job."""
        return bool(self.plans)
