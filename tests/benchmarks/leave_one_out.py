"""Error on each source that the fit has not seen: python -m tests.benchmarks.leave_one_out [passes].

Only sequences from 1,024 tokens are scored, as everywhere.
"""

from __future__ import annotations

import math
import statistics
import sys

from tests.benchmarks.calibrate_duration import fit, residual, rows


def ninetieth(values: list[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(0.9 * len(ordered)) - 1)]


def line(name: str, errors: list[float]) -> str:
    return f"{name:12s} rows {len(errors):3d}  median {statistics.median(errors):6.1%}  p90 {ninetieth(errors):6.1%}"


def main() -> None:
    data = rows()
    passes = int(sys.argv[1]) if len(sys.argv) > 1 else 4
    together: list[float] = []
    for source in sorted({row.source for row in data}):
        c = fit([row for row in data if row.source != source], passes)
        left_out = [row for row in data if row.source == source and row.job.sequence_length >= 1024]
        errors = [abs(math.expm1(residual(row, c))) for row in left_out]
        if errors:
            print(line(source, errors), flush=True)
        together += errors
    print(line("all", together))


if __name__ == "__main__":
    main()
