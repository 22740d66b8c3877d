"""Published peaks of fine-tuning runs against the estimate, each with its source in the test id."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tools.context import Context
from tools.job import JobArguments
from tools.memory.estimate import memory_of
from tools.units import GIB

FOLDER = Path(__file__).parent
RESULT = {"allocated": "peak_allocated_bytes", "reserved": "peak_reserved_bytes", "device": "peak_device_bytes"}


def measured_rows() -> list[dict[str, str]]:
    """Every row of the folder's tables."""
    rows: list[dict[str, str]] = []
    for path in sorted(FOLDER.glob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            rows += csv.DictReader(file)
    return rows


def citation(row: dict[str, str]) -> str:
    return f"{row['id']}: {row['metric']} {row['measured_gib']} GiB ({row['source']}, {row['date']})"


@pytest.mark.parametrize("row", measured_rows(), ids=citation)
def test_the_estimate_meets_a_published_peak(ctx: Context, row: dict[str, str]) -> None:
    result = memory_of(ctx, JobArguments.model_validate(json.loads(row["arguments"])))
    estimate = getattr(result, RESULT[row["metric"]])
    measured = float(row["measured_gib"])
    assert estimate.expected / GIB == pytest.approx(measured, rel=float(row["tolerance"]))
    assert estimate.low / GIB <= measured <= estimate.high / GIB


def test_there_are_a_few_dozen_rows_with_source_and_date() -> None:
    rows = measured_rows()
    assert len(rows) >= 36
    assert all(row["source"] and row["date"][:2] == "20" for row in rows)
    assert len({row["source"] for row in rows}) >= 6
