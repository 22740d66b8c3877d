"""Results as the tools shape them, small enough to read."""

from __future__ import annotations

from datetime import date
from typing import Any

from advisor.answer import ToolResult
from advisor.slots import Slots, Understanding
from tools.context import Passage
from tools.estimate import Assumption, Citation, Estimate
from tools.offer_results import OfferList, OfferRow
from tools.results import Cost, FitVerdict, MemoryEstimate, Plan, PlanOffer, PlanResult
from tools.terms import Availability, Interconnect, PricingTerm, Sharding

GIB = 2**30
TODAY = date(2026, 11, 15)


def gib(low: float, expected: float, high: float) -> Estimate[int]:
    return Estimate[int](low=int(low * GIB), expected=int(expected * GIB), high=int(high * GIB))


def memory(
    arguments: dict[str, Any],
    *,
    peak: tuple[float, float, float] = (8.1, 9.4, 11.2),
    usable: float | None = 23.6,
    fits: Any = "auto",
    parts: dict[str, float] | None = None,
    assumptions: tuple[Assumption, ...] = (),
) -> ToolResult:
    """A memory result; `fits` follows from peak and usable bytes unless given."""
    sizes = parts or {"weights": 0.6, "adapters": 0.01, "activations": 0.2, "logits": 0.1}
    breakdown = {name: int(share * peak[1] * GIB) for name, share in sizes.items()}
    breakdown["framework_context"] = int(peak[1] * GIB) - sum(breakdown.values())
    card = arguments.get("accelerator")
    if usable is None or card is None:
        verdict = FitVerdict(fits=None)
    else:
        room = int(usable * GIB)
        verdict = FitVerdict(
            fits=peak[1] <= usable if fits == "auto" else fits,
            tight=peak[1] <= usable < peak[2],
            accelerator=card,
            accelerator_count=arguments.get("accelerator_count", 1),
            usable_bytes=room,
            headroom_bytes=room - int(peak[1] * GIB),
        )
    sequence = Assumption(name="sequence_length", value=2048, reason="a usual context")
    batch = Assumption(name="micro_batch_size", value=1, reason="the smallest")
    spread = gib(*peak)
    estimate = MemoryEstimate(
        model="example/Sample-8B",
        peak_allocated_bytes=spread,
        peak_reserved_bytes=spread,
        peak_device_bytes=spread,
        breakdown=breakdown,
        phases={"forward": spread.expected},
        peak_phase="forward",
        host_ram_bytes=gib(20, 24, 30),
        trainable_parameters=41_943_040,
        total_parameters=8_030_261_248,
        verdict=verdict,
        assumptions=[*assumptions, sequence, batch],
        citations=[Citation(id="model:example/Sample-8B", title="Sample-8B", source="https://example.org/config.json", as_of="2026-01")],
    )
    return ToolResult(tool="estimate_memory", arguments=arguments, result=estimate.model_dump(mode="json"))


def plan(card: str = "RTX 4090 24GB", *, hours: bool = True, usd: str = "0.69", as_of: date = date(2026, 9, 3)) -> Plan:
    return Plan(
        label="cheapest",
        accelerator=card,
        accelerator_count=1,
        nodes=1,
        sharding=Sharding.NONE,
        interconnect=Interconnect.PCIE,
        micro_batch_size=1,
        gradient_accumulation_steps=16,
        offer=PlanOffer(
            provider="samplecloud",
            provider_name="SampleCloud",
            region="eu-west",
            instance="gpu-1x",
            pricing_term=PricingTerm.ON_DEMAND,
            usd_per_hour=usd,  # type: ignore[arg-type]  # read as Decimal
            price_per_hour=usd,  # type: ignore[arg-type]
            currency="USD",
            as_of=as_of,
            age_days=(TODAY - as_of).days,
            availability=Availability.UNKNOWN,
            source="https://example.org/prices",
        ),
        memory=gib(8.1, 9.4, 11.2),
        usable_bytes=int(23.6 * GIB),
        hours=Estimate[float](low=4.1, expected=5.3, high=7.2) if hours else None,
        cost=Cost(
            currency="USD",
            total=Estimate[float](low=3.1, expected=3.98, high=5.4),
            compute=3.7,
            setup=0.2,
            storage=0.08,
            egress=0.0,
            interruptions=0.0,
        )
        if hours
        else None,
        why="lowest cost of the finished run",
    )


def planned(arguments: dict[str, Any], plans: list[Plan]) -> ToolResult:
    result = PlanResult(model="example/Sample-8B", plans=plans, considered=120)
    return ToolResult(tool="plan_job", arguments=arguments, result=result.model_dump(mode="json"))


def offered(arguments: dict[str, Any]) -> ToolResult:
    row = OfferRow(
        provider="samplecloud",
        region="eu-west",
        country="NL",
        instance="gpu-8x",
        accelerator="H100 SXM 80GB",
        accelerator_count=8,
        interconnect=Interconnect.NVLINK,
        pricing_term=PricingTerm.ON_DEMAND,
        usd_per_hour="21.52",  # type: ignore[arg-type]
        usd_per_accelerator_hour="2.69",  # type: ignore[arg-type]
        price_per_hour="21.52",  # type: ignore[arg-type]
        currency="USD",
        as_of=date(2026, 8, 20),
        age_days=87,
        stale=False,
        availability=Availability.UNKNOWN,
        source="https://example.org/prices",
    )
    return ToolResult(tool="find_offers", arguments=arguments, result=OfferList(offers=[row], matched=1).model_dump(mode="json"))


def passages(*texts: str, language: str = "en") -> ToolResult:
    rows = [
        Passage(id=f"guide:{n}", title=f"Article {n}", text=text, kind="guide", language=language, source="https://example.org/guide")
        for n, text in enumerate(texts)
    ]
    return ToolResult(tool="search_knowledge", arguments={"query": "q"}, result={"passages": [row.model_dump() for row in rows]})


def asked(intent: Any, language: Any = "en", **slots: Any) -> Understanding:
    extra = {
        name: slots.pop(name) for name in ("refusal", "topics", "false_premises", "unknown_names", "question_language") if name in slots
    }
    return Understanding(slots=Slots(**slots), intent=intent, language=language, **{"question_language": language, **extra})
