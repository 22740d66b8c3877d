"""Classes of training stack: what is fused, what overlaps, what the host adds."""

from __future__ import annotations

from typing import Literal

from tools.terms import Framework, Kernel

StackClass = Literal["plain", "tuned", "vendor"]

VENDOR_STACKS = frozenset({Framework.MEGATRON, Framework.VENDOR})
"""Stacks on a hardware maker's fused layers throughout. NeMo is one where it runs on Transformer Engine; its AutoModel trains
Transformers models in PyTorch (https://docs.nvidia.com/nemo/automodel)."""
TUNED_STACKS = frozenset(
    {Framework.TORCHTITAN, Framework.TORCHTUNE, Framework.UNSLOTH, Framework.LITGPT, Framework.COMPOSER, Framework.NEMO}
)
"""Stacks that fuse or compile by default; a documented fact, and the same as naming the kernels."""


def stack_class(framework: Framework | None, kernels: tuple[Kernel, ...]) -> StackClass:
    """plain, tuned or vendor."""
    if framework in VENDOR_STACKS or Kernel.TRANSFORMER_ENGINE in kernels:
        return "vendor"
    if framework in TUNED_STACKS or Kernel.COMPILE in kernels:
        return "tuned"
    return "plain"
