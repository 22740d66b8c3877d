"""Attainable rates of a card: matrix products, memory, links."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.duration.coefficients import Coefficients
from tools.job import FineTuneJob
from tools.terms import Interconnect, Network, Precision

CONSUMER_AMPERE = (8, 6)
PCIE_4 = 4
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
        each = c.tflops_per_watt_ada if card.consumer or card.tdp_watts < 700 else c.tflops_per_watt_blackwell
    else:
        each = c.tflops_per_watt_other
    return each * card.tdp_watts


def matrix_rate(job: FineTuneJob, card: Accelerator, c: Coefficients) -> float:
    """FLOP/s of large matrix products in the job's compute precision: most of the peak, or what the watts allow."""
    peak = sixteen_bit_peak(card)
    if peak is None:
        return 0.0
    if job.compute_precision is Precision.FP32:
        peak = card.dense_tflops.get(Precision.FP32, peak / 8)
    elif job.compute_precision is Precision.TF32:
        peak = card.dense_tflops.get(Precision.TF32, peak / 2)
    rate = min(c.peak_share * peak, watts_allow(card, c))
    if job.compute_precision in (Precision.FP8, Precision.NVFP4, Precision.MXFP4) and card.dense_tflops.get(Precision.FP8):
        rate *= 1 + c.fp8_gain
        if job.compute_precision is not Precision.FP8 and card.dense_tflops.get(Precision.NVFP4):
            rate *= 1 + c.fp4_gain
    return rate * 1e12


def memory_rate(card: Accelerator, c: Coefficients) -> float:
    """Bytes per second of streaming kernels; 20 bytes per 1000 FLOP of peak where no bandwidth is published."""
    label = card.memory_bandwidth_gb_per_s or (sixteen_bit_peak(card) or 100) * 5
    return label * 1e9 * c.bandwidth_share


def link_rate(job: FineTuneJob, card: Accelerator, c: Coefficients) -> float:
    """Bytes per second a card sends in a collective inside its node."""
    if job.interconnect in (Interconnect.NVLINK, Interconnect.XGMI, Interconnect.NVLINK_BRIDGE) and card.link_gb_per_s:
        return card.link_gb_per_s / 2 * 1e9 * c.nvlink_share
    generation = (card.pcie_generation or PCIE_4) / PCIE_4
    return (c.pcie_consumer_gb_per_s if card.consumer else c.pcie_gb_per_s) * 1e9 * generation


def network_rate(job: FineTuneJob, c: Coefficients) -> float:
    """Bytes per second a node sends to another one: the sum of its adapters."""
    gbps = job.network_gbps or DEFAULT_NETWORK_GBPS[job.network]
    return gbps / 8 * 1e9 * c.network_share
