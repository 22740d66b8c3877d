"""What preference and reinforcement objectives add: further models, and several samples for one example."""

from __future__ import annotations

from tools.job import FineTuneJob
from tools.terms import Objective
from tools.trainable import trains_base

PAIRED = frozenset({Objective.DPO, Objective.ORPO, Objective.REWARD})
"""Objectives that run the chosen and the rejected answer as one batch (TRL)."""


def samples_per_example(job: FineTuneJob) -> int:
    """Sequences that run at once for one example."""
    return 2 if job.objective in PAIRED else 1


def frozen_copies(job: FineTuneJob) -> tuple[float, float]:
    """(reference models, reward and value models) in sizes of the base.

    With adapters the reference is the base with the adapter switched off, and costs nothing. PPO adds a reward model and
    a value model, taken at the base's size where nothing was said of theirs.
    """
    reference = 1.0 if trains_base(job) and job.objective in (Objective.DPO, Objective.KTO, Objective.PPO, Objective.GRPO) else 0.0
    others = 2.0 if job.objective is Objective.PPO else 0.0
    return reference, others
