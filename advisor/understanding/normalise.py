"""One form of text before anything is read: no control characters, no secrets, one kind of space, dash and multiplication sign."""

from __future__ import annotations

import re
import unicodedata

MAX_READ = 20_000
"""Characters that are read; a longer log is read from both ends."""

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_SPACES = re.compile(r"[ \t\u00a0\u2000-\u200a\u202f\u3000]+")
_SAME = str.maketrans(
    {"×": "x", "✕": "x", "∗": "*", "–": "-", "—": "-", "‑": "-", "−": "-", "’": "'", "“": '"', "”": '"', "„": '"', "，": ",", "？": "?"}
)
_COUNTED = re.compile(r"(?i)(?<![\w.])(\d{1,3})x(?=rtx|gtx|[a-z]\d|mi\d|tesla|\d{4}(?![\dx.]))")
"""`8xH100` and `1x3090`: the count is a word of its own."""
_SECRETS = (
    re.compile(r"\b(?:sk|pk|rk|hf|ghp|gho|xox[abp]|glpat|AKIA|ASIA|eyJ)[-_]?[A-Za-z0-9_\-]{12,}"),
    re.compile(r"\b(?:\d[ -]?){13,19}\b"),
    re.compile(r"(?i)\b(?:password|passwort|api[_ -]?key|secret)\s*[:=]\s*\S+"),
    re.compile(r"(?i)\btoken\s*[:=]\s*(?=\S*\d)\S{12,}"),  # a word of the field too: `5M Token: passt das?`
)


def normalise(text: str) -> str:
    """Text to read: NFKC, secrets blanked, at most MAX_READ characters."""
    if len(text) > MAX_READ:
        text = text[: MAX_READ // 2] + "\n" + text[-MAX_READ // 2 :]
    text = unicodedata.normalize("NFKC", text.translate(_SAME)) if not text.isascii() else text
    text = _CONTROL.sub(" ", text.translate(_SAME))
    for secret in _SECRETS:
        text = secret.sub(" ", text)
    return _COUNTED.sub(r"\1x ", _SPACES.sub(" ", text)).strip()


LOG_LINE = re.compile(
    r"(?i)^\W*(?:cuda )?out of memory\W*$|tried to allocate|total capacity|already allocated|reserved in total|memory in use|traceback \(most|^\s*file \".*line \d|"
    r"^\s*(?:step|epoch|iter)[ =:]*\d+ ?[|/]|\bMiB ?/|it/s|s/it\]|\[rank\d+\]|\bpid[: =]\d|error:|exitcode|warning:|no kernel image|not compatible"
)
"""A line printed by a program: its figures are readings, not wishes."""

PRINTED = re.compile(r"(?i)\b\d+(?:\.\d+)? (?:[MG]iB|bytes)\b|PYTORCH_CUDA|https?://|non-PyTorch")
"""Sentences of an allocator's report."""

_LOG = re.compile(
    r"(?i)out of ?memory|outofmemory|traceback \(most recent|return code -9|exit(?: ?code)?:? ?-9|runtimeerror|cuda error|tried to allocate|"
    r"no executable batch size|sigkill|\bkilled\b\s*$"
)


def is_log(text: str) -> bool:
    """Whether a text carries an error, a log or a traceback."""
    return bool(_LOG.search(text))


SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-ZÄÖÜ(])")
THROWN = re.compile(r"(?:[\w.]*(?:Error|Exception)\b|CUDA error|CUDA out of memory|Traceback \(most|\[rank\d+\])")
"""Where a program's own words begin in a line that a person began."""


def without_log_lines(text: str) -> str:
    """The text without what programs print, so that its figures are not taken for the user's.

    A line that a person began ends where the error begins; a line that goes on in a person's words keeps those sentences.
    """
    return "\n".join(_spoken(line) if LOG_LINE.search(line) else line for line in text.splitlines())


def _spoken(line: str) -> str:
    thrown = THROWN.search(line)
    before = line[: thrown.start()] if thrown else ""
    if LOG_LINE.search(before):
        before = ""
    after = [part for part in SENTENCE.split(line[len(before) :])[1:] if not LOG_LINE.search(part) and not PRINTED.search(part)]
    return " ".join([before, *after])
