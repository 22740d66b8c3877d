"""How wide the range of a speed is: by what carries the time, and by what nobody stated."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from tools.duration.setting import Setting
from tools.duration.stack import StackClass
from tools.job import FineTuneJob

BASE = 0.12
"""Half width in ln of the 90 % range where everything is stated and matrix products take all the time. Trained, as are all widths here,
on residuals of sources that the fit had not seen (`make leave-one-out`)."""
UNSTATED = {"micro_batch_size": 0.35, "activation_checkpointing": 0.05, "framework": 0.15, "sharding": 0.40, "attention": 0.03}
"""Argument that was left out -> further half width."""
SHARES = {
    "interconnect": 0.72,
    "network": 0.55,
    "launch": 1.9,
    "dequantisation": 0.1,
    "attention": 0.64,
    "memory_bandwidth": 1.0,
    "offload": 0.8,
}
"""Part of the step -> half width at which it alone would be known."""
EXPERTS = 0.80
"""Further half width of a mixture of experts."""
VENDOR = 0.72
"""Vendor-tuned stacks vary less."""
UP = 0.75
"""Width above the expected speed over that below: a run is oftener slower than faster than its terms say."""


def ends(job: FineTuneJob, where: Setting, stack: StackClass, shares: Mapping[str, float]) -> tuple[float, float]:
    """Factors from the expected speed down and up to the ends of its 90 % range."""
    variance = BASE**2 + sum((width * shares.get(name, 0.0)) ** 2 for name, width in SHARES.items())
    for name, width in UNSTATED.items():
        if not job.states(name) and (name != "sharding" or where.count > 1):
            variance += width**2
    if job.architecture.num_experts:
        variance += EXPERTS**2
    width = variance**0.5 * (VENDOR if stack == "vendor" else 1.0)
    return exp(width), exp(width * UP)
