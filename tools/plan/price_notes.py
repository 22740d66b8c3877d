"""What a price list says beside its price, as far as it bears on the bill."""

from __future__ import annotations

APART_WORDS = ("billed separately", "billed on top", "gpu-only")
"""Words of a note under which processors and memory of the host cost extra."""
FLOOR_WORDS = ('"from" price', "cheapest verified", "lowest on-demand price")
"""Words of a note under which the price is the least somebody asked."""
THIRD_PARTY_WORDS = ("third-party host", "community cloud", "verified host", "marketplace")
"""Words of a note under which the machine belongs to neither the provider nor the user."""

TOLD = {
    "apart": "The price is for the cards alone; processors and memory of the host are billed on top.",
    "floor": "The price is the lowest seen; most machines ask more.",
    "third_party": "The machine belongs to a third-party host.",
}
"""Kind of note -> sentence."""

_KINDS = (("apart", APART_WORDS), ("floor", FLOOR_WORDS), ("third_party", THIRD_PARTY_WORDS))


def note_kinds(notes: str) -> tuple[str, ...]:
    """The kinds of note an offer carries."""
    text = notes.lower()
    return tuple(kind for kind, words in _KINDS if any(word in text for word in words))
