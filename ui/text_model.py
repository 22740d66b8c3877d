"""A model's card as text."""

from __future__ import annotations

from tools.card_results import ModelCard
from tools.units import count_text, gib_text
from ui.text_common import closing
from ui.text_table import pairs, section

DIMENSIONS = (
    "hidden_size",
    "num_hidden_layers",
    "num_attention_heads",
    "num_key_value_heads",
    "head_dim",
    "intermediate_size",
    "vocab_size",
    "tie_word_embeddings",
    "max_position_embeddings",
)


def model_text(card: ModelCard) -> list[str]:
    """Lines of the card."""
    active = "" if card.active_parameters == card.total_parameters else f", {count_text(card.active_parameters)} of them active per token"
    shape = f"{card.kind.value.replace('_', ' ')}, {card.attention_sharing} attention"
    head = f"{card.model}: {count_text(card.total_parameters)} parameters{active} ({shape})"
    facts = {
        "family": card.family,
        "released": card.released,
        "licence": card.licence,
        "released as": card.dtype,
        "count": card.count,
        "notes": card.notes,
    }
    blocks = {name: count_text(size) for name, size in card.parameters.items() if size}
    dimensions = {name: getattr(card, name) for name in DIMENSIONS if getattr(card, name) is not None}
    if card.num_experts:
        dimensions |= {"num_experts": card.num_experts, "num_experts_per_tok": card.num_experts_per_tok}
    parts = {name: "unknown" if size is None else count_text(size) for name, size in card.components.items()}
    weights = {precision.value: gib_text(size) for precision, size in card.weight_bytes.items()}
    return [
        head,
        *section("Facts", pairs(facts)),
        *section("Parameters by block", pairs(blocks)),
        *section("Parts of the pipeline", pairs(parts)),
        *section("Size of the weights", pairs(weights)),
        *section("Dimensions, named as in config.json", pairs(dimensions)),
        *closing(card.assumptions, card.citations, ()),
    ]
