"""Published training throughput against the estimate, each with its source in the test id."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tools.context import Context
from tools.duration.estimate import duration_of
from tools.job import JobArguments

FOLDER = Path(__file__).parent
ANY_ROW = 2.0
MOST_ROWS = 1.4
"""At calibration 93 % of these rows lay within that, and 97 % within 1.6."""


def table(name: str) -> list[dict[str, str]]:
    """Rows of a table of this folder."""
    with (FOLDER / name).open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


ROWS = table("throughput.csv")
EXCEPTIONS = {row["id"]: row for row in table("exceptions.csv")}
"""Rows known to lie outside the bound: how far they may, and why."""


def citation(row: dict[str, str]) -> str:
    return f"{row['id']}: {float(row['tokens_per_second_per_accelerator']):.0f} tokens/s ({row['citation']}, {row['date']})"


def distance(ctx: Context, row: dict[str, str]) -> float:
    """Factor between estimate and measurement, at least 1."""
    result = duration_of(ctx, JobArguments.model_validate(json.loads(row["arguments"])))
    ratio = result.tokens_per_second_per_accelerator.expected / float(row["tokens_per_second_per_accelerator"])
    return max(ratio, 1 / ratio)


@pytest.mark.parametrize("row", ROWS, ids=citation)
def test_the_estimate_is_near_a_published_rate(ctx: Context, row: dict[str, str]) -> None:
    known = EXCEPTIONS.get(row["id"])
    assert distance(ctx, row) <= (float(known["factor"]) if known else ANY_ROW)


def test_nine_in_ten_rows_with_long_sequences_are_within_the_narrow_factor(ctx: Context) -> None:
    long = [row for row in ROWS if json.loads(row["arguments"])["sequence_length"] >= 1024]
    near = sum(distance(ctx, row) <= MOST_ROWS for row in long)
    assert near >= 0.9 * len(long)
