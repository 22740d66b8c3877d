"""Print figures of speed: cold starts of the command line and warm times of every tool. Nothing here passes or fails.

make bench
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from knowledge.context import open_context
from tools.errors import AdvisorError
from tools.toolbox import tool

ROOT = Path(__file__).parent.parent.parent
ADVISOR = Path(sys.executable).parent / "advisor"
COLD_RUNS = 7
WARM_SECONDS = 1.0
WARM_RUNS = 200

JOB: dict[str, Any] = {
    "model": "mistral 7b v0.3",
    "method": "qlora",
    "sequence_length": 4096,
    "accelerator": "L40S",
    "dataset_tokens": "3M",
}

COLD: dict[str, list[str]] = {
    "advisor version": ["version"],
    "advisor --help": ["--help"],
    "advisor estimate-memory": ["estimate-memory", "--model", "mistral 7b v0.3", "--method", "qlora", "--accelerator", "L40S"],
    "advisor plan-job": ["plan-job", "--model", "mistral 7b v0.3", "--method", "qlora", "--dataset-tokens", "3M"],
}

WARM: dict[str, tuple[str, dict[str, Any]]] = {
    "describe_model": ("describe_model", {"model": "mistral 7b v0.3"}),
    "describe_accelerator": ("describe_accelerator", {"accelerator": "L40S"}),
    "describe_provider": ("describe_provider", {"provider": "lambda"}),
    "find_offers": ("find_offers", {"minimum_memory_gb": 40, "region": "EU"}),
    "estimate_memory": ("estimate_memory", JOB),
    "estimate_duration": ("estimate_duration", JOB),
    "plan_job, any card": ("plan_job", {name: value for name, value in JOB.items() if name != "accelerator"}),
    "plan_job, one card": ("plan_job", JOB),
    "plan_job, 70B QLoRA": ("plan_job", {"model": "llama 3.1 70b", "method": "qlora", "dataset_tokens": "3M"}),
    "plan_job, 70B full": ("plan_job", {"model": "llama 3.1 70b", "method": "full", "dataset_tokens": "50M"}),
    "compare_plans": (
        "compare_plans",
        {name: value for name, value in JOB.items() if name != "accelerator"}
        | {"alternatives": [{"accelerator": "A100 SXM 80GB"}, {"accelerator": "RTX 4090", "accelerator_count": 2}]},
    ),
    "spot_economics": ("spot_economics", JOB | {"deadline": 24}),
    "search_knowledge": ("search_knowledge", {"query": "checkpoint interval on spot instances"}),
}


def milliseconds(run: Callable[[], object], runs: int, limit_s: float) -> list[float]:
    """Times of up to `runs` calls, stopping after `limit_s` seconds."""
    times: list[float] = []
    end = time.perf_counter() + limit_s
    while len(times) < runs and (not times or time.perf_counter() < end):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1000)
    return times


def line(name: str, times: list[float]) -> str:
    """Median and worst of a list of times."""
    return f"  {name:<26} p50 {statistics.median(times):8.1f} ms   max {max(times):8.1f} ms   n {len(times)}"


def cold(arguments: list[str]) -> Callable[[], object]:
    """A whole process, as a person starts it."""

    def run() -> object:
        return subprocess.run([ADVISOR, *arguments], cwd=ROOT, capture_output=True, check=True)

    return run


def main() -> None:
    """Print both tables."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")
    print("Cold: a whole process")
    for name, arguments in COLD.items():
        print(line(name, milliseconds(cold(arguments), COLD_RUNS, 30)))
    start = time.perf_counter()
    ctx = open_context()
    print(f"Warm: one process (data opened in {(time.perf_counter() - start) * 1000:.0f} ms; the first call is in max)")
    for name, (tool_name, arguments_of_tool) in WARM.items():
        spec = tool(tool_name)
        try:
            print(line(name, milliseconds(lambda: spec.run(ctx, arguments_of_tool), WARM_RUNS, WARM_SECONDS)))  # noqa: B023  # runs at once
        except AdvisorError as error:
            print(f"  {name:<26} {error}")


if __name__ == "__main__":
    main()
