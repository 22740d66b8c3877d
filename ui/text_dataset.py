"""A counted data set as text."""

from __future__ import annotations

from tools.dataset.summary import DatasetSummary
from tools.units import count_text

TOOLS_WITH_A_JOB = "estimate-memory, estimate-duration, plan-job, compare-plans or spot-economics"


def dataset_text(summary: DatasetSummary) -> str:
    """Counts, lengths, packing, and the options that hand them to other commands."""
    tokens = summary.tokens
    span = "" if tokens.low == tokens.high else f" ({count_text(tokens.low)} to {count_text(tokens.high)})"
    how = "estimated from characters" if summary.counted_by == "estimate" else f"counted by {summary.counted_by}"
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in summary.kinds.items())
    lines = [
        f"{summary.source}: {summary.examples:,} examples ({kinds}), {count_text(tokens.expected)} tokens{span}, {how}",
        f"Tokens an example: mean {summary.tokens_per_example:,.0f}, "
        + ", ".join(f"{name} {value:,}" for name, value in summary.percentiles.items()),
    ]
    if summary.packing:
        packing = summary.packing
        lines.append(
            f"At {packing.sequence_length:,} tokens a sequence: {packing.filled:.0%} filled unpacked; packed "
            f"{packing.sequences:,} sequences, {packing.gain:.1f} times fewer; {packing.truncated:,} examples are longer"
        )
    lines += [f"Assumed: {each.name} = {each.value} ({each.reason})" for each in summary.assumptions]
    lines += summary.warnings
    options = " ".join(f"--{name.replace('_', '-')} {value}" for name, value in summary.arguments.items() if name != "dataset_tokens")
    lines.append(f"For {TOOLS_WITH_A_JOB}: {options}")
    return "\n".join(lines)
