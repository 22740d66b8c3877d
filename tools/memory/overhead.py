"""What lies outside tensors: CUDA context, communication library, workspaces, allocator."""

from __future__ import annotations

from tools.accelerator import Accelerator
from tools.job import FineTuneJob
from tools.terms import Kernel
from tools.units import MIB

CONTEXT_MIB = {"Pascal": 300, "Volta": 1343, "Turing": 141, "Ampere": 440, "Ada": 470, "Hopper": 560, "Blackwell": 640}
"""What a process holds outside torch's pool, MiB by generation: the context, which grows with the multiprocessors, and
kernel images of PyTorch, cuBLAS, flash attention and bitsandbytes as far as they are loaded. Measured: Turing 140.9 (T4,
fitcheck-llm 0.3.1, 2026-09, lazy loading), Volta 1343 (V100, transformers' perf_train_gpu_one, 2022, everything loaded), the A100
about 1100 (fms-acceleration benchmark, 2024, nvidia-smi less the pool, with such kernels)."""
GA100_CONTEXT_MIB = 1100
"""Compute capability 8.0: 108 multiprocessors, and the generation most kernel libraries are built for."""
DEFAULT_CONTEXT_MIB = 450
NCCL_MIB = 1200
"""NCCL within one node, MiB a card: up to 24 channels of 10 MiB buffers (NCCL_BUFFSIZE and the low-latency protocols) for each
of the two or three communicators a sharded run opens."""
WORKSPACE_MIB = {"Hopper": 32, "Blackwell": 32}
"""cuBLAS workspace in torch's allocator (torch.backends: 32 MiB from Hopper on, 8 MiB before)."""


def context_bytes(accelerator: Accelerator | None, cards: int) -> int:
    """Outside the allocator on one card."""
    name = accelerator.architecture if accelerator is not None else ""
    base = next((size for generation, size in CONTEXT_MIB.items() if generation.lower() in name.lower()), DEFAULT_CONTEXT_MIB)
    if accelerator is not None and accelerator.capability == (8, 0):
        base = GA100_CONTEXT_MIB
    return (base + (NCCL_MIB if cards > 1 else 0)) * MIB


def workspace_bytes(accelerator: Accelerator | None) -> int:
    """Matrix library workspaces inside the allocator."""
    name = accelerator.architecture if accelerator is not None else ""
    return next((size for generation, size in WORKSPACE_MIB.items() if generation in name), 8) * MIB


CHURN_VARYING, CHURN_FIXED, CHURN_LOGITS = 0.30, 0.12, 0.20
"""Reserved beyond what is in use, as a share of what comes and goes with a step: samples of varying lengths ask for
blocks of new sizes while the old ones stay cached; packed sequences and images are all of one size, and a compiled step is
fed one size so that it need not be compiled again. Logits are a few large blocks, each in a segment of its own that the next
step takes whole, so that they leave fewer gaps than activations of many sizes."""


def fragmentation_bytes(job: FineTuneJob, static: float, dynamic: float, logits: float) -> float:
    """Reserved beyond allocated at the peak.

    Blocks of 2 MiB and more are cut from segments of 20 MiB multiples; what comes and goes with the step (activations,
    temporaries) leaves gaps, what stays for the run hardly any.
    """
    fixed = job.packing or job.resolution is not None or Kernel.COMPILE in job.kernels
    moving = CHURN_FIXED * (dynamic + logits) if fixed else CHURN_VARYING * dynamic + CHURN_LOGITS * logits
    return 0.01 * static + moving + 64 * MIB
