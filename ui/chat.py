"""The browser chat: a conversation on the left; what was understood, pictures, offers, sources and files on the right."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import gradio as gr

from advisor.service import Advisor
from ui import controls
from ui.charts import context_chart, memory_chart, plans_chart
from ui.chat_layout import TITLE, ChatLayout, examples_of
from ui.chat_session import ChatSession, Shown, Talk, take_away_folder, turn_of_message
from ui.chat_style import RECALL, REMEMBER
from ui.chat_words import Language, as_language, word
from ui.offers_table import headings, kinds, links_of, rows_of
from ui.takeaway import write_files

OWNER = "browser"
"""What ids of this page's conversations begin with."""
LIMIT = 16
"""Questions answered at once; each is a fraction of a second."""


class ChatPage(ChatLayout):
    """The page's components and what each event does to them."""

    def __init__(self, advisor: Advisor) -> None:
        self.advisor = advisor
        self.ctx = advisor.ctx
        self.session = ChatSession(advisor)
        with gr.Blocks(title=TITLE, analytics_enabled=False) as self.blocks:
            self._build()
            self._wire()

    # what happens

    def _wire(self) -> None:
        private: dict[str, Any] = {
            "api_visibility": "private",
            "concurrency_limit": LIMIT,
            "concurrency_id": "answers",
            "show_progress": "hidden",
        }
        state = [self.talk, self.language]
        everything = self._outputs()
        asked = self.box.submit(self._ask, [self.box, *state], everything, **private)
        followed = self.chatbot.option_select(self._follow, state, everything, **private)
        started = self.chatbot.example_select(self._start, state, everything, **private)
        retried = self.chatbot.retry(self._retry, [self.chatbot, *state], everything, **private)
        edited = self.chatbot.edit(self._edit, [self.chatbot, *state], everything, **private)
        moved = gr.on(
            [
                getattr(component, event)
                for component in self.controls
                for event in (("input",) if isinstance(component, gr.Dropdown) else ("submit", "blur"))
            ],
            self._control,
            [*self.controls, *state],
            everything,
            **private,
        )
        undone = self.reset.click(self._reset, state, everything, **private)
        running = [asked, followed, started, retried, edited, moved, undone]
        halted = self.stop.click(None, cancels=running, api_visibility="private")
        halted.then(self._stopped, state, everything, api_visibility="private")
        emptied = self.new.click(None, cancels=running, api_visibility="private")
        emptied.then(self._fresh, [self.language], everything, api_visibility="private")
        self.language.change(self._relabel, state, [*everything, *self._labelled()], api_visibility="private")
        self.print.click(None, js="() => window.print()", api_visibility="private")
        gr.on(
            [self.conversation.change, self.pending.change], None, [self.conversation, self.pending], js=REMEMBER, api_visibility="private"
        )
        browser = gr.Textbox(visible=False)
        self.blocks.load(self._restore, [self.conversation, self.pending, browser], [*everything, *self._labelled()], js=RECALL, **private)
        gr.api(self._answer, api_name="chat", concurrency_limit=LIMIT)

    async def _answer(self, question: str, conversation_id: str | None = None) -> dict[str, Any]:
        """Ask a question; the answer of the contract. For programs; `/v1/answer` has the same and streams."""
        return (await self.advisor.answer(question, conversation_id=conversation_id or None)).model_dump(mode="json")

    async def _ask(self, box: Any, talk: Talk, label: str) -> AsyncIterator[dict[Any, Any]]:
        language = as_language(label)
        message = box if isinstance(box, dict) else {"text": str(box or ""), "files": []}
        text, files = str(message.get("text") or ""), [str(file) for file in message.get("files") or []]
        if not text.strip() and not files:
            yield {self.box: gr.skip()}
            return
        async for update in self._shown(self.session.ask_with_files(talk, text, files, language, OWNER), language, pending=text.strip()):
            yield update

    async def _follow(self, talk: Talk, label: str, chosen: gr.SelectData) -> AsyncIterator[dict[Any, Any]]:
        async for update in self._question(str(chosen.value), talk, label):
            yield update

    async def _start(self, talk: Talk, label: str, chosen: gr.SelectData) -> AsyncIterator[dict[Any, Any]]:
        async for update in self._question(str(chosen.value["text"]), talk, label):
            yield update

    async def _question(self, question: str, talk: Talk, label: str) -> AsyncIterator[dict[Any, Any]]:
        language = as_language(label)
        async for update in self._shown(self.session.ask(talk, question, language, OWNER), language, pending=question):
            yield update

    async def _retry(self, messages: list[Any], talk: Talk, label: str, event: gr.RetryData) -> AsyncIterator[dict[Any, Any]]:
        language, index = as_language(label), event.index if isinstance(event.index, int) else event.index[0]
        again = self.session.again(talk, turn_of_message(messages, index), None, language, OWNER)
        async for update in self._shown(again, language):
            yield update

    async def _edit(self, messages: list[Any], talk: Talk, label: str, event: gr.EditData) -> AsyncIterator[dict[Any, Any]]:
        language, index = as_language(label), event.index if isinstance(event.index, int) else event.index[0]
        again = self.session.again(talk, turn_of_message(messages, index), str(event.value), language, OWNER)
        async for update in self._shown(again, language):
            yield update

    async def _control(self, *values: Any) -> AsyncIterator[dict[Any, Any]]:
        *set_values, talk, label = values
        language = as_language(label)
        async for update in self._shown(self.session.control(talk, set_values, language, OWNER), language):
            yield update

    async def _reset(self, talk: Talk, label: str) -> AsyncIterator[dict[Any, Any]]:
        language = as_language(label)
        async for update in self._shown(self.session.reset(talk, language, OWNER), language):
            yield update

    async def _shown(self, stream: AsyncIterator[Shown], language: Language, pending: str = "") -> AsyncIterator[dict[Any, Any]]:
        """Page updates of a stream: messages while it runs, the whole page at its end."""
        sent = False
        async for shown in stream:
            if shown.finished:
                yield self._page(shown.talk, language) | {self.chatbot: gr.update(value=shown.messages)}
            else:
                yield {
                    self.chatbot: shown.messages,
                    self.conversation: shown.talk.conversation_id,
                    self.pending: pending,
                    self.stop: gr.update(visible=True),
                } | ({} if sent else {self.box: gr.update(value=None)})
            sent = True
        if not sent:
            yield {self.stop: gr.update(visible=False)}

    def _page(self, talk: Talk, language: Language) -> dict[Any, Any]:
        """The whole page for a talk that waits for the next question."""
        answer = talk.last
        return {
            self.talk: talk,
            self.chatbot: gr.update(value=talk.messages(language), placeholder=word("empty", language), examples=examples_of(language)),
            self.conversation: talk.conversation_id,
            self.pending: "",
            self.stop: gr.update(visible=False),
            self.sources: talk.sources(language),
            **dict(zip(self.controls, controls.updates(controls.understood_of(answer), language), strict=True)),
            **self._pictures(talk, language),
            **self._takeaway(talk, language),
        }

    def _pictures(self, talk: Talk, language: Language) -> dict[Any, Any]:
        answer = talk.last
        charts: list[Any] = [None, None, None]
        if answer is not None and answer.memory is not None:
            job = next((done.arguments for done in answer.results if done.tool in ("estimate_memory", "plan_job")), {})
            only = {name: value for name, value in job.items() if name not in _PLAN_ONLY}
            charts[0] = memory_chart(answer.memory, answer.verdict, language)
            charts[1] = context_chart(self.advisor.fresh_context(), only, answer.verdict, language)
        if answer is not None:
            charts[2] = plans_chart(answer.plans, language)
        shown = {plot: gr.update(value=chart, visible=chart is not None) for plot, chart in zip(self.pictures, charts, strict=True)}
        return shown | {self.no_pictures: gr.update(visible=not any(charts), value=word("nothing", language))}

    def _takeaway(self, talk: Talk, language: Language) -> dict[Any, Any]:
        answer = talk.last
        rows = rows_of(answer, self.advisor.fresh_context(), language) if answer is not None else []
        links = links_of(answer, self.advisor.fresh_context(), language) if answer is not None else ""
        table: dict[Any, Any] = {
            self.order: links,
            self.offers: gr.update(
                value={"headers": headings(language), "data": rows}, datatype=kinds(), label=word("tab_offers", language)
            ),
        }
        if answer is None or (answer.memory is None and not answer.plans):
            hidden = {button: gr.update(visible=False) for button in self.files}
            return table | hidden | {self.nothing: gr.update(visible=True, value=word("nothing", language))}
        paths = write_files(answer, take_away_folder())
        buttons = {
            button: gr.update(value=str(paths[name]), label=word(name, language), visible=True)
            for button, name in zip(self.files, paths, strict=True)
        }
        return table | buttons | {self.nothing: gr.update(visible=False)}

    def _fresh(self, label: str) -> dict[Any, Any]:
        return self._page(Talk(), as_language(label)) | {self.box: gr.update(value=None)}

    def _stopped(self, talk: Talk, label: str) -> dict[Any, Any]:
        language = as_language(label)
        return self._page(Talk(talk.conversation_id, list(talk.turns), word("stopped", language)), language)

    async def _restore(self, conversation: str, pending: str, browser: str) -> dict[Any, Any]:
        language = as_language(browser)
        talk = await self.session.restore(conversation or "", pending or "", language, OWNER)
        chosen = gr.update(value="Deutsch" if language == "de" else "English", label=word("language", language))
        return self._words(language) | self._page(talk, language) | {self.language: chosen}

    def _relabel(self, talk: Talk, label: str) -> dict[Any, Any]:
        language = as_language(label)
        return self._words(language) | self._page(talk, language)


_PLAN_ONLY = frozenset(
    {
        "region",
        "provider",
        "pricing_term",
        "budget",
        "currency",
        "deadline",
        "consumer_ok",
        "features",
        "max_nodes",
        "usd_per_hour",
        "limit",
    }
)
"""Arguments of a plan that memory knows nothing of."""


def chat_page(advisor: Advisor) -> gr.Blocks:
    """The page, bound to an open advisor."""
    return ChatPage(advisor).blocks
