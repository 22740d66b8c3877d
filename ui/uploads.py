"""Files dropped into the chat: logs and configurations become text of the question."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ui.chat_words import Language, Pair

TEXT_ENDINGS = {".log", ".txt", ".out", ".err", ".yaml", ".yml", ".json", ".toml", ".cfg", ".ini", ".sh", ".py", ".md"}
MAX_CHARACTERS = 16_000
"""Of a file; leaves room for the question below the longest question."""
AROUND_ERROR = re.compile(r"(?i)out of memory|error|killed|exit code|return code|traceback")

WORDS: dict[str, Pair] = {
    "unknown_kind": (
        "{name} is neither a log nor a configuration; paste the part that matters.",
        "{name} ist weder Log noch Konfiguration; fügen Sie den wichtigen Teil als Text ein.",
    ),
    "unreadable": ("{name} cannot be read: {why}", "{name} lässt sich nicht lesen: {why}"),
}


@dataclass
class Read:
    """What the dropped files say."""

    text: str = ""
    """To be added to the question."""
    faults: list[str] = field(default_factory=list)
    """What could not be used, for people."""


def read_files(paths: list[Path], language: Language) -> Read:
    """Read dropped files; a fault is said and never stops the question."""
    read = Read()
    for path in paths:
        ending = path.suffix.lower()
        try:
            if ending in TEXT_ENDINGS:
                read.text += "\n\n" + excerpt(path.read_text(encoding="utf-8", errors="replace"))
            else:
                read.faults.append(WORDS["unknown_kind"][language == "de"].format(name=path.name))
        except (OSError, ValueError) as error:
            read.faults.append(WORDS["unreadable"][language == "de"].format(name=path.name, why=str(error)[:200]))
    return read


def excerpt(text: str, limit: int = MAX_CHARACTERS) -> str:
    """A long log cut to its head, which has the settings, and the part around its last error."""
    text = text.replace("\x00", "")
    if len(text) <= limit:
        return text
    head = limit // 4
    places = [found.start() for found in AROUND_ERROR.finditer(text, head)]
    rest = limit - head - 3
    start = max(head, (places[-1] if places else len(text)) - rest * 2 // 3)
    start = min(start, len(text) - rest)
    return f"{text[:head]}\n…\n{text[start : start + rest]}"
