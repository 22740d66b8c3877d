"""A memory estimate as text: verdict, peak with range, breakdown, sensitivity."""

from __future__ import annotations

from tools.results import MemoryEstimate
from tools.units import count_text, decimal_text, gib
from ui.text_common import closing, gib_range, verdict_text
from ui.text_table import section, table


def memory_text(estimate: MemoryEstimate) -> list[str]:
    """Lines of the whole estimate."""
    return [
        f"{estimate.model}: {gib_range(estimate.peak_device_bytes)} per card at the peak ({estimate.peak_phase.replace('_', ' ')})",
        verdict_text(estimate.verdict),
        *section("Peak per card", peaks(estimate)),
        *section("At the peak", breakdown(estimate)),
        *section(
            "Phases (allocated)", [f"{name.replace('_', ' ')}: {decimal_text(gib(size), 1)} GiB" for name, size in estimate.phases.items()]
        ),
        *section("With one thing changed", sensitivity(estimate)),
        *closing(estimate.assumptions, estimate.citations, estimate.warnings),
    ]


def peaks(estimate: MemoryEstimate) -> list[str]:
    """The three figures people measure, host memory and parameter counts."""
    share = estimate.trainable_parameters / max(1, estimate.total_parameters)
    return [
        f"nvidia-smi (device):       {gib_range(estimate.peak_device_bytes)}",
        f"max_memory_reserved:       {gib_range(estimate.peak_reserved_bytes)}",
        f"max_memory_allocated:      {gib_range(estimate.peak_allocated_bytes)}",
        f"host memory of the node:   {gib_range(estimate.host_ram_bytes)}",
        f"parameters that train:     {count_text(estimate.trainable_parameters)} of {count_text(estimate.total_parameters)} ({share:.2%})",
    ]


def breakdown(estimate: MemoryEstimate) -> list[str]:
    """Components, largest first, with their share."""
    total = sum(estimate.breakdown.values()) or 1
    ordered = sorted(estimate.breakdown.items(), key=lambda entry: -entry[1])
    rows = [[name.replace("_", " "), decimal_text(gib(size), 2), f"{size / total:.0%}"] for name, size in ordered]
    return table(["component", "GiB", "share"], [*rows, ["total", decimal_text(gib(total), 2), "100%"]], right=(1, 2)) if rows else []


def sensitivity(estimate: MemoryEstimate) -> list[str]:
    """Changed argument, value, peak and fit."""
    if not estimate.sensitivity:
        return []
    words = {True: "fits", False: "does not fit", "conditional": "depends", None: ""}
    rows = [[row.change, str(row.value), gib_range(row.peak_device_bytes), words[row.fits]] for row in estimate.sensitivity]
    return table(["argument", "value", "peak per card", "fit"], rows)
