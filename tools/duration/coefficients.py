"""The shared constants of the time model, one by one: what each stands for, and where its first guess comes from.

Calibrated together on published throughput (`tests/golden/duration`), with the first guess as prior; none belongs to a
model, a source or a framework's name.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace


@dataclass(frozen=True, slots=True)
class Coefficients:
    """All constants of the time model."""

    peak_share: float = 0.855
    """Part of the dense peak large matrix products reach (cuBLAS on A100 and 4090: 0.75 to 0.9)."""
    tflops_per_watt_ampere: float = 0.886
    """What board power allows in 16-bit matrix work, TFLOP/s a watt: A100, 400 W, about 290 TFLOP/s."""
    tflops_per_watt_ampere_consumer: float = 0.299
    """The same on the 8 nm Ampere chips (RTX 30, A10, A40, A6000)."""
    tflops_per_watt_ada: float = 0.505
    """The same on Ada."""
    tflops_per_watt_hopper: float = 0.931
    """The same on Hopper: H100 SXM, 700 W, about 700 TFLOP/s; explains the PCIe form's 350 W."""
    tflops_per_watt_blackwell: float = 1.54
    """The same on data-centre Blackwell."""
    tflops_per_watt_cdna: float = 1.02
    """The same on AMD's CDNA3 and CDNA4."""
    tflops_per_watt_other: float = 0.529
    """The same elsewhere (Gaudi, Turing, Volta)."""
    fp8_gain: float = 0.433
    """Part of the further fp8 rate that remains after scaling and casting in stacks that convert single layers."""
    fp8_gain_vendor: float = 0.807
    """The same where the stack keeps fp8 through whole blocks."""
    fp4_gain: float = 0.519
    """Part of the further fp4 rate over fp8 that remains."""
    attention_share: float = 0.611
    """Rate of flash attention over the rate of matrix products (arXiv:2307.08691: 0.5 to 0.7 on A100)."""
    attention_share_hopper: float = 0.453
    """The same from Hopper on with FlashAttention-2, which does not use its new units (arXiv:2407.08608: 35 to 50 % of peak)."""
    attention_share_vendor: float = 0.669
    """The same from Hopper on with the maker's own kernels (arXiv:2407.08608: up to 75 % of peak)."""
    eager_attention_bytes: float = 20.4
    """Bytes moved per score (heads x pairs) and pass where the score matrix is written out."""
    elementwise_plain: float = 28.4
    """16-bit widths of the residual stream read or written per token, layer and forward pass by unfused code."""
    elementwise_tuned: float = 21.8
    """The same with the usual fused kernels."""
    compiled_share: float = 0.568
    """What compiling whole blocks leaves of that."""
    elementwise_vendor: float = 10.1
    """The same in vendor-tuned stacks."""
    backward_elementwise: float = 1.94
    """Element-wise traffic of the backward pass over that of the forward pass."""
    adapter_elementwise: float = 5.31
    """Widths of a layer's input and output moved per adapter branch and pass: casts, dropout, scaling, addition."""
    fused_adapter_share: float = 0.393
    """What fused adapter kernels leave of that."""
    dequantisation_bytes: float = 7.9
    """Bytes moved per 4-bit weight and pass while it is expanded (0.5 read, 2 written, 2 read, at partial bandwidth)."""
    bandwidth_share: float = 0.95
    """Part of the label memory bandwidth that streaming kernels reach."""
    launch_plain_us: float = 1000.0
    """Microseconds a layer and micro-step the host needs to issue the kernels of forward and backward pass, plain stack."""
    launch_tuned_us: float = 350.0
    """The same with compiled or fused code."""
    launch_vendor_us: float = 121.0
    """The same with graphs or vendor-fused layers."""
    launch_routed_us: float = 3630.0
    """Host time a routed layer adds in any stack: routing, permuting, waiting for the counts of tokens by expert."""
    adapter_launch: float = 1.57
    """Launch time of a plain stack with adapters over that without."""
    launch_hidden: float = 0.69
    """Part of the device's time behind which the host issues kernels."""
    hook_us: float = 350.0
    """Host time a layer that gathers of sharded parameters add (FSDP)."""
    hook_engine_us: float = 1520.0
    """Host time a layer that an engine's hooks on gradients and optimizer add (DeepSpeed); not hidden."""
    hook_module_us: float = 5230.0
    """Host time a layer that fetching and releasing module by module adds (ZeRO-3): about 20 modules with adapters, each with hooks
    before and after; not hidden."""
    half_rate_tokens: float = 351.0
    """Tokens a micro-step at which matrix products of a 300 TFLOP/s card reach half their rate; more on faster cards."""
    nvlink_share: float = 0.705
    """Part of one direction of NVLink or xGMI collectives reach."""
    pcie_gb_per_s: float = 12.8
    """Collective bandwidth a card over data-centre PCIe 4.0, 1e9 bytes per second."""
    bridge_gain: float = 2.22
    """The same between two cards that can carry a bridge, and where nobody states form or link, over that: many have one, few say so."""
    pcie_consumer_gb_per_s: float = 4.8
    """The same between desktop cards without peer access."""
    network_share: float = 0.865
    """Part of the label network bandwidth collectives reach."""
    overlap_plain: float = 0.469
    """Part of a collective that hides behind computation in plain stacks, where there is enough of it."""
    overlap_tuned: float = 0.95
    """The same in tuned and vendor stacks."""
    overlap_engine: float = 0.0511
    """The same under ZeRO-3, whose hooks gather module by module as the host reaches them."""
    overlap_tensor: float = 0.537
    """Part of tensor-parallel exchange a vendor stack hides inside its products; other stacks hide none."""
    bubble_plain: float = 0.95
    """Idle part of a pipeline over (stages - 1) / micro-steps."""
    bubble_vendor: float = 0.271
    """The same with interleaved stages (arXiv:2104.04473)."""
    moe_share: float = 0.785
    """Rate of wide expert layers over that of dense ones: dispatch, imbalance, permutation."""
    expert_half_width: float = 1010.0
    """Width of an expert at which its products reach half that rate."""
    step_overhead: float = 0.03
    """Share of the step for loader, logging and synchronisation."""
    optimizer_bytes: float = 25.7
    """Bytes an optimizer step with two fp32 states moves per trained parameter."""


DEFAULTS = Coefficients()


def names() -> list[str]:
    """Names of all constants."""
    return [field.name for field in fields(Coefficients)]


def with_values(base: Coefficients, values: dict[str, float]) -> Coefficients:
    """A copy with some constants replaced."""
    return replace(base, **values)
