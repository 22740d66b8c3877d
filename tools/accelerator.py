"""A GPU or another training chip."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from tools.base import Value
from tools.terms import Interconnect, Precision

TrainingSupport = Literal["yes", "vendor_stack", "no"]
"""PyTorch on CUDA or ROCm; only the vendor's own stack (TPU, Neuron, Gaudi); or none for fine-tuning."""


class Accelerator(Value):
    """What a card has and cannot do. Rates are dense (no structured sparsity); absent means that no source states it."""

    id: str
    """Canonical name, e.g. `H100 SXM 80GB`."""
    vendor: str
    """nvidia, amd, intel, google, aws, ..."""
    architecture: str
    """Generation: Ampere, Hopper, CDNA3, ..."""
    release_year: int | None = None
    """Year of release."""
    memory_label_gb: float = Field(gt=0)
    """The figure on the box."""
    usable_mib: int | None = Field(default=None, gt=0)
    """MiB the driver reports as total; None where nobody published it (then 95 % of the label, said as an assumption)."""
    memory_type: str = "unknown"
    """HBM3, GDDR6X, ..."""
    memory_bandwidth_gb_per_s: float | None = Field(default=None, gt=0)
    """Peak memory bandwidth, 1e9 bytes per second."""
    dense_tflops: dict[Precision, float] = {}
    """Dense peak in 1e12 FLOP/s by precision; 16-bit rates accumulate in fp32."""
    fp16_accumulate_tflops: float | None = Field(default=None, gt=0)
    """Dense fp16 peak with fp16 accumulation, the figure consumer data sheets show."""
    int8_tops: float | None = Field(default=None, gt=0)
    """Dense int8 peak in 1e12 operations per second."""
    supports_bf16: bool | None = None
    """bf16 matrix units in hardware."""
    supports_fp8: bool | None = None
    """fp8 matrix units in hardware."""
    compute_capability: str | None = None
    """CUDA compute capability, e.g. `9.0`."""
    interconnect: Interconnect = Interconnect.UNKNOWN
    """Best link between two such cards in one node."""
    link_gb_per_s: float | None = Field(default=None, gt=0)
    """NVLink or xGMI bandwidth per card, both directions, 1e9 bytes per second."""
    pcie_generation: int | None = None
    """PCI Express generation."""
    tdp_watts: int | None = Field(default=None, gt=0)
    """Board power."""
    training_support: TrainingSupport = "yes"
    """What software fine-tunes on it."""
    consumer: bool = False
    """A desktop card."""
    form_stated: bool = True
    """False for a name that leaves form factor or memory size open; formulas then take the slower form."""
    aliases: tuple[str, ...] = ()
    """Ways people write the name."""
    verification: str = ""
    """Which rates were cross-checked."""
    source: str = "unknown"
    """Where the figures come from."""
    as_of: str = "unknown"
    """Date of the record."""
    notes: str = ""
    """What a reader should know."""

    @property
    def usable_bytes(self) -> int:
        """Bytes the driver gives to programs; 95 % of the label (in 1e9 bytes) where no figure is published."""
        if self.usable_mib is not None:
            return self.usable_mib * 2**20
        return int(self.memory_label_gb * 1e9 * 0.95)

    @property
    def capability(self) -> tuple[int, int] | None:
        """CUDA compute capability as numbers, None for other vendors."""
        if not self.compute_capability:
            return None
        major, _, minor = self.compute_capability.partition(".")
        return (int(major), int(minor or 0)) if major.isdigit() else None

    def computes_in(self, precision: Precision) -> bool | None:
        """Whether fine-tuning code can hold or multiply in this format on the card; None where no source says so.

        nf4 and int4 are storage formats that are multiplied in 16 bit. NVFP4 came with compute capability 10.0
        (https://docs.nvidia.com/cuda/blackwell-tuning-guide), tf32 with 8.0 (https://docs.nvidia.com/cuda/ampere-tuning-guide).
        """
        if precision is Precision.BF16:
            return self.supports_bf16
        if precision is Precision.FP8:
            return self.supports_fp8
        if precision in (Precision.NF4, Precision.INT4):
            return self.training_support == "yes"
        if precision is Precision.INT8:
            return True if self.int8_tops else None
        if precision in self.dense_tflops or precision is Precision.FP32:
            return True
        since = {Precision.NVFP4: (10, 0), Precision.TF32: (8, 0)}.get(precision)
        return self.capability >= since if since and self.capability else None
