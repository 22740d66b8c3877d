"""A turn as the policy sees it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from advisor.policy.arguments import alternatives, has_job
from advisor.policy.facts import Facts
from advisor.slots import Understanding
from tools.context import Context

_HOW_MANY = re.compile(
    r"how many|number of (?:gpus|cards)|wie ?viele|anzahl|combien|cu[aá]nt[ao]s|quant[ao]s|几(?:张|块|个)|多少(?:张|块)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Ask:
    """Everything a step decides on."""

    u: Understanding
    facts: Facts
    question: str
    currency: str
    jobs: list[dict[str, Any]]
    """Alternatives of the job; empty where no model and no size is known."""

    @classmethod
    def of(cls, u: Understanding, ctx: Context, question: str, currency: str) -> Ask:
        """The turn with its jobs worked out once."""
        facts = Facts(ctx)
        return cls(u, facts, question, currency, alternatives(u, facts, question) if has_job(u) else [])


def asks_how_many(u: Understanding, question: str) -> bool:
    """Whether the number of a named card is what is asked for."""
    slots = u.slots
    return slots.accelerator is not None and slots.accelerator_count is None and bool(_HOW_MANY.search(question))
