"""What counting a data set comes to."""

from __future__ import annotations

from pydantic import Field

from tools.base import Value
from tools.estimate import Assumption, Estimate


class Packing(Value):
    """Several examples in one sequence against one each."""

    sequence_length: int
    """Tokens of a sequence."""
    sequences: int
    """Sequences when packed."""
    gain: float
    """Examples over sequences: how many times fewer steps packing takes where each example would fill a sequence of its own."""
    filled: float
    """Part of an unpacked sequence that holds tokens, 0..1."""
    truncated: int
    """Examples longer than the sequence, which lose their end."""


class DatasetSummary(Value):
    """Examples, tokens and lengths of a file."""

    source: str
    """Name of the file."""
    kind: str
    """chat, preference, instruction, pair, text, or `mixed`."""
    kinds: dict[str, int]
    """Kind -> examples."""
    examples: int
    """Examples counted."""
    skipped: int
    """Records without text in a known column."""
    first_skipped: str = ""
    """Where the first of them stands, and what it holds."""
    tokens: Estimate[int]
    """Tokens of one pass; low and high differ only where they are estimated."""
    counted_by: str
    """Tokenizer, or `estimate`."""
    tokens_per_example: float
    """Mean."""
    percentiles: dict[str, int]
    """p50, p90, p95, p99 and longest, in tokens."""
    scripts: dict[str, float] = {}
    """Script -> part of the tokens, where they are estimated."""
    packing: Packing | None = None
    """None without an example."""
    arguments: dict[str, int | float] = Field(default_factory=dict)
    """What to hand to any tool that takes a job: dataset_tokens, dataset_examples, tokens_per_example, sequence_length."""
    assumptions: list[Assumption] = []
    """What nobody said."""
    warnings: list[str] = []
    """What a user should know."""
