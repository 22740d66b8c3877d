"""What optimizers hold per trained parameter, and what their step needs for a moment."""

from __future__ import annotations

from dataclasses import dataclass

from tools.errors import UnknownName

BLOCK_OVERHEAD = 4 / 256
"""fp32 maximum per 256 values of a block-wise 8-bit state (bitsandbytes, arXiv:2110.02861)."""


@dataclass(frozen=True, slots=True)
class OptimizerFacts:
    """Bytes of an optimizer. `states` counts state tensors; `state_bytes` their width, None where it is the parameter's."""

    states: float
    state_bytes: float | None = None
    foreach: bool = False
    """The step runs over all parameters at once and holds one more tensor of their size (torch's foreach default)."""
    paged: bool = False
    """States lie in unified memory, outside torch's allocator."""
    per_tensor_workspace: float = 0.0
    """Temporaries in bytes per element of the largest tensor, for steps that go tensor by tensor."""
    in_backward: bool = False
    """The method is defined by stepping inside the backward pass."""


OPTIMIZERS: dict[str, OptimizerFacts] = {
    "adamw_torch": OptimizerFacts(2, foreach=True),
    "adamw_torch_fused": OptimizerFacts(2),
    "adamw_bnb_8bit": OptimizerFacts(2, 1 + BLOCK_OVERHEAD),
    "paged_adamw_8bit": OptimizerFacts(2, 1 + BLOCK_OVERHEAD, paged=True),
    "paged_adamw_32bit": OptimizerFacts(2, 4, paged=True),
    "adamw_torch_4bit": OptimizerFacts(2, 0.5 + 4 / 128, per_tensor_workspace=12),
    "adamw_torch_8bit": OptimizerFacts(2, 1 + BLOCK_OVERHEAD, per_tensor_workspace=12),
    "adamw_torch_fp8": OptimizerFacts(2, 1 + BLOCK_OVERHEAD, per_tensor_workspace=12),
    "adafactor": OptimizerFacts(0.002, 4, per_tensor_workspace=12),
    "lion": OptimizerFacts(1, foreach=False, per_tensor_workspace=4),
    "lion_32bit": OptimizerFacts(1, 4),
    "lion_8bit": OptimizerFacts(1, 1 + BLOCK_OVERHEAD),
    "paged_lion_32bit": OptimizerFacts(1, 4, paged=True),
    "paged_lion_8bit": OptimizerFacts(1, 1 + BLOCK_OVERHEAD, paged=True),
    "sgd": OptimizerFacts(0),
    "muon": OptimizerFacts(1, per_tensor_workspace=12),
    "galore_adamw": OptimizerFacts(0.25, per_tensor_workspace=12),
    "galore_adamw_8bit": OptimizerFacts(0.25, 1 + BLOCK_OVERHEAD, per_tensor_workspace=12),
    "lomo": OptimizerFacts(0, in_backward=True),
    "adalomo": OptimizerFacts(0.002, 4, in_backward=True, per_tensor_workspace=12),
    "apollo_adamw": OptimizerFacts(0.1, per_tensor_workspace=12),
    "rmsprop": OptimizerFacts(1, foreach=True),
    "adagrad": OptimizerFacts(1, foreach=True),
    "prodigy": OptimizerFacts(4, foreach=False, per_tensor_workspace=8),
}
"""By canonical name. Adafactor holds a row and a column per matrix (arXiv:1804.04235); GaLore states of a quarter of the
rank (arXiv:2403.03507, rank = width / 4)."""

SPELLINGS = {
    "adamw": "adamw_torch",
    "adam": "adamw_torch",
    "adamw_hf": "adamw_torch",
    "adamw_32bit": "adamw_torch",
    "adamw_anyprecision": "adamw_torch",
    "adamw_fused": "adamw_torch_fused",
    "adamw_8bit": "adamw_bnb_8bit",
    "adam8bit": "adamw_bnb_8bit",
    "adamw8bit": "adamw_bnb_8bit",
    "adamw_apex_fused": "adamw_torch_fused",
    "paged_adamw": "paged_adamw_32bit",
    "adamw_4bit": "adamw_torch_4bit",
    "adamw_fp8": "adamw_torch_fp8",
    "galore": "galore_adamw",
    "galore_adafactor": "galore_adamw",
    "galore_adamw_layerwise": "galore_adamw",
    "apollo": "apollo_adamw",
    "paged_lion": "paged_lion_32bit",
}


def canonical_optimizer(name: str) -> str:
    """One name for each optimizer. Raises UnknownName."""
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    plain = SPELLINGS.get(plain, plain)
    if plain not in OPTIMIZERS:
        near = [known for known in OPTIMIZERS if plain.split("_")[0] in known][:4]
        raise UnknownName("optimizer", name, near or sorted(OPTIMIZERS)[:6])
    return plain
