"""Words of others inside our text: harmless in Markdown, HTML and Slack, and without secrets."""

from __future__ import annotations

import html
import re

LONGEST_NAME = 60
"""Characters of a user's word that are repeated; longer ones are no name."""

_MARKUP = re.compile(r"([\\`*_{}\[\]|~#])")
_SECRET = re.compile(
    r"(?:\d[ -]?){13,19}"  # card numbers
    r"|\b(?:sk|pk|rk|hf|ghp|gho|xox[abprs]|AKIA|ASIA|AIza)[-_A-Za-z0-9]{10,}"  # keys by their usual prefixes
    r"|\b[A-Za-z0-9+/_-]{40,}\b"  # long random strings
    r"|[\w.+-]+@[\w-]+\.[\w.]+"  # mail addresses
)
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


def quoted(words: object) -> str:
    """A user's words as a quotation: cut, without secrets and control characters, markup escaped."""
    text = _SECRET.sub("…", _CONTROL.sub(" ", str(words)))
    text = " ".join(text.split())
    text = text if len(text) <= LONGEST_NAME else text[:LONGEST_NAME].rstrip() + "…"
    return html.escape(_MARKUP.sub(r"\\\1", text), quote=False)


def plain(text: str) -> str:
    """Text of our own documents: no HTML and no table breaks, its Markdown kept."""
    return html.escape(_CONTROL.sub(" ", text), quote=False)


def cell(text: str) -> str:
    """A table cell: one line, no bar."""
    return " ".join(text.split()).replace("|", "/")
