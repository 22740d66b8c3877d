"""A typical network of a given size, for models of which only the size is known."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from pydantic import Field

from tools.architecture import ModelArchitecture
from tools.base import Value
from tools.parameters import explained_blocks, parameter_blocks
from tools.terms import ModelKind

AGE_PENALTY = 0.1
"""Log-size a year of age weighs: of two shapes about equally near, the more recent is the likelier."""
SHARED_BONUS = 0.1
"""Log-size that an e-fold of models sharing a shape weighs: what many were tuned from is what is usual."""
CLOSE = 0.1
"""Log-size within which a shape is taken as it is: sizes in names are rounded to about a tenth (Qwen2.5-7B has 7.6B)."""
ALIKE = 0.3
"""Log-size within which models count as alike in size: 5.9B to 10.8B around 8B."""
WIDTH_STEP = 64
"""Widths are multiples of it, so that matrix units are full."""
EXPERT_SHARE = 0.8
"""Part of an `N x size` mixture that is copied per expert: Mixtral 8x7B has 46.7B, not 56B (arXiv:2401.04088)."""

_SIZE = re.compile(r"(?<![\w.])(?:(\d{1,3})x)?(\d{1,5}(?:[.,]\d{1,3})?)\s?([bm])(?![a-z0-9])", re.IGNORECASE)
_ACTIVE = re.compile(r"(?<![a-z])a(\d{1,4}(?:[.,]\d{1,3})?)\s?([bm])(?![a-z0-9])", re.IGNORECASE)
_UNIT = {"b": 10**9, "m": 10**6}


class NamedSize(Value):
    """Sizes that a name states."""

    total: int = Field(gt=0)
    """All parameters."""
    active: int | None = Field(default=None, gt=0)
    """Parameters one token uses (MoE)."""
    text: str
    """The words that state it."""


def size_in(name: str) -> NamedSize | None:
    """`foo-30b-a3b` -> 30e9 total, 3e9 active; `8x7b` counts the shared part once; None where no size is named."""
    words = re.sub(r"[_/\-]+", " ", name)
    active = _ACTIVE.search(words)
    found = _SIZE.search(words if active is None else words.replace(active.group(0), " "))
    if found is None:
        return None
    copies, number, unit = found.groups()
    size = float(number.replace(",", ".")) * _UNIT[unit.lower()]
    total, used = size, None
    if copies:
        total = size * (1 - EXPERT_SHARE) + int(copies) * size * EXPERT_SHARE
        used = size * (1 - EXPERT_SHARE) + 2 * size * EXPERT_SHARE
    if active is not None:
        used = float(active.group(1).replace(",", ".")) * _UNIT[active.group(2).lower()]
    if total < 1:
        return None
    return NamedSize(
        total=round(total),
        active=round(used) if used and used < total else None,
        text=found.group(0).strip() + (f" {active.group(0)}" if active else ""),
    )


def typical_shape(models: Sequence[ModelArchitecture], total: int, active: int | None = None) -> ModelArchitecture:
    """The nearest known dense decoder (a mixture of experts where an active size is given), scaled to `total` parameters.

    Width and depth grow together, as they do from size to size within a family; the count is exact by construction.
    """
    kind = ModelKind.MOE if active else ModelKind.DECODER
    shapes = _shapes([m for m in models if m.kind is kind and _usual(m)])
    known = [group[0] for group in shapes]
    shared = {group[0].id: len(group) for group in shapes}
    if not known:
        return ModelArchitecture(id="typical", family="typical", kind=kind, published_parameters=total, count_status="size_only")
    newest = max(_year(m) for m in known)

    def distance(m: ModelArchitecture) -> float:
        size = abs(math.log(total / (m.published_parameters or total)))
        use = abs(math.log((active or 1) / (m.published_active_parameters or active or 1))) if active else 0.0
        return size + use + AGE_PENALTY * (newest - _year(m)) - SHARED_BONUS * math.log(shared[m.id])

    nearest = min(known, key=lambda m: (distance(m), m.id))
    vocabulary = _usual_vocabulary([group[0] for group in shapes for _ in group], total) or nearest.vocab_size
    values: dict[str, int] = {}
    if abs(math.log(total / (nearest.published_parameters or total))) > CLOSE:
        values = _scaled(nearest.model_copy(update={"vocab_size": vocabulary}), total)
    elif vocabulary != nearest.vocab_size:
        values = _settled(nearest.model_copy(update={"vocab_size": vocabulary}), total, 1.0)
    if vocabulary:
        values["vocab_size"] = vocabulary
    if active:
        values |= _experts_for(nearest, total, active)
    label = f"{total / 1e9:.3g}B"
    return nearest.model_copy(
        update={
            "id": f"typical {label}" + (f" with {active / 1e9:.3g}B active" if active else ""),
            "family": "typical",
            "aliases": (),
            "published_parameters": total,
            "published_active_parameters": active,
            "count_status": "size_only",
            "licence": "unknown",
            "released": "unknown",
            "notes": f"a typical shape, taken from {nearest.id}" + (" and scaled" if "hidden_size" in values else ""),
            **values,
        }
    )


def _usual_vocabulary(models: Sequence[ModelArchitecture], total: int) -> int | None:
    """Median over the models of about that size: vocabularies differ fivefold between families, and logits grow with them."""
    near = sorted(m.vocab_size for m in models if m.vocab_size and abs(math.log(total / (m.published_parameters or total))) <= ALIKE)
    return near[(len(near) - 1) // 2] if near else None


def _usual(m: ModelArchitecture) -> bool:
    """Softmax attention, gated feed-forward, all dimensions known, count confirmed."""
    return bool(
        m.published_parameters
        and m.hidden_size
        and m.num_hidden_layers
        and m.num_attention_heads
        and m.num_key_value_heads
        and m.head_dim
        and m.vocab_size
        and (m.intermediate_size or m.moe_intermediate_size)
        and m.gated_mlp
        and not (m.num_linear_layers or m.num_sliding_layers or m.num_sparse_layers or m.parallel_mixers or m.latent_attention)
        and m.count_status in ("verified", "rounded")
    )


def _shapes(models: Sequence[ModelArchitecture]) -> list[list[ModelArchitecture]]:
    """Models by shape; fine-tunes share the shape of what they were tuned from, which comes first."""
    groups: dict[tuple[int | None, ...], list[ModelArchitecture]] = {}
    for m in sorted(models, key=lambda m: (m.released == "unknown", _year(m), m.id)):
        shape = (m.hidden_size, m.num_hidden_layers, m.intermediate_size, m.moe_intermediate_size, m.vocab_size)
        groups.setdefault(shape, []).append(m)
    return list(groups.values())


def _year(m: ModelArchitecture) -> float:
    try:
        year, _, month = m.released.partition("-")
        return int(year) + (int(month or 1) - 1) / 12
    except ValueError:
        return 2023.0


def _scaled(m: ModelArchitecture, total: int) -> dict[str, int]:
    """Depth by the cube root of the ratio of block parameters, width by what is left; the feed-forward width settles it.

    Heads keep their width, and query heads stay a multiple of key-value heads.
    """
    assert m.hidden_size and m.num_hidden_layers and m.num_attention_heads and m.num_key_value_heads
    blocks = explained_blocks(m)
    tables = blocks.embedding + blocks.head
    ratio = max(total - tables, total // 2) / max(1, blocks.total - tables)
    layers = max(1, round(m.num_hidden_layers * ratio ** (1 / 3)))
    wide = math.sqrt(ratio * m.num_hidden_layers / layers)
    group = m.num_attention_heads // m.num_key_value_heads
    kv_heads = m.num_key_value_heads if group > 1 else max(1, round(m.num_key_value_heads * wide))
    heads = kv_heads * max(1, round(m.num_attention_heads * wide / kv_heads))
    scaled = {
        "num_hidden_layers": layers,
        "hidden_size": _steps(m.hidden_size * wide),
        "num_attention_heads": heads,
        "num_key_value_heads": kv_heads,
        "shared_expert_intermediate_size": _steps(m.shared_expert_intermediate_size * wide),
    }
    if m.num_moe_layers is not None:
        scaled["num_moe_layers"] = min(layers, round(m.num_moe_layers * layers / m.num_hidden_layers))
    return scaled | _settled(m.model_copy(update=scaled), total, wide)


def _settled(m: ModelArchitecture, total: int, wide: float) -> dict[str, int]:
    """The feed-forward widths with which the dimensions explain the total, within half and twice their usual size."""
    widths = {name: _steps(getattr(m, name) * wide) for name in ("intermediate_size", "moe_intermediate_size") if getattr(m, name)}
    got = explained_blocks(m.model_copy(update=widths))
    held = got.mlp + got.experts
    factor = min(2.0, max(0.5, (held + total - got.total) / held)) if held else 1.0
    return {name: _steps(width * factor) for name, width in widths.items()}


def _experts_for(m: ModelArchitecture, total: int, active: int) -> dict[str, int]:
    """Experts and how many a token uses, so that `active` of `total` parameters work; a part as large as in `m` is always on."""
    blocks = parameter_blocks(m)
    always_on = min(0.5 * active, (blocks.total - blocks.experts) * total / blocks.total)
    share = (active - always_on) / (total - always_on)
    experts = max(m.num_experts, 2 ** math.ceil(math.log2(1 / share)))
    used = max(1, round(experts * share))
    width = m.moe_intermediate_size * m.num_experts / experts
    changed = experts != m.num_experts
    return {"num_experts": experts, "num_experts_per_tok": used} | ({"moe_intermediate_size": _steps(width)} if changed else {})


def _steps(width: float) -> int:
    """A width as networks have them: a multiple of 64, none for none."""
    return max(WIDTH_STEP, WIDTH_STEP * round(width / WIDTH_STEP)) if width else 0
