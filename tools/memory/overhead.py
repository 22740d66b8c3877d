"""What lies outside tensors: CUDA context, communication library, workspaces, allocator."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.job import FineTuneJob
from tools.terms import Kernel
from tools.units import MIB

CONTEXT_MIB = {"Pascal": 300, "Volta": 330, "Turing": 280, "Ampere": 440, "Ada": 470, "Hopper": 560, "Blackwell": 640}
"""Context plus kernels of PyTorch on one card by generation, MiB: grows with the number of multiprocessors and the size
of the kernel images (CUDA 12 builds load lazily)."""
DEFAULT_CONTEXT_MIB = 450
NCCL_MIB = 600
"""Channel buffers of NCCL within one node, MiB a card."""
WORKSPACE_MIB = {"Hopper": 32, "Blackwell": 32}
"""cuBLAS workspace in torch's allocator (torch.backends: 32 MiB from Hopper on, 8 MiB before)."""


def context_bytes(accelerator: Accelerator | None, cards: int) -> int:
    """Outside the allocator on one card."""
    name = accelerator.architecture if accelerator is not None else ""
    base = next((size for generation, size in CONTEXT_MIB.items() if generation.lower() in name.lower()), DEFAULT_CONTEXT_MIB)
    return (base + (NCCL_MIB if cards > 1 else 0)) * MIB


def workspace_bytes(accelerator: Accelerator | None) -> int:
    """Matrix library workspaces inside the allocator."""
    name = accelerator.architecture if accelerator is not None else ""
    return next((size for generation, size in WORKSPACE_MIB.items() if generation in name), 8) * MIB


CHURN_VARYING, CHURN_FIXED = 0.22, 0.12
"""Reserved beyond what is in use, as a share of what comes and goes with a step: samples of varying lengths ask for
blocks of new sizes while the old ones stay cached; packed sequences and images are all of one size, and a compiled step is
fed one size so that it need not be compiled again."""


def fragmentation_bytes(job: FineTuneJob, static: float, dynamic: float) -> float:
    """Reserved beyond allocated at the peak.

    Blocks of 2 MiB and more are cut from segments of 20 MiB multiples; what comes and goes with the step (activations,
    temporaries) leaves gaps, what stays for the run hardly any.
    """
    fixed = job.packing or job.resolution is not None or Kernel.COMPILE in job.kernels
    return 0.01 * static + (CHURN_FIXED if fixed else CHURN_VARYING) * dynamic + 64 * MIB
