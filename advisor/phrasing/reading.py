"""One verdict over all readings of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from advisor.phrasing.found import Found, Job
from advisor.policy.arguments import PLAIN_LAUNCH
from advisor.slots import Understanding
from tools.results import FitVerdict, MemoryEstimate

Row = tuple[Job, MemoryEstimate]

SLOT_OF = {"weight_precision": "precision", "compute_precision": "precision"}
"""Job arguments that people state under another name."""


@dataclass(frozen=True, slots=True)
class Reading:
    """The verdict, the estimate it rests on, and what tells the alternatives apart."""

    verdict: FitVerdict
    job: Job
    estimate: MemoryEstimate
    differing: tuple[str, ...]
    """Arguments in which the alternatives differ."""


def read(u: Understanding, found: Found, question: str = "") -> Reading | None:
    """The verdict that holds over all alternatives; `conditional` where they disagree, with what decides.

    A method nobody named is read as the usual one (the first row); only where that one does not fit, and another does, the
    method decides. The rows themselves are never mixed: verdict and estimate come from one of them.
    """
    rows = found.memory
    if not rows:
        return None
    differing = differences([job for job, _ in rows])
    judged = [row for row in rows if row[1].verdict.fits is not None]
    if not judged:
        return _without_card(u, rows[0], differing)
    main = judged[0]
    enough = _enough_cards(found, main)
    if enough is not None:
        return _reading(enough, differing)
    if len(judged) == 1 and u.intent != "oom_debug":
        main = _with_checkpointing(found, main)
    if len({str(estimate.verdict.fits) for _, estimate in judged}) == 1:
        return _unsaid_decides(u, found, _rollouts_decide(_reading(main, differing)), launched=bool(LAUNCHER.search(question)))
    assumed_method = "method" in differing and u.slots.method is None
    if assumed_method and main[1].verdict.fits is True and not _cards_disagree(judged, main):
        return _reading(main, differing)
    fitting = next((row for row in judged if row[1].verdict.fits is True), main)
    missing = [SLOT_OF.get(name, name) for name in _deciding(judged, differing)]
    verdict = fitting[1].verdict.model_copy(update={"fits": "conditional", "missing": list(dict.fromkeys(missing))})
    return Reading(verdict, fitting[0], fitting[1], differing)


def _enough_cards(found: Found, main: Row) -> Row | None:
    """The fewest cards that carry the job, where counts were tried because the question is how many."""
    counts = {"accelerator_count", "nodes"}
    tried = [row for row in found.variants if "accelerator_count" not in main[0] and set(differences([main[0], row[0]])) <= counts]
    fitting = [row for row in tried if row[1].verdict.fits is True]
    return next((row for row in fitting if not row[1].verdict.tight), fitting[0] if fitting else None)


def _with_checkpointing(found: Found, main: Row) -> Row:
    """The job with activation checkpointing, where nobody spoke of it and the job fits with it alone: it costs a little time only."""
    if main[1].verdict.fits is True or "activation_checkpointing" in main[0]:
        return main
    switched = {**main[0], "activation_checkpointing": "full"}
    fitting = (row for row in found.variants if dict(row[0]) == switched and row[1].verdict.fits is True)
    return next(fitting, main)


def _cards_disagree(judged: Sequence[Row], main: Row) -> bool:
    same_method = [row for row in judged if row[0].get("method") == main[0].get("method")]
    return len({str(estimate.verdict.fits) for _, estimate in same_method}) > 1


def _deciding(judged: Sequence[Row], differing: Sequence[str]) -> list[str]:
    """Arguments whose change alone turns the verdict; all differing ones where none does alone."""
    turning = [
        name
        for name in differing
        if any(
            left[1].verdict.fits != right[1].verdict.fits
            and left[0].get(name) != right[0].get(name)
            and all(left[0].get(other) == right[0].get(other) for other in differing if other != name)
            for left in judged
            for right in judged
        )
    ]
    return turning or list(differing)


def _without_card(u: Understanding, row: Row, differing: tuple[str, ...]) -> Reading:
    """Whether it fits hangs on a card that nobody named, where that was the question."""
    if u.intent != "fit_check" or row[1].verdict.fits is not None:
        return _reading(row, differing)
    missing = ["accelerator", *(["method"] if "method" in differing else [])]
    return Reading(row[1].verdict.model_copy(update={"fits": "conditional", "missing": missing}), row[0], row[1], differing)


def _rollouts_decide(reading: Reading) -> Reading:
    """Generation on the training cards takes a share that the estimate of the training step does not hold."""
    if reading.job.get("objective") not in ("grpo", "ppo") or reading.verdict.fits is not True:
        return reading
    verdict = reading.verdict.model_copy(update={"fits": "conditional", "missing": ["gpu_memory_utilization"]})
    return Reading(verdict, reading.job, reading.estimate, reading.differing)


LAUNCHER = re.compile(r"torchrun|nproc[_-]per[_-]node|torch\.distributed\.(?:run|launch)")
"""A launcher that starts a process, and without further settings a full copy, per card."""

UNSAID = ("sharding", "loss", "activation_checkpointing", "weight_precision", "context_parallel")
"""Choices of the training stack: where nobody made them and one of them turns the verdict, it hangs on that choice."""


def _unsaid_decides(u: Understanding, found: Found, reading: Reading, *, launched: bool = False) -> Reading:
    """A choice nobody stated turns the verdict. A run that already failed is not read this way, save for how cards share it.

    `launched`: the question shows a launcher that starts one full copy per card.
    """
    if reading.verdict.fits is not False:
        return reading
    usable = reading.verdict.usable_bytes or 0
    if u.slots.model is None and u.intent != "oom_debug" and reading.estimate.peak_device_bytes.low <= usable:
        verdict = reading.verdict.model_copy(update={"fits": "conditional", "missing": ["model"]})  # sizes differ in vocabulary and shape
        return Reading(verdict, reading.job, reading.estimate, reading.differing)
    for job, estimate in found.variants:
        changed = differences([reading.job, job])
        plain = changed == ("sharding",) and u.slots.sharding is None and reading.job.get("sharding") == PLAIN_LAUNCH and not launched
        said = not changed or (changed[0] in reading.job and not plain)
        open_choice = len(changed) == 1 and changed[0] in UNSAID and not said
        if not open_choice or estimate.verdict.headroom_bytes is None or estimate.verdict.headroom_bytes < 0:
            continue
        if changed[0] == "sharding" or u.intent != "oom_debug" or changed[0] == "weight_precision":
            verdict = reading.verdict.model_copy(update={"fits": "conditional", "missing": [SLOT_OF.get(changed[0], changed[0])]})
            return Reading(verdict, reading.job, reading.estimate, reading.differing)
    return reading


def differences(jobs: Sequence[Job]) -> tuple[str, ...]:
    """Arguments that are not the same in all jobs, in the order in which people say them."""
    names = dict.fromkeys(name for job in jobs for name in job)
    return tuple(name for name in names if any(job.get(name) != jobs[0].get(name) for job in jobs))


def _reading(row: Row, differing: tuple[str, ...]) -> Reading:
    return Reading(row[1].verdict, row[0], row[1], differing)
