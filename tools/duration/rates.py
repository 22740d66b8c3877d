"""Attainable rates of a card: matrix products, memory, links."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.duration.coefficients import Coefficients
from tools.duration.setting import Setting
from tools.terms import Interconnect, Network, Precision

CONSUMER_AMPERE = (8, 6)
BOARD_WATTS = 700
"""Power from which a Blackwell card is a data-centre board; the others use the process of Ada."""
PCIE_4 = 4
PAIR = 2
HOPPER = (9, 0)
OWN_LINKS = frozenset({Interconnect.NVLINK, Interconnect.XGMI, Interconnect.NVLINK_BRIDGE, Interconnect.UNKNOWN})
"""Links of the cards' own; a card that has some, and whose record does not name their kind, uses them."""
EIGHT_BIT = frozenset({Precision.FP8, Precision.NVFP4, Precision.MXFP4})
FOUR_BIT = frozenset({Precision.NVFP4, Precision.MXFP4})
DEFAULT_NETWORK_GBPS = {
    Network.INFINIBAND: 1600.0,
    Network.ROCE: 800.0,
    Network.EFA: 400.0,
    Network.NVLINK: 3200.0,
    Network.ETHERNET: 100.0,
    Network.UNKNOWN: 400.0,
}
"""Gbit/s a node where only the kind is known; said as an assumption."""


def sixteen_bit_peak(card: Accelerator) -> float | None:
    """Dense 16-bit peak with fp32 accumulation, 1e12 FLOP/s; fp32 where there are no 16-bit units."""
    rates = card.dense_tflops
    for precision in (Precision.BF16, Precision.FP16, Precision.FP32):
        if rates.get(precision):
            return rates[precision]
    return None


def watts_allow(card: Accelerator, c: Coefficients) -> float:
    """What board power allows, 1e12 FLOP/s in 16 bit; no bound where the power is not known."""
    if card.tdp_watts is None:
        return float("inf")
    name = card.architecture.lower()
    if "ampere" in name:
        each = c.tflops_per_watt_ampere_consumer if (card.capability or (8, 0)) >= CONSUMER_AMPERE else c.tflops_per_watt_ampere
    elif "ada" in name:
        each = c.tflops_per_watt_ada
    elif "hopper" in name:
        each = c.tflops_per_watt_hopper
    elif "blackwell" in name:
        each = c.tflops_per_watt_ada if card.consumer or card.tdp_watts < BOARD_WATTS else c.tflops_per_watt_blackwell
    elif "cdna" in name:
        each = c.tflops_per_watt_cdna
    else:
        each = c.tflops_per_watt_other
    return each * card.tdp_watts


def matrix_rate(precision: Precision, card: Accelerator, c: Coefficients, *, whole_blocks: bool = False) -> float:
    """FLOP/s of large matrix products in a compute precision: most of the peak, or what the watts allow.

    Lower precisions keep a part of what their peaks promise over the next higher one; more where the stack stays in fp8
    through `whole_blocks`. A format the card has no peak for runs at the rate of the next higher one.
    """
    peak = sixteen_bit_peak(card)
    if peak is None:
        return 0.0
    rates = card.dense_tflops
    if precision is Precision.FP32:
        peak = rates.get(Precision.FP32, peak / 8)
    elif precision is Precision.TF32:
        peak = rates.get(Precision.TF32, peak / 2)
    rate = min(c.peak_share * peak, watts_allow(card, c))
    eight = rates.get(Precision.FP8)
    if precision in EIGHT_BIT and eight:
        rate *= 1 + (c.fp8_gain_vendor if whole_blocks else c.fp8_gain) * max(0.0, eight / peak - 1)
        four = rates.get(Precision.NVFP4) or rates.get(Precision.MXFP4)
        if precision in FOUR_BIT and four:
            rate *= 1 + c.fp4_gain * max(0.0, four / eight - 1)
    return rate * 1e12


def memory_rate(card: Accelerator, c: Coefficients) -> float:
    """Bytes per second of streaming kernels; 20 bytes per 1000 FLOP of peak where no bandwidth is published."""
    label = card.memory_bandwidth_gb_per_s or (sixteen_bit_peak(card) or 100) * 5
    return label * 1e9 * c.bandwidth_share


def link_rate(where: Setting, c: Coefficients) -> float:
    """Bytes per second a card sends in a collective inside its node: one direction of NVLink, or PCIe far below its label."""
    card = where.card
    if where.interconnect in OWN_LINKS and card.link_gb_per_s:
        return card.link_gb_per_s / 2 * 1e9 * c.nvlink_share
    generation = (card.pcie_generation or PCIE_4) / PCIE_4
    if card.consumer:
        return c.pcie_consumer_gb_per_s * 1e9 * generation
    pair = where.per_node == PAIR and card.link_gb_per_s is not None
    open_link = where.interconnect is Interconnect.UNKNOWN and not card.form_stated
    return c.pcie_gb_per_s * 1e9 * generation * (c.bridge_gain if pair or open_link else 1.0)


def network_rate(where: Setting, c: Coefficients) -> float:
    """Bytes per second a node sends to another one: the sum of its adapters."""
    if where.network is Network.NVLINK and where.network_gbps is None:  # one NVLink domain over several trays
        return link_rate(where, c) * where.per_node
    gbps = where.network_gbps or DEFAULT_NETWORK_GBPS[where.network]
    return gbps / 8 * 1e9 * c.network_share
