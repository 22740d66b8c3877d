"""An accelerator's card as text."""

from __future__ import annotations

from tools.card_results import AcceleratorCard
from tools.units import gib_text
from ui.text_common import sources
from ui.text_table import items, pairs, section, table
from ui.text_value import value_text


def accelerator_text(card: AcceleratorCard) -> list[str]:
    """Lines of the card."""
    capability = f", compute capability {card.compute_capability}" if card.compute_capability else ""
    year = f", {card.release_year}" if card.release_year else ""
    return [
        f"{card.accelerator}: {card.memory_label_gb:g} GB {card.memory_type} ({card.vendor}, {card.architecture}{year}{capability})",
        *section("Memory and links", pairs(hardware(card))),
        *section("Dense peaks, 1e12 operations a second", pairs(peaks(card))),
        *section("Several cards go by this name; the figures above are the slower form's", variants(card)),
        *section("Cannot", items(card.cannot)),
        *section("Needs", items(card.needs)),
        *section("Notes", items(note for note in (card.instance, card.notes, card.verification) if note)),
        *sources(card.citations),
    ]


def hardware(card: AcceleratorCard) -> dict[str, object]:
    """Memory, bandwidth, links and power."""
    assumed = " (assumed: 95 % of the label, nobody published the figure)" if card.usable_is_assumed else ""
    link = card.interconnect.value.replace("_", " ")
    return {
        "usable by programs": f"{gib_text(card.usable_bytes)}{assumed}",
        "bandwidth": "unknown" if card.memory_bandwidth_gb_per_s is None else f"{value_text(card.memory_bandwidth_gb_per_s)} GB/s",
        "link inside a node": link if card.link_gb_per_s is None else f"{link}, {value_text(card.link_gb_per_s)} GB/s both directions",
        "PCI Express": "unknown" if card.pcie_generation is None else f"generation {card.pcie_generation}",
        "board power": "unknown" if card.tdp_watts is None else f"{card.tdp_watts} W",
        "desktop card": card.consumer,
    }


def peaks(card: AcceleratorCard) -> dict[str, object]:
    """Rates by precision; 16-bit rates accumulate in fp32."""
    rates: dict[str, object] = {precision.value: rate for precision, rate in card.dense_tflops.items()}
    if card.fp16_accumulate_tflops is not None:
        rates["fp16, fp16 accumulation"] = card.fp16_accumulate_tflops
    if card.int8_tops is not None:
        rates["int8"] = card.int8_tops
    return rates


def variants(card: AcceleratorCard) -> list[str]:
    """A table of the forms."""
    rows = [
        [
            form.accelerator,
            f"{form.memory_label_gb:g}",
            value_text(form.memory_bandwidth_gb_per_s),
            value_text(form.bf16_tflops),
            form.interconnect.value,
        ]
        for form in card.variants
    ]
    return table(["accelerator", "GB", "GB/s", "bf16 TFLOP/s", "link"], rows, right=(1, 2, 3)) if rows else []
