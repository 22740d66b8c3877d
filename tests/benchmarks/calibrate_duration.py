"""Fit the shared constants of the time model to the golden table: python -m tests.benchmarks.calibrate_duration [passes].

Coordinate descent on ln(estimate / measured), with a bounded loss so that outliers do not steer it, a log-normal prior
around the first guess, and rows weighted so that a large source counts by the square root of its rows. Sequences under
1,024 tokens count a third. The shipped constants were fitted on a larger table of which the golden one is a sample,
so a fit here comes near them, not to the digit.
"""

from __future__ import annotations

import csv
import json
import math
import random
import statistics
import sys
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from knowledge.context import open_context
from tools.duration.coefficients import Coefficients, names, with_values
from tools.duration.likely import likely_job
from tools.duration.throughput import throughput_of_job
from tools.job import FineTuneJob, JobArguments
from tools.resolve import resolve_job

GOLDEN = Path(__file__).parents[1] / "golden" / "duration" / "throughput.csv"
FIRST_GUESS = Coefficients(
    peak_share=0.80,
    tflops_per_watt_ampere=0.72,
    tflops_per_watt_ampere_consumer=0.25,
    tflops_per_watt_ada=0.62,
    tflops_per_watt_hopper=1.0,
    tflops_per_watt_blackwell=1.7,
    tflops_per_watt_other=0.6,
    fp8_gain=0.72,
    fp4_gain=0.5,
    attention_share=0.45,
    eager_attention_bytes=30.0,
    elementwise_plain=34.0,
    elementwise_tuned=20.0,
    elementwise_vendor=10.0,
    backward_elementwise=2.0,
    adapter_elementwise=4.0,
    fused_adapter_share=0.4,
    dequantisation_bytes=7.0,
    bandwidth_share=0.80,
    launch_plain_us=900.0,
    launch_tuned_us=350.0,
    launch_vendor_us=120.0,
    hook_us=350.0,
    half_rate_tokens=500.0,
    nvlink_share=0.65,
    pcie_gb_per_s=11.0,
    pcie_consumer_gb_per_s=6.0,
    network_share=0.6,
    overlap=0.75,
    moe_share=0.55,
    step_overhead=0.03,
)
"""Before any row was seen, so that a left-out source has had no part in where a fit starts."""
AT_MOST_ONE = (
    "peak_share",
    "bandwidth_share",
    "nvlink_share",
    "network_share",
    "overlap",
    "fused_adapter_share",
    "attention_share",
    "moe_share",
    "fp8_gain",
    "fp4_gain",
)
PRIOR_WIDTH, PRIOR_WEIGHT = 0.5, 0.0015


class Row(NamedTuple):
    """One measured rate; `source` is the first word of its id."""

    source: str
    job: FineTuneJob
    measured: float


def rows() -> list[Row]:
    ctx = open_context()
    with GOLDEN.open(newline="", encoding="utf-8") as file:
        return [
            Row(
                row["id"].split("-")[0],
                likely_job(resolve_job(ctx, JobArguments.model_validate(json.loads(row["arguments"])))),
                math.log(float(row["tokens_per_second_per_accelerator"])),
            )
            for row in csv.DictReader(file)
        ]


def residual(row: Row, c: Coefficients) -> float:
    """ln(estimate / measured)."""
    return math.log(throughput_of_job(row.job, c).tokens_per_second_per_accelerator.expected) - row.measured


def fit(data: list[Row], passes: int) -> Coefficients:
    """Constants that suit `data`, from the first guess."""
    sizes = Counter(row.source for row in data)
    weights = [max(3, sizes[row.source]) ** -0.5 * (1.0 if row.job.sequence_length >= 1024 else 0.35) for row in data]

    def loss(c: Coefficients) -> float:
        squares = [residual(row, c) ** 2 for row in data]
        errors = sum(weight * square / (math.sqrt(square) + 0.15) for weight, square in zip(weights, squares, strict=True))
        prior = sum((math.log(getattr(c, name) / getattr(FIRST_GUESS, name)) / PRIOR_WIDTH) ** 2 for name in names())
        return errors + prior * PRIOR_WEIGHT * sum(weights)

    c, order = FIRST_GUESS, random.Random(0)
    best, step = loss(c), dict.fromkeys(names(), 0.25)
    for _ in range(passes):
        for name in order.sample(names(), len(names())):
            for sign in (1, -1):
                value = getattr(c, name) * math.exp(sign * step[name])
                trial = with_values(c, {name: min(value, 0.95) if name in AT_MOST_ONE else value})
                if (tried := loss(trial)) < best - 1e-9:
                    best, c, step[name] = tried, trial, step[name] * 1.2
                    break
            else:
                step[name] *= 0.6
    return c


def main() -> None:
    data = rows()
    c = fit(data, int(sys.argv[1]) if len(sys.argv) > 1 else 8)
    errors = [abs(math.expm1(residual(row, c))) for row in data if row.job.sequence_length >= 1024]
    print(f"rows {len(data)}, median error from 1,024 tokens {statistics.median(errors):.1%}")
    for name in names():
        print(f"{name:32s} {getattr(c, name):.4g}")


if __name__ == "__main__":
    main()
