"""The shared constants of the time model, one by one: what each stands for, and where its first guess comes from.

Calibrated together on published throughput (`tests/golden/duration`), with the first guess as prior; none belongs to a
model, a source or a framework's name.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

from tools.terms import Framework, Kernel


@dataclass(frozen=True, slots=True)
class Coefficients:
    """All constants of the time model."""

    peak_share: float = 0.885
    """Part of the dense peak large matrix products reach (cuBLAS on A100 and 4090: 0.75 to 0.9)."""
    tflops_per_watt_ampere: float = 0.895
    """What board power allows in 16-bit matrix work, TFLOP/s a watt: A100, 400 W, about 290 TFLOP/s."""
    tflops_per_watt_ampere_consumer: float = 0.334
    """The same on the 8 nm Ampere chips (RTX 30, A10, A40, A6000)."""
    tflops_per_watt_ada: float = 0.572
    """The same on Ada."""
    tflops_per_watt_hopper: float = 1.1
    """The same on Hopper: H100 SXM, 700 W, about 700 TFLOP/s; explains the PCIe form's 350 W."""
    tflops_per_watt_blackwell: float = 1.99
    """The same on data-centre Blackwell."""
    tflops_per_watt_other: float = 1.07
    """The same elsewhere (CDNA, Gaudi, Turing, Volta)."""
    fp8_gain: float = 0.778
    """Part of the doubled fp8 rate that remains after scaling and casting."""
    fp4_gain: float = 0.532
    """Part of the doubled fp4 rate over fp8 that remains."""
    attention_share: float = 0.501
    """Rate of flash attention over the rate of matrix products (arXiv:2307.08691: 0.5 to 0.7 on A100, less on Hopper)."""
    eager_attention_bytes: float = 20.2
    """Bytes moved per score (heads x pairs) and pass where the score matrix is written out."""
    elementwise_plain: float = 35.0
    """16-bit widths of the residual stream read or written per token, layer and forward pass by unfused code."""
    elementwise_tuned: float = 14.7
    """The same with compiled or fused element-wise work."""
    elementwise_vendor: float = 9.48
    """The same in vendor-tuned stacks."""
    backward_elementwise: float = 1.59
    """Element-wise traffic of the backward pass over that of the forward pass."""
    adapter_elementwise: float = 4.59
    """Widths of a layer's input and output moved per adapter branch and pass: casts, dropout, scaling, addition."""
    fused_adapter_share: float = 0.4
    """What fused adapter kernels leave of that."""
    dequantisation_bytes: float = 7.41
    """Bytes moved per 4-bit weight and pass while it is expanded (0.5 read, 2 written, 2 read, at partial bandwidth)."""
    bandwidth_share: float = 0.95
    """Part of the label memory bandwidth that streaming kernels reach."""
    launch_plain_us: float = 1080.0
    """Microseconds a layer and micro-step the host needs to issue the kernels of forward and backward pass, plain stack."""
    launch_tuned_us: float = 350.0
    """The same with compiled or fused code."""
    launch_vendor_us: float = 120.0
    """The same with graphs or vendor-fused layers."""
    hook_us: float = 350.0
    """Host time a layer that hooks of parameter-sharding engines add."""
    half_rate_tokens: float = 804.0
    """Tokens a micro-step at which matrix products reach half their rate."""
    nvlink_share: float = 0.452
    """Part of one direction of NVLink or xGMI collectives reach."""
    pcie_gb_per_s: float = 24.9
    """Collective bandwidth a card over data-centre PCIe 4.0, 1e9 bytes per second."""
    pcie_consumer_gb_per_s: float = 5.31
    """The same between desktop cards without peer access."""
    network_share: float = 0.95
    """Part of the label network bandwidth collectives reach."""
    overlap: float = 0.891
    """Part of a collective that hides behind computation where there is enough of it."""
    moe_share: float = 0.581
    """Rate of expert layers over that of dense ones: dispatch, imbalance, small products."""
    step_overhead: float = 0.027
    """Share of the step for loader, logging and synchronisation."""


DEFAULTS = Coefficients()

VENDOR_STACKS = frozenset({Framework.MEGATRON, Framework.NEMO, Framework.VENDOR})
TUNED_STACKS = frozenset({Framework.TORCHTITAN, Framework.TORCHTUNE, Framework.UNSLOTH, Framework.LITGPT, Framework.COMPOSER})
"""Stacks that fuse or compile by default; a documented fact, and the same as naming the kernels."""


def stack_class(framework: Framework | None, kernels: tuple[Kernel, ...]) -> str:
    """plain, tuned or vendor."""
    if framework in VENDOR_STACKS or Kernel.TRANSFORMER_ENGINE in kernels:
        return "vendor"
    if framework in TUNED_STACKS or Kernel.COMPILE in kernels:
        return "tuned"
    return "plain"


def names() -> list[str]:
    """Names of all constants."""
    return [field.name for field in fields(Coefficients)]


def with_values(base: Coefficients, values: dict[str, float]) -> Coefficients:
    """A copy with some constants replaced."""
    return replace(base, **values)
