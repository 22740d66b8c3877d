"""The advisor: questions in, answers out, conversations kept. Every surface talks to this."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from advisor.answer import Answer, Event, Failed, Finished, Step, TextDelta, Understood
from advisor.brain.turn import Turn, current_turn
from advisor.failures import error_record
from advisor.settings import Settings, load_settings
from advisor.steps import step_title
from knowledge.context import with_newer_prices
from tools.context import Context
from tools.errors import AdvisorError, InvalidArguments

if TYPE_CHECKING:
    from advisor.state.conversations import StoredTurn

log = logging.getLogger(__name__)

KEPT_TURNS = 12
"""Turns a brain sees as messages; older ones live on in the folded slots."""
MAX_QUESTION_CHARACTERS = 20_000
"""Longest question; a pasted log of that length is still read."""


class Advisor:
    """An open advisor. Use as an asynchronous context manager, or through `open_advisor` from synchronous code."""

    def __init__(self, settings: Settings, ctx: Context, *, today: Callable[[], date] = date.today, ephemeral: bool = False) -> None:
        self.settings = settings
        self.ctx = ctx
        self.notices: list[str] = []
        self._today = today
        self._ephemeral = ephemeral
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        """Open the database, the checkpointer and the graph. Raises AdvisorError where the data folder cannot be used."""
        from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

        from advisor.brain.builtin import BuiltinChatModel
        from advisor.graph import build_graph
        from advisor.state.conversations import Conversations
        from advisor.state.database import open_database
        from advisor.understanding.names import Names

        os.environ.setdefault("LANGSMITH_TRACING", "false")
        os.environ.setdefault("LANGGRAPH_STRICT_MSGPACK", "true")
        folder = self.settings.data_dir
        if self._ephemeral:
            folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="finetune-advisor-")))
        path = folder / "conversations.db"
        try:
            self._database, notice = await open_database(path)
            self._stack.push_async_callback(self._database.close)
            self._locks, _ = await open_database(path)
            self._stack.push_async_callback(self._locks.close)
            saver_database, _ = await open_database(path)
            self._stack.push_async_callback(saver_database.close)
        except OSError as error:
            raise AdvisorError(
                f"The data folder {folder} cannot be used: {error.strerror}.", "Set ADVISOR_DATA_DIR to a folder you may write to."
            ) from error
        if notice:
            self.notices.append(notice)
        self._saver = AsyncSqliteSaver(saver_database)
        await self._saver.setup()
        self._conversations = Conversations(self._database)
        self.names = Names.of(self.ctx)
        brain = BuiltinChatModel(ctx=self.ctx, names=self.names, today=self._today)
        self._graph = build_graph(brain, self.fresh_context, self._saver, KEPT_TURNS)
        return self

    async def __aexit__(self, *exc: object) -> None:
        """Close everything."""
        await self._stack.aclose()

    def fresh_context(self) -> Context:
        """The context of today: a server that runs for weeks must not freeze its prices, nor their age."""
        self.ctx = with_newer_prices(self.ctx, self.settings.data_dir)
        return Context(self.ctx.catalog, self.ctx.models, self.ctx.retriever, self._today())

    async def answer(
        self, question: str, *, conversation_id: str | None = None, language: str | None = None, currency: str | None = None
    ) -> Answer:
        """The whole answer. Raises AdvisorError (BusyConversation, InvalidArguments)."""
        async for event in self.events(question, conversation_id=conversation_id, language=language, currency=currency):
            if isinstance(event, Finished):
                return event.answer
        raise RuntimeError("the stream ended without an answer")

    async def turns(self, conversation_id: str) -> list[StoredTurn]:
        """What was asked and answered so far, oldest first; empty for a conversation that nobody began."""
        return await self._conversations.turns(checked_conversation_id(conversation_id))

    async def fork(self, conversation_id: str, keep: int, new_id: str) -> None:
        """A new conversation that starts with the first `keep` turns of another: a question asked again or otherwise."""
        await self._conversations.copy(checked_conversation_id(conversation_id), checked_conversation_id(new_id), keep)

    async def stream(self, question: str, **options: Any) -> AsyncIterator[Event]:
        """Events for a surface: an error ends the stream as an event, never as an exception."""
        try:
            async for event in self.events(question, **options):
                yield event
        except Exception as error:
            yield Failed(**error_record(error))

    async def events(
        self, question: str, *, conversation_id: str | None = None, language: str | None = None, currency: str | None = None
    ) -> AsyncIterator[Event]:
        """Steps as they happen, the verified text, the answer. Raises AdvisorError."""
        conversation_id = checked_conversation_id(conversation_id)
        if len(question) > MAX_QUESTION_CHARACTERS:
            raise InvalidArguments(
                f"The question has {len(question):,} characters; {MAX_QUESTION_CHARACTERS:,} are read.", "Paste the part around the error."
            )
        turn = Turn(questions=[question], currency=currency or self.settings.currency, forced_language=language)
        steps: asyncio.Queue[Step | None] = asyncio.Queue()
        # a task of its own: the turn's context variable must not depend on which task reads the stream,
        # and the conversation's lock not on how fast it reads
        work = asyncio.create_task(self._answer_turn(turn, conversation_id, steps))
        work.add_done_callback(lambda _: steps.put_nowait(None))
        try:
            while (step := await steps.get()) is not None:
                yield step
            answer = await work
        finally:
            work.cancel()
        yield TextDelta(delta=answer.text)
        yield Finished(answer=answer)

    async def _answer_turn(self, turn: Turn, conversation_id: str, steps: asyncio.Queue[Step | None]) -> Answer:
        """One turn under the conversation's lock."""
        from advisor.state.lock import conversation_lock

        started = time.perf_counter()
        async with conversation_lock(self._locks, conversation_id):
            turn.questions = [*await self._conversations.questions(conversation_id), turn.questions[-1]]
            await self._run(turn, conversation_id, steps)
            answer = self._finished(turn, conversation_id, round((time.perf_counter() - started) * 1000))
            await self._conversations.append(conversation_id, turn.questions[-1], answer, turn.done())
            await self._prune(conversation_id)
        return answer

    async def _run(self, turn: Turn, conversation_id: str, steps: asyncio.Queue[Step | None]) -> None:
        """Drive the graph; the turn collects what it finds."""
        from langchain_core.messages import AIMessage

        current_turn.set(turn)
        config: Any = {"configurable": {"thread_id": conversation_id}}
        running: list[str] = []
        steps.put_nowait(Step(name="understand", title=step_title("understand", turn), status="running"))
        messages = {"messages": await self._new_messages(turn, conversation_id, config)}
        async for update in self._graph.astream(messages, config, stream_mode="updates", durability="exit"):
            for part in update.values():
                for message in (part or {}).get("messages", []):
                    if not isinstance(message, AIMessage):
                        continue
                    for name in dict.fromkeys(call["name"] for call in message.tool_calls if call["name"] not in running):
                        running.append(name)
                        steps.put_nowait(Step(name=name, title=step_title(name, turn), status="running"))
        if turn.draft is None:
            raise RuntimeError("the graph ended without a draft")
        steps.put_nowait(Step(name="understand", title=step_title("understand", turn), status="done"))
        for name in running:
            failed = any(done.tool == name and "error" in done.result for done in turn.done())
            steps.put_nowait(Step(name=name, title=step_title(name, turn), status="failed" if failed else "done"))

    async def _new_messages(self, turn: Turn, conversation_id: str, config: Any) -> list[Any]:
        """The question; before it what was said, where the checkpoint is lost and only the stored turns are left."""
        from langchain_core.messages import AIMessage, HumanMessage

        messages: list[Any] = []
        if len(turn.questions) > 1 and await self._saver.aget_tuple(config) is None:
            for question, text in await self._conversations.exchanges(conversation_id, KEPT_TURNS):
                messages += [HumanMessage(question), AIMessage(text)]
        return [*messages, HumanMessage(turn.questions[-1])]

    async def _prune(self, conversation_id: str) -> None:
        """One checkpoint per conversation is kept."""
        query = (
            "DELETE FROM {table} WHERE thread_id = ? AND checkpoint_id < (SELECT MAX(checkpoint_id) FROM checkpoints WHERE thread_id = ?)"
        )
        for table in ("writes", "checkpoints"):  # writes first: they refer to checkpoints
            await self._database.execute(query.format(table=table), (conversation_id, conversation_id))

    def _finished(self, turn: Turn, conversation_id: str, elapsed_ms: int) -> Answer:
        from advisor.phrasing.grounding import check

        draft, reading = turn.draft, turn.understanding
        if draft is None or reading is None:
            raise RuntimeError("a finished turn has a draft and an understanding")
        results = turn.done()
        faults = check(draft.text, results, draft.citations, "\n".join(turn.questions))
        if faults:
            log.error("ungrounded figures in a built-in answer: %s", faults)
        notices, self.notices = self.notices, []
        return Answer(
            conversation_id=conversation_id,
            language=reading.language,
            question_language=reading.question_language,
            chat_model="builtin",
            elapsed_ms=elapsed_ms,
            intent=reading.intent,
            route=draft.route,
            text=draft.text,
            understood=Understood(stated=reading.slots.stated(), assumed=draft.assumed),
            verdict=draft.verdict,
            memory=draft.memory,
            plans=draft.plans,
            results=results,
            citations=draft.citations,
            asks=draft.asks,
            warnings=[*notices, *draft.warnings],
            follow_ups=draft.follow_ups,
            grounded=not faults,
        )


def checked_conversation_id(conversation_id: str | None) -> str:
    """A new id where none is given. Raises InvalidArguments for one that is too long or has control characters."""
    if conversation_id is None:
        return secrets.token_urlsafe(12)
    if not 1 <= len(conversation_id) <= 200 or not conversation_id.isprintable():
        raise InvalidArguments("A conversation id has 1 to 200 printable characters.", "Leave it out to start a new conversation.")
    return conversation_id


class OpenAdvisor:
    """The advisor for synchronous callers: one event loop, kept until closed."""

    def __init__(self, advisor: Advisor) -> None:
        self._runner = asyncio.Runner()
        self._advisor = advisor
        self._runner.run(advisor.__aenter__())

    def ask(self, question: str, *, conversation_id: str | None = None, language: str | None = None, currency: str | None = None) -> Answer:
        """One answer. Raises AdvisorError."""
        return self._runner.run(self._advisor.answer(question, conversation_id=conversation_id, language=language, currency=currency))

    def __enter__(self) -> Self:
        """The advisor itself."""
        return self

    def __exit__(self, *exc: object) -> None:
        """Close everything."""
        self.close()

    def close(self) -> None:
        """Close database and loop."""
        self._runner.run(self._advisor.__aexit__())
        self._runner.close()


def open_advisor(settings: Settings | None = None, *, ephemeral: bool = False, today: Callable[[], date] = date.today) -> OpenAdvisor:
    """An advisor on the embedded defaults; `ephemeral` keeps conversations only until it is closed (batch runs)."""
    from knowledge.context import open_context

    settings = settings or load_settings()
    return OpenAdvisor(Advisor(settings, open_context(today=today(), data_dir=settings.data_dir), today=today, ephemeral=ephemeral))
