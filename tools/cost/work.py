"""What a run moves besides computing: the weights that come in, the checkpoints it writes, the result that goes out."""

from __future__ import annotations

from dataclasses import dataclass

from tools.cost.span import Span
from tools.units import GB

BOOT_HOURS = Span(2 / 60, 6 / 60, 20 / 60)
"""From order to a shell in the container: machine, driver check, image pull of 10-15 GB. Planning assumption; bare metal takes longer."""

DOWNLOAD_GB_PER_S = Span(0.1, 0.3, 1.5)
"""Weights from a public hub. About 1.5 GB/s is what one parallel download reached on a large machine (huggingface_hub pull request 2989,
2025-04); 0.1 is a gigabit line. The middle is a planning assumption."""

LOAD_GB_PER_S = 1.0
"""From a local disk to the card, quantising on the way; planning assumption for one NVMe disk."""

WRITE_GB_PER_S = Span(0.1, 0.5, 2.0)
"""A checkpoint to storage that survives the machine; planning assumption for a network volume."""

ENVIRONMENT_GB = 30.0
"""Container image, libraries and caches on the disk; planning assumption."""

KEPT_CHECKPOINTS = 2
"""Checkpoints on the disk at a time: the last good one and the one being written."""


@dataclass(frozen=True, slots=True)
class Freight:
    """Sizes in GB (1e9 bytes)."""

    weights_gb: float
    """Download of the released weights."""
    checkpoint_gb: float
    """One resumable checkpoint: what trains, and its optimizer states."""
    result_gb: float
    """The finished adapter or model."""

    @property
    def disk_gb(self) -> float:
        """Disk the run needs."""
        return ENVIRONMENT_GB + self.weights_gb + KEPT_CHECKPOINTS * self.checkpoint_gb + self.result_gb

    @property
    def setup_hours(self) -> Span:
        """From order to first step: boot, weights download, load."""
        load = self.weights_gb / LOAD_GB_PER_S / 3600

        def at(boot: float, rate: float) -> float:
            return boot + self.weights_gb / rate / 3600 + load

        return Span(
            at(BOOT_HOURS.low, DOWNLOAD_GB_PER_S.high),
            at(BOOT_HOURS.expected, DOWNLOAD_GB_PER_S.expected),
            at(BOOT_HOURS.high, DOWNLOAD_GB_PER_S.low),
        )

    @property
    def write_hours(self) -> Span:
        """One checkpoint to lasting storage."""
        return Span(*(self.checkpoint_gb / rate / 3600 for rate in reversed(WRITE_GB_PER_S)))


def freight_of(total_parameters: int, trainable_parameters: int, *, whole_model: bool, state_bytes: float) -> Freight:
    """Sizes of a run.

    `whole_model` says that the result is the model itself (2 bytes a parameter) and not an adapter (saved in fp32 by PEFT where it was
    trained so: 4 bytes a parameter). `state_bytes` are the optimizer's bytes a trained parameter, master copy included.
    """
    weight_bytes = 2.0 if whole_model else 4.0
    result = total_parameters * 2.0 if whole_model else trainable_parameters * weight_bytes
    checkpoint = result + trainable_parameters * state_bytes
    return Freight(weights_gb=total_parameters * 2.0 / GB, checkpoint_gb=checkpoint / GB, result_gb=result / GB)
