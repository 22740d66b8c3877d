"""What a rule of the grammar does with its match: put values, take values back, or decline."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from advisor.understanding.numbers import value_of, whole
from advisor.understanding.terms import negated

BINARY = 1024
CONTEXT = (
    r"(?:kontext(?:länge|fenster)?|context(?:[ _-]?(?:length|window|size|len))?|contexte|contexto|ctx(?:[ _-]?len)?|seq(?:uence)?(?:[ _-]?len(?:gth)?)?|"
    r"sequenz(?:länge)?|sequenzlänge|max[_ -]?seq(?:uence)?[_ -]?len(?:gth)?|max[_ -]?length|cutoff[_ -]?len|block[_ -]?size|model[_ -]?max[_ -]?length|"
    r"序列长度|长度|上下文)"
)


@dataclass
class Reading:
    """Values found so far, and the text with what was read blanked."""

    text: str
    values: dict[str, list[Any]] = field(default_factory=dict)
    removed: dict[str, set[Any]] = field(default_factory=dict)
    """Slot -> values taken back."""

    def put(self, name: str, value: Any) -> None:
        """Add a value once."""
        known = self.values.setdefault(name, [])
        if value not in known:
            known.append(value)

    def blank(self, start: int, end: int) -> None:
        """Take a span out of the text, so that nothing reads it again."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]


Action = Callable[[Reading, "re.Match[str]"], bool]


def context_length(number: str, scale: str | None) -> int:
    """`8k` -> 8192; `32000` stays."""
    value = value_of(number)
    if scale:
        value = float(number.replace(",", ".")) * (BINARY if scale.lower() == "k" else BINARY**2)
    return round(value)


def context(reading: Reading, match: re.Match[str]) -> bool:
    """A length: `8k ctx`; far longer ones count a data set."""
    tokens = context_length(match["n"], match["s"])
    if not 16 <= tokens <= 2**24:
        return False
    if tokens > LONGEST_USUAL_CONTEXT and not re.search(CONTEXT, match.group(), re.IGNORECASE):
        reading.put("dataset_tokens", round(value_of(match["n"], match["s"])))
        return True
    reading.put("sequence_length", tokens)
    return True


LONGEST_USUAL_CONTEXT = 262_144
"""Tokens; a longer figure counts a data set."""


def tokens(reading: Reading, match: re.Match[str]) -> bool:
    """Bare tokens: a length where lengths are made (multiples of 64, or said after a word of place), a data set where there are more."""
    tokens = round(value_of(match["n"]))
    if tokens > LONGEST_USUAL_CONTEXT:
        reading.put("dataset_tokens", tokens)
        return True
    placed = re.search(r"(?i)(?:\b(?:at|bei|mit|with|auf|to|of|and|und|dann)|[,@/(])\s*$", reading.text[: match.start()])
    if tokens < 64 or "sequence_length" in reading.values or not (placed or tokens % 64 == 0):
        return False
    reading.put("sequence_length", tokens)
    return True


def simple(name: str, *, integer: bool = True, factor: float = 1.0, least: float = 0.0) -> Action:
    """An action that puts one number, scaled, where it is above `least`."""

    def act(reading: Reading, match: re.Match[str]) -> bool:
        scale = match.groupdict().get("s")
        value = value_of(match["n"], scale) * factor
        if value <= least:
            return False
        reading.put(name, whole(round(value, 6)) if not integer else round(value))
        return True

    return act


def money(reading: Reading, match: re.Match[str]) -> bool:
    """A budget, or a price where an hour stands beside it; cents and currency."""
    value = value_of(match["n"])
    unit = (match["c"] or "").lower()
    if unit in ("ct", "cent", "cents"):
        value /= 100
    euro = unit in ("€", "eur", "euro", "euros", "ct")
    reading.put("currency", "EUR" if euro else "USD")
    reading.put("price_per_hour" if match.groupdict().get("h") else "budget", whole(round(value, 4)))
    return True


def parameters(reading: Reading, match: re.Match[str]) -> bool:
    """A size: `70b`, `1,5 Mrd.`, `300 Millionen`; German *Billion* is a thousand English ones."""
    scale = match["s"].lower().rstrip(".")
    value = value_of(match["n"], scale) / 1e9
    if scale in ("billionen",):
        reading.put("german_billion", True)
        value = value_of(match["n"])
    if not 0.001 <= value <= 100_000:
        return False
    if negated(reading.text, match.start()):
        reading.removed.setdefault("parameters_billion", set()).add(whole(round(value, 4)))
        return True
    if re.search(r"(?:^|\s)-$", reading.text[: match.start()]):
        value = -value  # nonsense is passed on as said, so that the tools can say what is wrong with it
    reading.put("parameters_billion", whole(round(value, 4)))
    return True


def nodes_by_cards(reading: Reading, match: re.Match[str]) -> bool:
    """`2 nodes x 8`: machines, and cards over all of them."""
    nodes, each = value_of(match["m"]), value_of(match["n"])
    reading.put("nodes", int(nodes))
    reading.put("accelerator_count", int(nodes * each))
    return True


def samples_of_tokens(reading: Reading, match: re.Match[str]) -> bool:
    """`20k Samples à 800 Token`."""
    reading.put("dataset_examples", round(value_of(match["m"], match["s"])))
    reading.put("tokens_per_example", whole(value_of(match["n"])))
    return True


def runs_of_minutes(reading: Reading, match: re.Match[str]) -> bool:
    """`five times 20 minutes each`."""
    reading.put("runs", round(value_of(match["m"])))
    reading.put("run_minutes", whole(value_of(match["n"])))
    return True


def hours(reading: Reading, match: re.Match[str]) -> bool:
    """Hours, or days times 24."""
    unit = match["u"].lower()
    factor = 24.0 if unit.startswith(("d", "t")) else 1.0
    reading.put("hours", whole(round(value_of(match["n"]) * factor, 4)))
    return True


def deadline(reading: Reading, match: re.Match[str]) -> bool:
    """The user's words; what they mean in hours depends on the clock of the answer."""
    reading.put("deadline", match["d"].strip())
    return True


def card_memory(reading: Reading, match: re.Match[str]) -> bool:
    """`2x24 GB`: cards, and the memory of each."""
    reading.put("accelerator_count", int(value_of(match["m"])))
    reading.put("vram_gib", whole(value_of(match["n"])))
    return True


USED = re.compile(
    r"(?i)(?:\b(?:uses?|used|using|needs|takes?|taking|requires?|sagt|says|said|shows?|zeigt|braucht|benötigt|verbrauch\w*|beleg\w*|nimmt|estimat\w*|rechnung|"
    r"peak|spitze|before|vorher|after|nachher|allocat\w*|reserved|reserviert|mem|usage|auslastung)"
    r"(?:\s+(?!karte|card|gpu)[a-zäöüß]+){0,2}|[=~≈>:])\s*$"
)
"""Words before a size that make it a reading or a need, not what a card has."""


def memory_of_cards(reading: Reading, match: re.Match[str]) -> bool:
    """A size in GB is a card's unless the words before it call it a need or a reading."""
    if USED.search(reading.text[max(0, match.start() - 40) : match.start()]) and not re.search(
        r"(?i)vram|显存|grafikspeicher", match.group()
    ):
        after = reading.text[match.end() : match.end() + 16]
        if not re.match(r"(?i)\s*(?:-?\s*(?:karte|card|gpu)|vram|grafik)", after):
            return True  # read, and kept from other rules
    reading.put("vram_gib", whole(round(value_of(match["n"]), 6)))
    return True


def bare_memory(reading: Reading, match: re.Match[str]) -> bool:
    """`the card has 24`: a size without its unit, where a card is spoken of."""
    size = value_of(match["n"])
    if not 4 <= size <= 300 or not ("accelerator" in reading.values or re.search(r"(?i)karte|card|gpu", reading.text)):
        return False
    reading.put("vram_gib", whole(size))
    return True


def put(name: str, value: Callable[[re.Match[str]], Any]) -> Action:
    """An action that puts one value made from the match."""

    def act(reading: Reading, match: re.Match[str]) -> bool:
        reading.put(name, value(match))
        return True

    return act
