"""How many parameters train, by method."""

from __future__ import annotations

from collections.abc import Iterable

from tools.job import FineTuneJob
from tools.linear_modules import LinearModule, linear_modules
from tools.parameters import ParameterBlocks
from tools.terms import ModelKind

VIRTUAL_TOKENS = 20
"""Virtual tokens of prompt methods in PEFT's examples."""
ADAPTER_BOTTLENECK = 64
"""Width of a bottleneck adapter (arXiv:1902.00751, section 3)."""
LISA_LAYERS = 2
"""Layers LISA samples at a time (arXiv:2403.17919)."""
LLAMAPRO_BLOCKS = 4
"""New blocks of LLaMA-Pro (arXiv:2401.02415 adds 8 to 32 layers; trainers default to 4)."""
FROZEN_TOP_LAYERS = 3
"""Layers whose feed-forward block trains under `freeze`, where nothing else was said."""
CONTROLNET_SHARE = 0.42
"""The copied encoder's part of a UNet: 361 of 860 million parameters (arXiv:2302.05543, SD 1.5)."""
FULL_LIKE = frozenset({"full"})


def trains_all(job: FineTuneJob) -> bool:
    """Whether every base weight receives gradients."""
    return job.method in FULL_LIKE


def trains_base(job: FineTuneJob) -> bool:
    """Whether some base weights of linear layers train."""
    return job.method in ("full", "freeze", "lisa", "llamapro", "controlnet")


def targeted(job: FineTuneJob) -> tuple[LinearModule, ...]:
    """Linear layers that carry an adapter.

    `all-linear` means those of attention and dense feed-forward blocks; routed experts are stored as one tensor and only
    reached when named.
    """
    modules = linear_modules(job.architecture)
    targets = job.lora_target_modules
    if not targets or "all-linear" in targets or "all_linear" in targets:
        plain = tuple(module for module in modules if not module.routed)
        return plain or modules
    chosen = tuple(module for module in modules if any(module.matches(target.split(".")[-1]) for target in targets))
    return chosen or tuple(module for module in modules if module.name in ("q_proj", "v_proj")) or modules


def adapter_parameters(job: FineTuneJob, blocks: ParameterBlocks) -> int:
    """Parameters a PEFT method adds. LoRA: `r (in + out)` a layer (arXiv:2106.09685)."""
    a = job.architecture
    hidden, layers = a.hidden_size or 1024, a.num_hidden_layers or 24
    rank = job.lora_rank or 0
    chosen = targeted(job)
    width = sum((module.in_features + module.out_features) * module.count for module in chosen)
    if not chosen:
        # no dimensions known: a square layer of W weights has in + out = 2 sqrt(W); about 7 of them a block
        width = round(2 * (blocks.linear / max(1, 7 * layers)) ** 0.5 * 7 * layers)
    outputs = sum(module.out_features * module.count for module in chosen)
    match job.method:
        case "lora" | "qlora" | "adalora":
            return rank * width
        case "dora":
            return rank * width + outputs
        case "ia3" | "vera" | "adapter_v2":
            return outputs * (2 if job.method == "adapter_v2" else 1)
        case "loha":
            return 2 * rank * width
        case "lokr" | "tinylora" | "fourierft":
            return max(rank, 1) * width // 32  # a Kronecker factor of a low-rank one: far below LoRA's
        case "oft" | "boft":
            return rank * sum(module.in_features * module.count for module in chosen)
        case "prefix":
            heads = (a.num_key_value_heads or a.num_attention_heads or 16) * (a.head_dim or 64)
            return 2 * VIRTUAL_TOKENS * layers * heads
        case "prompt":
            return VIRTUAL_TOKENS * hidden
        case "p_tuning":
            return VIRTUAL_TOKENS * hidden + 2 * hidden * hidden
        case "adapter":
            return 2 * layers * (2 * hidden * ADAPTER_BOTTLENECK)
        case "adaption_prompt":
            return layers * (10 * hidden + 1)
        case "bitfit" | "ln_tuning" | "full" | "freeze" | "lisa" | "controlnet":
            return 0
        case "llamapro":
            return LLAMAPRO_BLOCKS * (blocks.linear // max(1, layers))
        case _:
            return max(rank, 1) * width


def trained_base_parameters(job: FineTuneJob, blocks: ParameterBlocks) -> int:
    """Base weights that receive gradients."""
    layers = job.architecture.num_hidden_layers or 24
    saved = saved_module_parameters(job, blocks)
    match job.method:
        case "full":
            return blocks.total - (blocks.image_tower if job.architecture.kind is ModelKind.VLM else 0)
        case "freeze":
            return (blocks.mlp + blocks.experts) * min(FROZEN_TOP_LAYERS, layers) // layers
        case "lisa":
            return blocks.embedding + blocks.head + blocks.linear * min(LISA_LAYERS, layers) // layers
        case "bitfit":
            return max(blocks.norms, (job.architecture.hidden_size or 1024) * 9 * layers)
        case "ln_tuning":
            return blocks.norms
        case "controlnet":
            return round(blocks.total * CONTROLNET_SHARE)
        case _:
            return saved


def saved_module_parameters(job: FineTuneJob, blocks: ParameterBlocks) -> int:
    """Modules trained in full beside an adapter; PEFT trains a copy."""
    sizes = {"embed": blocks.embedding, "wte": blocks.embedding, "head": blocks.head or blocks.embedding}
    return sum(_size_of(name, sizes.items()) for name in job.modules_to_save)


def _size_of(name: str, sizes: Iterable[tuple[str, int]]) -> int:
    return next((size for part, size in sizes if part in name), 0)
