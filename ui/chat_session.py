"""What happens between a click and the page: questions, controls, edits, a page that comes back after a restart."""

from __future__ import annotations

import html
import secrets
import tempfile
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import gradio as gr

from advisor.answer import Answer, Failed, Finished, Step
from advisor.service import Advisor
from advisor.understanding.settings_line import read_settings, settings_line
from ui.chat_reply import reply, sources_html, user_text, working
from ui.chat_words import Language, word
from ui.controls import changes, label_of, understood_of, undone
from ui.uploads import read_files


@dataclass
class Talk:
    """A conversation as one page sees it."""

    conversation_id: str = ""
    turns: list[tuple[str, Answer]] = field(default_factory=list)
    """(question as sent, answer), oldest first."""
    note: str = ""
    """Said below the last turn: an unfinished question, an impossible value."""

    @property
    def last(self) -> Answer | None:
        """The newest answer."""
        return self.turns[-1][1] if self.turns else None

    @property
    def base(self) -> Answer | None:
        """The newest answer to words, not to a control: what a reset goes back to."""
        return next((answer for question, answer in reversed(self.turns) if read_settings(question) is None), None)

    def messages(self, language: Language) -> list[gr.ChatMessage]:
        """Every turn as the chat shows it."""
        shown: list[gr.ChatMessage] = []
        before: Answer | None = None
        for number, (question, answer) in enumerate(self.turns, start=1):
            shown.append(gr.ChatMessage(role="user", content=user_text(question, language)))
            shown.append(reply(answer, number, before, read_settings(question)))
            before = answer
        if self.note:
            shown.append(gr.ChatMessage(role="assistant", content=f"**{html.escape(self.note, quote=False)}**"))
        return shown

    def sources(self, language: Language) -> str:
        """Every cited passage."""
        return sources_html([(number, answer) for number, (_, answer) in enumerate(self.turns, start=1)], language)


@dataclass(frozen=True)
class Shown:
    """One state of the page while a question is answered."""

    messages: list[gr.ChatMessage]
    talk: Talk
    finished: bool = False


class ChatSession:
    """The handlers of a page, bound to an open advisor. They hold nothing: a talk is the page's own."""

    def __init__(self, advisor: Advisor) -> None:
        self.advisor = advisor

    async def ask(self, talk: Talk, question: str, language: Language, owner: str = "browser") -> AsyncIterator[Shown]:
        """Answer one question, showing each step."""
        talk = Talk(talk.conversation_id or new_conversation_id(owner), list(talk.turns))
        shown = [*talk.messages(language), gr.ChatMessage(role="user", content=user_text(question, language))]
        steps: dict[str, Step] = {}
        yield Shown(shown, talk)
        async for event in self.advisor.stream(question, conversation_id=talk.conversation_id):
            if isinstance(event, Step):
                steps[event.name] = event
                yield Shown([*shown, working(steps, language)], talk)
            elif isinstance(event, Failed):
                talk.note = f"{event.message} {event.hint}"
                yield Shown(
                    [*shown, gr.ChatMessage(role="assistant", content=f"**{_inert(event.message)}** {_inert(event.hint)}")], talk, True
                )
            elif isinstance(event, Finished):
                changed = read_settings(question)
                answer = reply(event.answer, len(talk.turns) + 1, talk.last, changed)
                talk.turns.append((question, event.answer))
                yield Shown([*shown, working(steps, language), answer], talk, True)

    async def ask_with_files(self, talk: Talk, text: str, files: list[str], language: Language, owner: str) -> AsyncIterator[Shown]:
        """A question with dropped files: logs and configurations join its text."""
        read = read_files([Path(file) for file in files], language)
        question = (text.strip() + read.text)[:19_500].strip()
        if question:
            async for shown in self.ask(talk, question, language, owner):
                talk = shown.talk
                if read.faults and shown.finished:
                    talk.note = " ".join(read.faults)
                    yield Shown(talk.messages(language), talk, True)
                else:
                    yield shown
        elif read.faults:
            talk = Talk(talk.conversation_id, list(talk.turns), " ".join(read.faults))
            yield Shown(talk.messages(language), talk, True)

    async def control(self, talk: Talk, values: list[Any], language: Language, owner: str) -> AsyncIterator[Shown]:
        """Controls that differ from what is shown become one turn; none is no turn."""
        try:
            changed = changes(understood_of(talk.last), values)
        except (ValueError, TypeError) as error:
            name = label_of(str(error), language)
            talk = Talk(talk.conversation_id, list(talk.turns), word("bad_value", language, name=name, value=_bad(values, str(error))))
            yield Shown(talk.messages(language), talk, True)
            return
        if changed:
            async for shown in self.ask(talk, settings_line(changed), language, owner):
                yield shown

    async def reset(self, talk: Talk, language: Language, owner: str) -> AsyncIterator[Shown]:
        """Back to what was said in words."""
        if talk.base is not None and talk.last is not None:
            changed = undone(talk.base.understood, talk.last.understood)
            if changed:
                async for shown in self.ask(talk, settings_line(changed), language, owner):
                    yield shown

    async def again(self, talk: Talk, turn: int, text: str | None, language: Language, owner: str) -> AsyncIterator[Shown]:
        """Ask turn number `turn` (from 0) anew, or other words in its place; later turns are dropped, earlier ones kept."""
        if not 0 <= turn < len(talk.turns):
            return
        question = (text if text is not None else talk.turns[turn][0]).strip()
        if not question:
            return
        fresh = new_conversation_id(owner)
        await self.advisor.fork(talk.conversation_id, turn, fresh)
        async for shown in self.ask(Talk(fresh, talk.turns[:turn]), question, language, owner):
            yield shown

    async def restore(self, conversation_id: str, pending: str, language: Language, owner: str) -> Talk:
        """The talk of a page that was loaded anew; a question that was cut off by a restart is named."""
        turns: list[tuple[str, Answer]] = []
        if conversation_id.startswith(f"{owner}:"):
            turns = [(turn.question, turn.answer) for turn in await self.advisor.turns(conversation_id)]
        talk = Talk(conversation_id if turns else "", turns)
        if pending and (not turns or turns[-1][0] != pending):
            talk.note = f"{pending[:200]} – {word('unfinished', language)}"
        return talk


def new_conversation_id(owner: str) -> str:
    """An id nobody can guess."""
    return f"{owner}:{secrets.token_urlsafe(16)}"


def take_away_folder() -> Path:
    """A folder of its own for one answer's files; the page's temporary files are the server's to clear."""
    return Path(tempfile.mkdtemp(prefix="finetune-advisor-plan-"))


def turn_of_message(messages: list[Any], index: int) -> int:
    """Number of the turn (from 0) that the message at `index` belongs to."""
    return max(0, sum(1 for message in messages[: index + 1] if _role(message) == "user") - 1)


def _role(message: Any) -> str:
    return str(message["role"] if isinstance(message, Mapping) else message.role)


def _bad(values: list[Any], slot: str) -> Any:
    from ui.controls import CONTROLS

    return next((value for control, value in zip(CONTROLS, values, strict=True) if control.slot == slot), "")


def _inert(text: str) -> str:
    return html.escape(text, quote=False)
