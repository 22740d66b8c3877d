"""Counting: lengths of examples, their percentiles, and what packing gains."""

from __future__ import annotations

import math
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from tools.dataset.example import Example, example_of
from tools.dataset.script import estimated_tokens, spread_of
from tools.dataset.summary import DatasetSummary, Packing
from tools.errors import InvalidArguments
from tools.estimate import Assumption, Estimate

TURN_TOKENS = 5
"""Tokens a chat template adds to a message: role and delimiters (four to six in the templates of common models); planning assumption."""
ROUND_LENGTHS = (128, 256, 512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536, 131_072)
COVERED = 0.99
"""Part of the examples the suggested sequence length holds whole."""
MOST_PACKED = 200_000
"""Examples up to which packing is worked out exactly; a larger set is told by a share of it."""
LONG_TAIL = 4.0
"""Longest over the 95th percentile from which a single example decides the memory."""


def counted(
    records: Iterable[tuple[str, Any]],
    source: str,
    *,
    tokenizer: Callable[[str], int] | None = None,
    tokenizer_name: str = "",
    sequence_length: int | None = None,
) -> DatasetSummary:
    """Count records, each with where it stands. Raises InvalidArguments where none holds text.

    With a tokenizer tokens are exact but for the chat template; without, they follow from characters by script, with a range.
    """
    lengths: list[int] = []
    kinds: Counter[str] = Counter()
    scripts: Counter[str] = Counter()
    skipped, first_skipped = 0, ""
    for where, record in records:
        example = example_of(record)
        if example is None:
            skipped += 1
            first_skipped = first_skipped or f"{where}: {_glimpse(record)}"
            continue
        kinds[example.kind] += 1
        lengths.append(_length(example, tokenizer, scripts))
    if not lengths:
        raise InvalidArguments(
            f"{source} holds no example with text in a known column" + (f" ({first_skipped})." if first_skipped else "."),
            "Known are: messages or conversations; instruction, input, output; prompt and completion; chosen and rejected; text.",
        )
    lengths.sort()
    total = sum(lengths)
    low, high = (1.0, 1.0) if tokenizer else spread_of(scripts)
    wanted = sequence_length or suggested_length(lengths)
    percentiles = {f"p{share}": percentile(lengths, share / 100) for share in (50, 90, 95, 99)} | {"longest": lengths[-1]}
    return DatasetSummary(
        source=source,
        kind=next(iter(kinds)) if len(kinds) == 1 else "mixed",
        kinds=dict(kinds),
        examples=len(lengths),
        skipped=skipped,
        first_skipped=first_skipped,
        tokens=Estimate[int](low=round(total * low), expected=total, high=round(total * high)),
        counted_by=tokenizer_name or ("tokenizer" if tokenizer else "estimate"),
        tokens_per_example=round(total / len(lengths), 1),
        percentiles=percentiles,
        scripts={} if tokenizer else {name: round(count / (sum(scripts.values()) or 1), 3) for name, count in scripts.most_common()},
        packing=packed(lengths, wanted),
        arguments={
            "dataset_tokens": total,
            "dataset_examples": len(lengths),
            "tokens_per_example": round(total / len(lengths), 1),
            "sequence_length": wanted,
        },
        assumptions=_assumptions(kinds, tokenizer is not None, sequence_length, wanted),
        warnings=_warnings(lengths, percentiles, skipped, kinds),
    )


def _length(example: Example, tokenizer: Callable[[str], int] | None, scripts: Counter[str]) -> int:
    tokens = 0.0
    for text in example.texts:
        if tokenizer is not None:
            tokens += tokenizer(text)
            continue
        estimate, script = estimated_tokens(text)
        tokens += estimate
        scripts[script] += math.ceil(estimate)
    return max(1, math.ceil(tokens) + TURN_TOKENS * example.turns)


def percentile(ascending: list[int], share: float) -> int:
    """The smallest value that at least `share` (0..1) of an ascending list does not exceed."""
    return ascending[min(len(ascending) - 1, max(0, math.ceil(share * len(ascending)) - 1))]


def suggested_length(ascending: list[int]) -> int:
    """The round length that holds nearly all examples whole."""
    wanted = percentile(ascending, COVERED)
    return next((length for length in ROUND_LENGTHS if length >= wanted), wanted)


def packed(ascending: list[int], sequence_length: int) -> Packing:
    """Best-fit decreasing: each example, longest first, into the sequence it fills most."""
    stride = max(1, len(ascending) // MOST_PACKED)
    sample = ascending[::stride]
    rooms: list[int] = []
    sequences = 0
    for length in reversed(sample):
        taken = min(length, sequence_length)
        place = bisect_left(rooms, taken)
        if place < len(rooms):
            room = rooms.pop(place)
        else:
            room, sequences = sequence_length, sequences + 1
        if room > taken:
            insort(rooms, room - taken)
    held = sum(min(length, sequence_length) for length in ascending)
    return Packing(
        sequence_length=sequence_length,
        sequences=sequences * stride,
        gain=round(len(sample) / sequences, 2),
        filled=round(held / (len(ascending) * sequence_length), 3),
        truncated=len(ascending) - bisect_left(ascending, sequence_length + 1),
    )


def _assumptions(kinds: Counter[str], exact: bool, stated: int | None, used: int) -> list[Assumption]:
    found = []
    if stated is None:
        found.append(Assumption(name="sequence_length", value=used, reason="the round length that holds 99 % of the examples whole"))
    if not exact:
        reason = "no tokenizer at hand: characters a token by script; give a tokenizer.json for an exact count"
        found.append(Assumption(name="tokenizer", value="estimate", reason=reason))
    if set(kinds) - {"text"}:
        reason = "what a chat template adds to a message"
        found.append(Assumption(name="template_tokens_per_message", value=TURN_TOKENS, reason=reason))
    return found


def _warnings(lengths: list[int], percentiles: dict[str, int], skipped: int, kinds: Counter[str]) -> list[str]:
    found = []
    if skipped:
        found.append(f"{skipped} records hold no text in a known column and are not counted.")
    if lengths[-1] > LONG_TAIL * percentiles["p95"]:
        found.append(
            f"The longest example ({lengths[-1]:,} tokens) is far beyond the rest (95 % up to {percentiles['p95']:,}); "
            "the longest decides the memory: cut it or leave it out."
        )
    if kinds["preference"]:
        found.append("Preference examples are counted with prompt, chosen and rejected answer; trainers repeat the prompt for each answer.")
    return found


def _glimpse(record: Any) -> str:
    names = ", ".join(map(str, list(record)[:6])) if isinstance(record, dict) else type(record).__name__
    return f"columns {names}" if isinstance(record, dict) else names
