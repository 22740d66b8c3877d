"""The answer every surface gives, and the events on the way to it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from advisor.slots import Intent, Route
from tools.base import Value
from tools.estimate import Citation
from tools.results import FitVerdict, MemoryEstimate, Plan


class Understood(Value):
    """What the answer rests on."""

    stated: dict[str, Any]
    """What the user said, over all turns."""
    assumed: dict[str, Any]
    """What nobody said, name -> value."""


class ToolResult(Value):
    """A tool call and what came back."""

    tool: str
    """Name of the tool."""
    arguments: dict[str, Any]
    """What it was called with."""
    result: dict[str, Any]
    """What it returned, or `{"error": {...}}`."""


class Answer(Value):
    """The contract of `POST /v1/answer` and of `advisor batch`."""

    conversation_id: str
    """Conversation the answer belongs to."""
    language: str
    """Language of `text`."""
    question_language: str
    """Language of the question, as far as told."""
    chat_model: str
    """Which brain spoke: `builtin`, or provider:name."""
    elapsed_ms: int = Field(ge=0)
    """Time it took."""
    intent: Intent
    """What was asked."""
    route: Route
    """What was done with it."""
    text: str
    """Markdown, verdict first, with [1]-style markers."""
    understood: Understood
    """Stated and assumed values."""
    verdict: FitVerdict | None = None
    """Fit, where a card is in question."""
    memory: MemoryEstimate | None = None
    """The estimate behind the verdict."""
    plans: list[Plan] = []
    """Ranked ways to run the job."""
    results: list[ToolResult] = []
    """Every tool call."""
    citations: list[Citation] = []
    """What the markers point to."""
    asks: list[str] = []
    """Slots that would change the answer."""
    warnings: list[str] = []
    """What a user should know before paying."""
    follow_ups: list[str] = []
    """Questions that make sense next."""
    grounded: bool
    """Whether every figure in the text comes from a result, a citation or the question."""


class Step(Value):
    """Progress: understood, looked up, computed."""

    event: Literal["step"] = "step"
    """Kind of event."""
    name: str
    """Tool or stage."""
    title: str
    """For people."""
    status: Literal["running", "done", "failed"]
    """Where it stands."""


class TextDelta(Value):
    """A verified piece of the answer's text."""

    event: Literal["text"] = "text"
    """Kind of event."""
    delta: str
    """The piece."""


class Finished(Value):
    """The whole answer."""

    event: Literal["answer"] = "answer"
    """Kind of event."""
    answer: Answer
    """The answer."""


class Failed(Value):
    """Why there is no answer."""

    event: Literal["error"] = "error"
    """Kind of event."""
    code: str
    """Code of the error."""
    message: str
    """What is wrong."""
    hint: str
    """What to do."""


Event = Annotated[Step | TextDelta | Finished | Failed, Field(discriminator="event")]
"""What a stream carries."""
