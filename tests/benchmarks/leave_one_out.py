"""Error of the time model on what its fit has not seen: python -m tests.benchmarks.leave_one_out [table] [rounds].

Each source left out of the fit in turn, with the width and the hits of its ranges; then all sources with `framework` withheld, and with
every model replaced by its configuration under a name nobody knows. Only sequences from 1,024 tokens are scored, as everywhere.
"""

from __future__ import annotations

import csv
import json
import math
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from knowledge.context import open_context
from tests.benchmarks.calibrate_duration import GOLDEN, LONG, Row, fit, residual, rows
from tools.architecture import ModelArchitecture
from tools.context import Context
from tools.duration.coefficients import Coefficients
from tools.duration.estimate import duration_of
from tools.duration.throughput import throughput_in
from tools.job import JobArguments

MISS_PENALTY = 20.0
"""2 / 0.1 of the interval score of a 90 % range (Gneiting and Raftery 2007)."""


def ninetieth(values: list[float]) -> float:
    """The smallest value that nine in ten do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(0.9 * len(ordered)) - 1)]


def line(name: str, errors: list[float]) -> str:
    """Median and 90th percentile of a list of errors in ln."""
    shares = [abs(math.expm1(error)) for error in errors]
    bias = math.expm1(statistics.median(errors))
    return f"{name:24s} rows {len(errors):3d}  median {statistics.median(shares):6.1%}  p90 {ninetieth(shares):6.1%}  bias {bias:+6.1%}"


def interval(row: Row, c: Coefficients) -> tuple[bool, float, float]:
    """(hit, high over low, interval score) of a row's range."""
    speed = throughput_in(row.job, row.work, row.where, c).tokens_per_second_per_accelerator
    low, high = math.log(speed.low), math.log(speed.high)
    missed = max(0.0, low - row.measured, row.measured - high)
    return missed == 0, speed.high / speed.low, high - low + MISS_PENALTY * missed


def left_out(data: list[Row], rounds: int) -> None:
    """Print each source under a fit that has not seen it."""
    errors: list[float] = []
    ranges: list[tuple[bool, float, float]] = []
    for source in sorted({row.source for row in data}):
        c = fit([row for row in data if row.source != source], rounds)
        own = [row for row in data if row.source == source]
        ranges += [interval(row, c) for row in own]
        found = [residual(row, c) for row in own if row.long]
        if found:
            print(line(source, found), flush=True)
        errors += found
    print(line("all, each left out", errors))
    hits = sum(hit for hit, _, _ in ranges) / len(ranges)
    width, score = statistics.median(width for _, width, _ in ranges), statistics.mean(score for _, _, score in ranges)
    print(f"{'their ranges':24s} inside {hits:.1%}  high/low median x{width:.2f}  interval score {score:.2f}")


def asked(ctx: Context, table: Path, change: Callable[[int, dict[str, Any]], dict[str, Any]]) -> list[float]:
    """Errors in ln of the tool with the shipped constants, with every row's arguments changed."""
    errors = []
    with table.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            arguments = change(number, json.loads(row["arguments"]))
            if arguments["sequence_length"] < LONG:
                continue
            speed = duration_of(ctx, JobArguments.model_validate(arguments)).tokens_per_second_per_accelerator.expected
            errors.append(math.log(speed / float(row["tokens_per_second_per_accelerator"])))
    return errors


def config_of(a: ModelArchitecture) -> dict[str, Any]:
    """The Hugging Face configuration of a network: what its dimensions are, without its name."""
    names = (
        "hidden_size",
        "num_hidden_layers",
        "num_attention_heads",
        "num_key_value_heads",
        "head_dim",
        "intermediate_size",
        "vocab_size",
        "max_position_embeddings",
        "tie_word_embeddings",
        "sliding_window",
    )
    found = {name: value for name in names if (value := getattr(a, name, None)) is not None}
    if a.num_experts:
        found |= {"num_experts": a.num_experts, "num_experts_per_tok": a.num_experts_per_tok}
        found |= {"moe_intermediate_size": a.moe_intermediate_size} if a.moe_intermediate_size else {}
    return found


def anonymous(ctx: Context, number: int, arguments: dict[str, Any]) -> dict[str, Any]:
    """The same row for a network nobody has heard of, known by its configuration; as it is where the registry has none."""
    found = ctx.models.find(arguments["model"])
    if len(found) != 1 or not found[0].hidden_size:
        return arguments
    changed = {name: value for name, value in arguments.items() if name != "model"}
    return changed | {"model": f"custom-{number}", "model_config": config_of(found[0])}


def main() -> None:
    """Print all tables."""
    table = Path(sys.argv[1]) if len(sys.argv) > 1 else GOLDEN
    left_out(rows(table), int(sys.argv[2]) if len(sys.argv) > 2 else 12)
    ctx = open_context()

    def without(*names: str) -> list[float]:
        return asked(ctx, table, lambda _, given: {name: value for name, value in given.items() if name not in names})

    print(line("shipped constants", without()))
    print(line("framework withheld", without("framework")))
    print(line("and kernels", without("framework", "kernels")))
    print(line("models as custom-N", asked(ctx, table, lambda number, given: anonymous(ctx, number, given))))


if __name__ == "__main__":
    main()
