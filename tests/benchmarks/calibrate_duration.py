"""Fit the shared constants of the time model to the golden table: python -m tests.benchmarks.calibrate_duration [table] [rounds].

Gauss-Newton steps on ln(estimate / measured), with weights that bound what an outlier can do, a log-normal prior around the
first guess, and rows weighted so that a large source counts by the square root of its rows. Sequences under 1,024 tokens
count a third. The shipped constants were fitted on a larger table of which the golden one is a sample, so a fit here comes
near them, not to the digit.
"""

from __future__ import annotations

import csv
import json
import math
import statistics
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from knowledge.context import open_context
from tools.duration.coefficients import Coefficients, names, with_values
from tools.duration.likely import likely_job, on_board
from tools.duration.setting import Setting, setting_of
from tools.duration.throughput import step_parts
from tools.duration.work import Work, work_of
from tools.job import FineTuneJob, JobArguments
from tools.resolve import resolve_job

GOLDEN = Path(__file__).parents[1] / "golden" / "duration" / "throughput.csv"
FIRST_GUESS = Coefficients(
    peak_share=0.80,
    tflops_per_watt_ampere=0.75,
    tflops_per_watt_ampere_consumer=0.25,
    tflops_per_watt_ada=0.62,
    tflops_per_watt_hopper=1.0,
    tflops_per_watt_blackwell=1.7,
    tflops_per_watt_cdna=1.0,
    tflops_per_watt_other=0.6,
    fp8_gain=0.4,
    fp8_gain_vendor=0.7,
    fp4_gain=0.5,
    attention_share=0.6,
    attention_share_hopper=0.45,
    attention_share_vendor=0.65,
    eager_attention_bytes=30.0,
    elementwise_plain=34.0,
    elementwise_tuned=20.0,
    compiled_share=0.6,
    elementwise_vendor=10.0,
    backward_elementwise=1.8,
    adapter_elementwise=4.0,
    fused_adapter_share=0.4,
    dequantisation_bytes=7.0,
    bandwidth_share=0.80,
    launch_plain_us=900.0,
    launch_tuned_us=350.0,
    launch_vendor_us=120.0,
    launch_routed_us=3000.0,
    adapter_launch=1.5,
    launch_hidden=0.8,
    hook_us=350.0,
    hook_engine_us=1000.0,
    hook_module_us=6500.0,
    half_rate_tokens=400.0,
    nvlink_share=0.6,
    pcie_gb_per_s=12.0,
    bridge_gain=1.8,
    pcie_consumer_gb_per_s=6.0,
    network_share=0.6,
    overlap_plain=0.5,
    overlap_tuned=0.8,
    overlap_engine=0.05,
    overlap_tensor=0.6,
    bubble_plain=1.0,
    bubble_vendor=0.3,
    moe_share=0.8,
    expert_half_width=1000.0,
    step_overhead=0.03,
    optimizer_bytes=28.0,
)
"""Before any row was seen, so that a left-out source has had no part in where a fit starts."""
AT_MOST_ONE = frozenset(
    (
        "peak_share",
        "bandwidth_share",
        "nvlink_share",
        "network_share",
        "overlap_plain",
        "overlap_tuned",
        "overlap_engine",
        "overlap_tensor",
        "bubble_plain",
        "bubble_vendor",
        "launch_hidden",
        "fused_adapter_share",
        "compiled_share",
        "attention_share",
        "attention_share_hopper",
        "attention_share_vendor",
        "moe_share",
        "fp8_gain",
        "fp8_gain_vendor",
        "fp4_gain",
    )
)
HIGHEST_SHARE = 0.95
PRIOR_WIDTH, PRIOR_WEIGHT = 0.4, 0.001
"""Standard deviation in ln of a constant around its first guess, and what the prior of one constant weighs against all rows."""
ROBUST = 0.3
"""Error in ln from which a row pulls no harder."""
SHORT_WEIGHT = 0.35
LONG = 1024


class Row(NamedTuple):
    """One measured rate, with what the model counts of it; `source` is the first word of its id."""

    id: str
    source: str
    job: FineTuneJob
    work: Work
    where: Setting
    measured: float

    @property
    def long(self) -> bool:
        """Whether it is scored."""
        return self.job.sequence_length >= LONG


def rows(table: Path = GOLDEN) -> list[Row]:
    """Rows of a table in the golden schema."""
    ctx = open_context()
    cards = ctx.catalog.accelerators()
    found = []
    with table.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            job = likely_job(on_board(resolve_job(ctx, JobArguments.model_validate(json.loads(row["arguments"]))), cards))
            assert job.accelerator is not None, row["id"]
            measured = math.log(float(row["tokens_per_second_per_accelerator"]))
            found.append(Row(row["id"], row["id"].split("-")[0], job, work_of(job), setting_of(job, job.accelerator), measured))
    return found


def residual(row: Row, c: Coefficients) -> float:
    """ln(estimate / measured)."""
    job, where = row.job, row.where
    seconds = sum(step_parts(job, row.work, where, c, job.replicas).values())
    return math.log(row.work.tokens * where.accumulation * job.replicas / seconds / where.count) - row.measured


def fit(data: Sequence[Row], rounds: int, start: Coefficients = FIRST_GUESS) -> Coefficients:
    """Constants that suit `data`, from the first guess."""
    sizes = Counter(row.source for row in data)
    weights = np.array([max(3, sizes[row.source]) ** -0.5 * (1.0 if row.long else SHORT_WEIGHT) for row in data])
    weights /= weights.sum()
    prior = np.log([getattr(FIRST_GUESS, name) for name in names()])
    place = np.log([getattr(start, name) for name in names()])
    top = np.array([math.log(HIGHEST_SHARE) if name in AT_MOST_ONE else math.inf for name in names()])

    def errors(at: np.ndarray) -> np.ndarray:
        c = with_values(FIRST_GUESS, dict(zip(names(), map(float, np.exp(at)), strict=True)))
        return np.array([residual(row, c) for row in data])

    def loss(found: np.ndarray, at: np.ndarray) -> float:
        rows_loss = weights @ (found**2 / (np.abs(found) + ROBUST))
        return float(rows_loss + PRIOR_WEIGHT * np.sum(((at - prior) / PRIOR_WIDTH) ** 2))

    now = errors(place)
    best, damping = loss(now, place), 1e-3
    for _ in range(rounds):
        step = 0.02
        slopes = np.stack([(errors(place + step * unit) - now) / step for unit in np.eye(len(place))], axis=1)
        pull = weights / (np.abs(now) + ROBUST)
        curve = slopes.T @ (slopes * pull[:, None])
        down = slopes.T @ (pull * now)
        ridge = PRIOR_WEIGHT / PRIOR_WIDTH**2
        for _ in range(6):
            move = np.linalg.solve(curve + np.eye(len(place)) * (ridge + damping), -down - ridge * (place - prior))
            tried = np.minimum(place + np.clip(move, -0.5, 0.5), top)
            found = errors(tried)
            if (value := loss(found, tried)) < best:
                best, place, now, damping = value, tried, found, damping / 3
                break
            damping = max(damping, 1e-4) * 5
        else:
            break
    return with_values(FIRST_GUESS, dict(zip(names(), map(float, np.exp(place)), strict=True)))


def main() -> None:
    table = Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN
    data = rows(table)
    c = fit(data, int(sys.argv[2]) if len(sys.argv) > 2 else 12)
    errors = [abs(math.expm1(residual(row, c))) for row in data if row.long]
    print(f"rows {len(data)}, median error from 1,024 tokens {statistics.median(errors):.1%}")
    for name in names():
        print(f"{name:32s} {getattr(c, name):.4g}")


if __name__ == "__main__":
    main()
