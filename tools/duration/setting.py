"""Where a job runs: cards, links and how many take part; apart from the job, so that one count of work serves many settings."""

from __future__ import annotations

from dataclasses import dataclass

from tools.accelerator import Accelerator
from tools.job import FineTuneJob
from tools.terms import Interconnect, Network


@dataclass(frozen=True, slots=True)
class Setting:
    """Cards and links."""

    card: Accelerator
    count: int
    nodes: int
    interconnect: Interconnect
    network: Network
    network_gbps: float | None
    accumulation: int
    """Micro-steps per optimizer step."""

    @property
    def per_node(self) -> int:
        """Cards in one node."""
        return self.count // self.nodes


def setting_of(job: FineTuneJob, card: Accelerator) -> Setting:
    """The setting a resolved job names."""
    return Setting(
        card,
        job.accelerator_count,
        job.nodes,
        job.interconnect,
        job.network,
        job.network_gbps,
        job.gradient_accumulation_steps,
    )
