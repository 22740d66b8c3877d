"""Names of accelerators, read by their parts: number, form factor, memory, and the words that tell cards apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from tools.accelerator import Accelerator

_NOISE = frozenset(
    [
        "nvidia",
        "tesla",
        "geforce",
        "gpu",
        "gpus",
        "amd",
        "intel",
        "instinct",
        "radeon",
        "generation",
        "gen",
        "edition",
        "graphics",
        "mode",
        "card",
        "cards",
        "lovelace",
        "ampere",
        "hopper",
        "turing",
        "volta",
        "pascal",
        "oam",
        "form",
        "unstated",
        "per",
        "die",
        "the",
        "with",
        "memory",
        "vram",
        "each",
        "of",
    ]
)
"""Words that distinguish nothing."""
_FORMS = {"sxm": "sxm", "sxm2": "sxm", "sxm3": "sxm", "sxm4": "sxm", "sxm5": "sxm", "sxm6": "sxm", "hgx": "sxm", "dgx": "sxm"} | {
    "pcie": "pcie",
    "pci": "pcie",
    "nvl": "nvl",
}
_LINKED = frozenset(("nvlink",))
_EXACT = {
    "ti": "ti",
    "super": "super",
    "d": "d",
    "sff": "sff",
    "laptop": "laptop",
    "mobile": "laptop",
    "maxq": "maxq",
    "nvl72": "",
    "modded": "modded",
    "custom": "custom",
}
"""Words that make another card: absent in the name means absent in the card."""
_LOOSE = {
    "ada": "ada",
    "quadro": "quadro",
    "pro": "pro",
    "rtx": "rtx",
    "gtx": "gtx",
    "rx": "rx",
    "blackwell": "blackwell",
} | {
    "workstation": "workstation",
    "ws": "workstation",
    "wk": "workstation",
    "we": "workstation",
    "server": "server",
    "se": "server",
}
"""Words that may be left out."""
_GLUED = (
    (re.compile(r"max[\s-]?q"), "maxq"),
    (re.compile(r"([a-z]+\d+[a-z]?)(sxm\d?|pcie|nvl)\b"), r"\1 \2"),
    (re.compile(r"\b(quadro|rtx|gtx|rx|pro|titan)(?=[a-z]?\d|rtx)"), r"\1 "),
    (re.compile(r"\b(\d{4})(ti|super|ada|sff|we|wk|se|xtx)\b"), r"\1 \2"),
    (re.compile(r"\b(\d{4})s\b"), r"\1 super"),
    (re.compile(r"\b(\d+)\s*(?:gib|gb|g)\b"), r"\1gb"),
    (re.compile(r"\b(mi|tpu)[\s-]+(?=v?\d)"), r"\1"),
)
MEMORY_TOLERANCE = 0.07
"""Boxes, drivers and clouds state the same memory in different units (B200: 180 or 192)."""


@dataclass(frozen=True, slots=True)
class CardName:
    """What a name says."""

    base: str
    form: str | None
    memory_gb: float | None
    exact: frozenset[str]
    loose: frozenset[str]

    def allows(self, card: CardName, label_gb: float) -> bool:
        """Whether a card so named, of that memory, may be meant."""
        return (
            self.base == card.base
            and self.exact == card.exact
            and self.loose <= card.loose
            and (self.memory_gb is None or abs(self.memory_gb - label_gb) <= MEMORY_TOLERANCE * label_gb)
        )


def parts(name: str) -> CardName:
    """Read a name: `A100-SXM4-80G` -> base a100, form sxm, 80 GB."""
    text = re.sub(r"\([^)]*\)", " ", name.casefold()) or name.casefold()
    text = re.sub(r"[^a-z0-9]+", " ", text)
    for pattern, replacement in _GLUED:
        text = pattern.sub(replacement, text)
    base: list[str] = []
    form: str | None = None
    linked = False
    memory: float | None = None
    exact: set[str] = set()
    loose: set[str] = set()
    for token in text.split():
        if token in _NOISE or re.fullmatch(r"g?ddr\d\w?|hbm\d?\w?", token):
            continue
        if found := re.fullmatch(r"(\d+)gb", token):
            memory = float(found[1])
        elif token in _FORMS:
            form = _FORMS[token]
        elif token in _EXACT:
            exact.add(_EXACT[token])
        elif token in _LOOSE:
            loose.add(_LOOSE[token])
        elif found := re.fullmatch(r"a(\d{4})", token):
            loose.add("a")
            base.append(found[1])
        elif token in _LINKED:
            linked = True
        else:
            base.append(token)
    if linked and form is None:
        form = "sxm"  # clouds call the boards with NVLink to every card so; PCIe cards with a bridge say PCIe too
    return CardName("".join(base), form, memory, frozenset(exact - {""}), frozenset(loose))


class CardNames:
    """Every card a name may mean."""

    def __init__(self, cards: Iterable[Accelerator]) -> None:
        """Read the names of all cards."""
        self._cards: dict[str, list[tuple[CardName, float, str]]] = {}
        for card in cards:
            read = parts(card.id)
            self._cards.setdefault(read.base, []).append((read, card.memory_label_gb, card.id))

    def candidates(self, name: str) -> tuple[str, ...]:
        """Ids of the cards the name may mean, in the order of the table; a form nobody sells falls back on the unstated one."""
        wanted = parts(name)
        if not wanted.base:
            return ()
        allowed = [(read.form, id_) for read, label, id_ in self._cards.get(wanted.base, ()) if wanted.allows(read, label)]
        for forms in ((wanted.form,), (None,)) if wanted.form else ({form for form, _ in allowed},):
            if found := tuple(id_ for form, id_ in allowed if form in forms):
                return found
        return ()
