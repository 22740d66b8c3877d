"""A duration estimate as text."""

from __future__ import annotations

from tools.results import DurationEstimate
from tools.units import count_text
from ui.text_common import closing, hours_range, number_range
from ui.text_table import section


def duration_text(estimate: DurationEstimate) -> list[str]:
    """Lines of the whole estimate."""
    if estimate.hours is None:
        head = f"{estimate.model}: {number_range(estimate.tokens_per_second, 0)} tokens/s; name dataset tokens for hours"
    else:
        head = f"{estimate.model}: {hours_range(estimate.hours)} for {count_text(estimate.total_tokens or 0)} tokens"
    shares = [
        f"{name.replace('_', ' ')}: {share:.0%}"
        for name, share in sorted(estimate.time_shares.items(), key=lambda entry: -entry[1])
        if share >= 0.005
    ]
    return [
        head,
        *section("Rate", rates(estimate)),
        *section("Where the step's time goes", shares),
        *closing(estimate.assumptions, estimate.citations, estimate.warnings),
    ]


def rates(estimate: DurationEstimate) -> list[str]:
    """Throughput, step time, utilisation and bound."""
    step = estimate.step_seconds
    lines = [
        f"tokens/s per card:  {number_range(estimate.tokens_per_second_per_accelerator, 0)}",
        f"tokens/s in all:    {number_range(estimate.tokens_per_second, 0)}",
        f"optimizer step:     {number_range(step, 2 if step.expected < 100 else 0)} s",
        f"mfu:                {estimate.mfu:.1%}",
        f"bound by:           {estimate.bound_by.replace('_', ' ')}",
    ]
    if estimate.device_hours is not None:
        lines.append(f"device hours:       {number_range(estimate.device_hours, 1)}")
    return lines
