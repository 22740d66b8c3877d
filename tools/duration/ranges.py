"""How wide the range of a speed is: by what carries the time, and by what nobody stated."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp

from tools.duration.setting import Setting
from tools.duration.stack import StackClass
from tools.job import FineTuneJob

BASE = 0.30
"""Half width in ln of the 90 % range where everything is stated and matrix products take all the time. Trained, as are all widths here,
on residuals of sources that the fit had not seen (`make leave-one-out`)."""
UNSTATED = {"micro_batch_size": 0.10, "activation_checkpointing": 0.08, "framework": 0.14, "sharding": 0.06, "attention": 0.05}
"""Argument that was left out -> further half width."""
SHARES = {"interconnect": 0.5, "network": 0.6, "launch": 0.4, "dequantisation": 0.3, "attention": 0.25, "offload": 0.6}
"""Part of the step -> half width at which it alone would be known."""
EXPERTS = 0.30
"""Further half width of a mixture of experts."""
VENDOR = 0.9
"""Vendor-tuned stacks vary less."""
UP = 0.95
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
