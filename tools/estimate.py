"""Uncertain figures: never a point without its range."""

from __future__ import annotations

from typing import Generic, Self, TypeVar

from pydantic import Field, model_validator

from tools.base import Value

Number = TypeVar("Number", int, float)


class Estimate(Value, Generic[Number]):
    """`expected` is unbiased, `high` holds in 24 of 25 cases, `low` likewise from below."""

    low: Number = Field(ge=0)
    """Lower end of the range."""
    expected: Number = Field(ge=0)
    """The unbiased figure."""
    high: Number = Field(ge=0)
    """Upper end of the range; plan with this one."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.low <= self.expected <= self.high:
            raise ValueError(f"a range runs low <= expected <= high, not {self.low}, {self.expected}, {self.high}")
        return self


class Assumption(Value):
    """Something nobody said that the figures rest on; each can be changed by an argument of the same name."""

    name: str
    """The job argument it fills."""
    value: str | int | float | bool | list[str] | None
    """What was assumed."""
    reason: str
    """Why this value, in one clause."""
    decisive: bool = False
    """Whether another usual value would turn the verdict."""


class Citation(Value):
    """Where a figure or statement comes from, spelled so that a person can open it."""

    id: str
    """Stable id of the passage or data row."""
    title: str
    """What it is called."""
    source: str
    """Address or file."""
    as_of: str = "unknown"
    """Date of the source."""
    quote: str = ""
    """The passage that carries the statement."""
    marker: str = ""
    """`[1]` in an answer's text; empty outside one."""
