"""Time of a warm answer with and without a plan, on the first and the fortieth turn of a conversation.

python tests/benchmarks/bench_answers.py
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from advisor.service import OpenAdvisor, open_advisor
from advisor.settings import Settings

KINDS = {
    "without a plan": "Does LoRA on Qwen2.5 14B with {context}k context fit an A40?",
    "with a plan": "Which card should I rent for a QLoRA of a 32B model on 20M tokens at {context}k context, and what does the run cost?",
}
ROUNDS = 15


def timed(advisor: OpenAdvisor, question: str, conversation: str) -> float:
    """Milliseconds of one answer."""
    started = time.perf_counter()
    advisor.ask(question, conversation_id=conversation)
    return (time.perf_counter() - started) * 1000


def main() -> int:
    """Print p50 and p95 per kind and turn."""
    with tempfile.TemporaryDirectory() as folder, open_advisor(Settings(data_dir=Path(folder))) as advisor:
        for kind, question in KINDS.items():
            timed(advisor, question.format(context=2), f"warm {kind}")
            first, fortieth = [], []
            for round_ in range(ROUNDS):
                first.append(timed(advisor, question.format(context=1 + round_ % 8), f"{kind} {round_}"))
            for turn in range(39):
                timed(advisor, question.format(context=1 + turn % 8), f"long {kind}")
            for round_ in range(ROUNDS):  # turns 40 to 54
                fortieth.append(timed(advisor, question.format(context=1 + round_ % 8), f"long {kind}"))
            for name, values in (("turn 1", first), ("turn 40", fortieth)):
                ordered = sorted(values)
                p50, p95 = statistics.median(ordered), ordered[int(0.95 * len(ordered))]
                sys.stdout.write(f"answer {kind:15s} {name:8s} p50 {p50:6.1f} ms  p95 {p95:6.1f} ms\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
