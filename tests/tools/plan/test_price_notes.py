from __future__ import annotations

import pytest

from tools.plan.price_notes import TOLD, note_kinds


@pytest.mark.parametrize(
    ("note", "kinds"),
    [
        ("", ()),
        ("whole 8-GPU node", ()),
        ("per-second GPU price; CPU and RAM billed separately", ("apart",)),
        ('"from" price on landing page', ("floor",)),
        ("cheapest verified host; excludes storage", ("floor", "third_party")),
    ],
)
def test_kinds_of_note(note: str, kinds: tuple[str, ...]) -> None:
    assert note_kinds(note) == kinds
    assert all(kind in TOLD for kind in kinds)
