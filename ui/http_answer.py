"""`POST /v1/answer`: the whole answer as JSON, or its events as a stream."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Literal

from fastapi import APIRouter, Request
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from advisor.answer import Answer
from advisor.service import Advisor


class Question(BaseModel):
    """What is asked."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={"examples": [{"question": "Does a full fine-tune of an 8B model fit four H100?", "currency": "EUR"}]},
    )

    question: str = Field(max_length=20_000)
    """Free text, any language; German and English are answered in kind."""
    conversation_id: str | None = Field(default=None, max_length=200)
    """Goes on with an earlier conversation; a new one where left out."""
    language: Literal["en", "de"] | None = None
    """Language of the answer; that of the question where left out."""
    currency: str | None = Field(default=None, pattern=r"^[A-Z]{3}$")
    """Currency of costs."""


def answer_routes(advisor: Advisor) -> APIRouter:
    """The route, bound to an open advisor."""
    router = APIRouter(prefix="/v1", tags=["answer"])

    @router.post(
        "/answer",
        response_model=Answer,
        operation_id="answer",
        responses={200: {"content": {"text/event-stream": {"schema": {"type": "string"}}}}},
    )
    async def answer(question: Question, request: Request) -> Answer | StreamingResponse:
        """Answer a question; with `Accept: text/event-stream` the steps, the text and the answer as events."""
        options = question.model_dump(exclude={"question"})
        if "text/event-stream" not in request.headers.get("accept", ""):
            return await advisor.answer(question.question, **options)

        async def events() -> AsyncIterator[str]:
            async for event in advisor.stream(question.question, **options):
                yield f"event: {event.event}\ndata: {event.model_dump_json()}\n\n"

        return StreamingResponse(events(), media_type="text/event-stream", headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})

    return router
