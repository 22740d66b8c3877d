"""Job arguments that no slot holds, read off the words and configurations of a question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Extra:
    """A mark in the text and the arguments it states."""

    mark: re.Pattern[str]
    arguments: dict[str, Any]


def _mark(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


EXTRAS: tuple[Extra, ...] = (
    Extra(_mark(r"[\"']?stage[\"']?\s*[:=]\s*1\b"), {"sharding": "zero1"}),
    Extra(_mark(r"[\"']?stage[\"']?\s*[:=]\s*2\b"), {"sharding": "zero2"}),
    Extra(_mark(r"[\"']?stage[\"']?\s*[:=]\s*3\b"), {"sharding": "zero3"}),
    Extra(_mark(r"offload_optimizer|optimi[sz]er[ -]off-?load|off-?load\w*\W+(?:the |den |die )?optimi[sz]er"), {"offload": ["optimizer"]}),
    Extra(
        _mark(
            r"(?:param\w*|cpu|full|komplett\w*)[ -]off-?load|off-?load_param"
            r"|off-?load\w*\s*(?:to|auf|in|\u5230)\s*(?:the |die |den )?(?:cpu|host|ram|\u5185\u5b58)"
        ),
        {"offload": ["optimizer", "parameters"]},
    ),
    Extra(_mark(r"modules_to_save\W+\w*\W*embed_tokens\W+lm_head"), {"modules_to_save": ["embed_tokens", "lm_head"]}),
    Extra(_mark(r"(?<![a-z])liger|cut[ _-]?cross[ _-]?entropy|fused[ _-](?:linear[ _-])?(?:cross|ce|loss)"), {"loss": "fused"}),
    Extra(_mark(r"chunked[ _-](?:loss|cross|ce\b)"), {"loss": "chunked"}),
    Extra(_mark(r"attn_implementation\W+eager|eager attention"), {"attention": "eager"}),
    Extra(_mark(r"attn_implementation\W+sdpa"), {"attention": "sdpa"}),
    Extra(_mark(r"bnb_4bit_use_double_quant\W+true"), {"double_quantization": True}),
    Extra(_mark(r"(?:sample_)?packing\W+true"), {"packing": True}),
    Extra(_mark(r"pure[ -]bf16|reines bf16|bf16[ -]only|states? in bf16"), {"master_weights": False, "optimizer_state_precision": "bf16"}),
    Extra(_mark(r"tensor[ _-]?parallel\w*\W{0,3}(?:size\W{0,3})?2\b|\btp\W?=\W?2\b"), {"tensor_parallel": 2}),
)
"""More specific marks last: a later one wins."""


def extras(question: str) -> dict[str, Any]:
    """Arguments that the text states beside the slots."""
    found: dict[str, Any] = {}
    for extra in EXTRAS:
        if extra.mark.search(question):
            found |= extra.arguments
    return found
