"""What interruptions do to a run, in time and money."""

from __future__ import annotations

from tools.base import Value
from tools.estimate import Assumption, Citation, Estimate
from tools.results import Plan


class SpotEconomics(Value):
    """A run on interruptible machines against the same on demand."""

    work_hours: Estimate[float]
    """The run without interruptions and without set-up."""
    interruptions_per_day: Estimate[float]
    """Of the whole run, over all its machines."""
    rate_basis: str
    """Where that rate comes from."""
    checkpoint_gib: float | None
    """One resumable checkpoint; None where no job was described."""
    write_minutes: float
    """To write one to storage that survives the machine."""
    best_interval_minutes: float
    """Between saves: sqrt(2 x write time x mean time between interruptions)."""
    interval_minutes: float
    """Used for the figures below."""
    restart_minutes: float
    """From an interruption to the next step."""
    loss_minutes_per_interruption: float
    """Half an interval of work, and the restart."""
    expected_interruptions: float
    """During the run on spot."""
    spot_hours: Estimate[float]
    """Wall time on spot, saving and losses included: `low` is the shortest tenth, `high` the longest tenth of simulated runs."""
    on_demand_hours: float
    """Wall time without interruptions, nothing saved on the way."""
    hours_without_resume: float | None
    """Expected wall time on spot where every interruption starts the run over; None where it practically never finishes."""
    notice_seconds: int | None
    """Warning the provider gives; None where unknown."""
    notice_covers_write: bool | None
    """Whether a checkpoint can still be written after the warning; None where the warning is unknown."""
    deadline_hours: float | None = None
    """As asked."""
    chance_to_meet_deadline: float | None = None
    """Share of simulated spot runs within the deadline."""
    currency: str
    """ISO code of the costs."""
    spot_cost: Estimate[float] | None = None
    """Machine time on spot; None where no price is known."""
    on_demand_cost: float | None = None
    """Machine time on demand; None where no price is known."""
    saving: float | None = None
    """On demand minus spot, expected; negative where spot is dearer."""
    break_even_share: float
    """Spot pays below this share of the on-demand price."""
    recommended: bool | None
    """Whether spot is cheaper, resumes and holds the deadline in nine of ten runs; None where no price is known."""
    plan: Plan | None = None
    """The spot plan behind the figures, where a job was described."""
    assumptions: list[Assumption] = []
    """What nobody said."""
    citations: list[Citation] = []
    """Sources."""
    warnings: list[str] = []
    """What a user should know."""
