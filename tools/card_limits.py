"""What an accelerator cannot do and what it needs, as rules over its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tools.accelerator import Accelerator
from tools.terms import Interconnect, Precision


@dataclass(frozen=True, slots=True)
class Rule:
    """A statement, when it holds, and where it is documented."""

    holds: Callable[[Accelerator], bool]
    statement: str
    source: str


def _below(major: int, minor: int) -> Callable[[Accelerator], bool]:
    return lambda card: card.vendor == "nvidia" and card.capability is not None and card.capability < (major, minor)


def _from(major: int, minor: int) -> Callable[[Accelerator], bool]:
    return lambda card: card.vendor == "nvidia" and card.capability is not None and card.capability >= (major, minor)


def _half_rate(card: Accelerator) -> bool:
    rate, fast = card.dense_tflops.get(Precision.FP16), card.fp16_accumulate_tflops
    return rate is not None and fast is not None and fast > 1.5 * rate


_CUDA = "https://docs.nvidia.com/cuda/cuda-c-programming-guide/#compute-capabilities"

CANNOT: tuple[Rule, ...] = (
    Rule(
        lambda card: card.training_support == "no",
        "No current training stack supports it; do not rent it for fine-tuning.",
        "https://pytorch.org/get-started/locally/",
    ),
    Rule(
        lambda card: card.supports_bf16 is False,
        "No bf16 in hardware: train in fp16 with loss scaling, or in fp32.",
        "https://docs.pytorch.org/docs/stable/amp.html",
    ),
    Rule(_below(7, 0), "No tensor cores.", _CUDA),
    Rule(
        _below(8, 0),
        "No FlashAttention-2 (it needs compute capability 8.0); use PyTorch's sdpa.",
        "https://github.com/Dao-AILab/flash-attention",
    ),
    Rule(_below(8, 0), "No TF32.", _CUDA),
    Rule(
        lambda card: card.supports_fp8 is False and card.vendor in ("nvidia", "amd"),
        "No fp8 matrix units (NVIDIA: from compute capability 8.9).",
        "https://docs.nvidia.com/deeplearning/transformer-engine/user-guide/index.html",
    ),
    Rule(
        lambda card: card.vendor == "nvidia" and card.capability is not None and (8, 9) <= card.capability < (10, 0),
        "No nvfp4 matrix units (from Blackwell on).",
        _CUDA,
    ),
    Rule(
        lambda card: card.vendor == "nvidia" and card.interconnect is Interconnect.PCIE and card.link_gb_per_s is None,
        "No NVLink: several cards talk over PCI Express.",
        "the accelerator's data sheet",
    ),
    Rule(
        lambda card: card.interconnect is Interconnect.NVLINK_BRIDGE,
        "NVLink only through a bridge between two cards, which clouds rarely fit.",
        "the accelerator's data sheet",
    ),
    Rule(
        _half_rate,
        "Accumulating in fp32, as training does, runs at half the tensor rate on the box.",
        "the accelerator's architecture whitepaper",
    ),
)
"""Limits, most important first."""

NEEDS: tuple[Rule, ...] = (
    Rule(
        _from(10, 0), "Needs CUDA 12.8 or newer and a PyTorch built for it.", "https://docs.nvidia.com/cuda/blackwell-compatibility-guide/"
    ),
    Rule(
        _below(7, 5),
        "Needs builds for CUDA 12: CUDA 13 dropped Maxwell, Pascal and Volta.",
        "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/",
    ),
    Rule(
        lambda card: card.vendor == "amd" and card.training_support == "yes",
        "Needs ROCm builds of PyTorch and of every kernel library.",
        "https://rocm.docs.amd.com/",
    ),
    Rule(
        lambda card: card.vendor == "google",
        "Needs XLA (JAX or PyTorch/XLA); CUDA code does not run.",
        "https://docs.cloud.google.com/tpu/docs",
    ),
    Rule(
        lambda card: card.vendor == "aws" and card.training_support == "vendor_stack",
        "Needs the Neuron SDK (optimum-neuron); CUDA code does not run.",
        "https://awsdocs-neuron.readthedocs-hosted.com/",
    ),
    Rule(
        lambda card: card.vendor == "intel", "Needs the Gaudi software (optimum-habana); CUDA code does not run.", "https://docs.habana.ai/"
    ),
    Rule(
        lambda card: "aarch64" in card.notes or "Arm (Grace)" in card.notes,
        "Sits in an Arm host: needs aarch64 wheels.",
        "the accelerator's data sheet",
    ),
)
"""What has to be installed or built."""


def limits(card: Accelerator) -> list[str]:
    """What the card cannot do."""
    return [rule.statement for rule in CANNOT if rule.holds(card)]


def needs(card: Accelerator) -> list[str]:
    """What the card needs."""
    return [rule.statement for rule in NEEDS if rule.holds(card)]
