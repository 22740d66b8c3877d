"""What is on the browser page, and in which language."""

from __future__ import annotations

from typing import Any

import gradio as gr

from tools.context import Context
from ui import controls
from ui.chat_session import Talk
from ui.chat_words import STARTERS, Language, word
from ui.offers_table import headings, kinds, widths

TITLE = "finetune-advisor"


class ChatLayout:
    """The components, made inside an open `gr.Blocks`."""

    ctx: Context

    def _build(self) -> None:
        language: Language = "en"
        self.talk = gr.State(Talk())
        self.conversation = gr.Textbox(visible=False)
        self.pending = gr.Textbox(visible=False)
        with gr.Row(elem_id="bar", equal_height=False):
            with gr.Column(scale=8, min_width=300):
                gr.Markdown(f"# {TITLE}")
                self.intro = gr.Markdown(word("intro", language))
            self.language = gr.Radio(
                ["English", "Deutsch"], value="English", label=word("language", language), scale=2, min_width=200, elem_id="language"
            )
        with gr.Row(equal_height=False):
            with gr.Column(scale=7, min_width=300):
                self._build_chat(language)
            with gr.Column(scale=5, min_width=300, elem_id="side"):
                self._build_side(language)

    def _build_chat(self, language: Language) -> None:
        self.chatbot = gr.Chatbot(
            elem_id="conversation",
            label=TITLE,
            show_label=False,
            height="68vh",
            layout="bubble",
            buttons=["copy", "copy_all"],
            latex_delimiters=[],
            placeholder=word("empty", language),
            examples=examples_of(language),
            editable="user",
            group_consecutive_messages=True,
        )
        self.box = gr.MultimodalTextbox(
            elem_id="ask",
            placeholder=word("ask", language),
            label=word("ask_label", language),
            show_label=False,
            autofocus=True,
            lines=1,
            max_lines=8,
            max_plain_text_length=20_000,
            file_count="multiple",
            sources=["upload"],
            submit_btn=word("send", language),
        )
        with gr.Row():
            self.stop = gr.Button(word("stop", language), variant="stop", visible=False, elem_id="stop", min_width=110)
            self.new = gr.Button(word("new", language), elem_id="new", min_width=110)

    def _build_side(self, language: Language) -> None:
        with gr.Tabs(selected="understood", elem_id="tabs"):
            with gr.Tab(word("tab_understood", language), id="understood") as self.tab_understood:
                self.hint = gr.Markdown(word("controls", language))
                with gr.Row(elem_id="controls"):
                    self.controls = [controls.build(control, self.ctx, language) for control in controls.CONTROLS]
                self.reset = gr.Button(word("reset", language), elem_id="reset", size="sm")
            with gr.Tab(word("tab_pictures", language), id="pictures", render_children=True) as self.tab_pictures:
                self.no_pictures = gr.Markdown(word("nothing", language))
                self.pictures = [
                    gr.Plot(visible=False, show_label=False, elem_id=f"picture-{name}") for name in ("memory", "context", "plans")
                ]
            with gr.Tab(word("tab_offers", language), id="offers", render_children=True) as self.tab_offers:
                self.offers = gr.Dataframe(
                    headers=headings(language),
                    datatype=kinds(),
                    interactive=False,
                    show_search="filter",
                    elem_id="offers",
                    label=word("tab_offers", language),
                    wrap=True,
                    column_widths=widths(),
                )
                self.order = gr.HTML("", elem_id="order")
            with gr.Tab(word("tab_sources", language), id="sources", render_children=True) as self.tab_sources:
                self.sources = gr.HTML(f"<p>{word('no_sources', language)}</p>", elem_id="sources")
            with gr.Tab(word("tab_take", language), id="take", render_children=True) as self.tab_take:
                self.nothing = gr.Markdown(word("nothing", language))
                self.files = [
                    gr.DownloadButton(word(name, language), visible=False, elem_id=f"take-{name}") for name in ("json", "csv", "markdown")
                ]
                self.print = gr.Button(word("print", language), elem_id="print")

    def _outputs(self) -> list[Any]:
        return [
            self.talk, self.chatbot, self.box, self.conversation, self.pending, self.stop, *self.controls, self.no_pictures, *self.pictures,
            self.offers, self.order, self.sources, self.nothing, *self.files,
        ]  # fmt: skip

    def _labelled(self) -> list[Any]:
        return [
            self.intro, self.language, self.new, self.hint, self.reset, self.print,
            self.tab_understood, self.tab_pictures, self.tab_offers, self.tab_sources, self.tab_take,
        ]  # fmt: skip

    def _words(self, language: Language) -> dict[Any, Any]:
        tabs = ("understood", "pictures", "offers", "sources", "take")
        return {
            self.intro: word("intro", language),
            self.language: gr.update(label=word("language", language)),
            self.new: gr.update(value=word("new", language)),
            self.stop: gr.update(value=word("stop", language)),
            self.hint: word("controls", language),
            self.reset: gr.update(value=word("reset", language)),
            self.print: gr.update(value=word("print", language)),
            self.box: gr.update(placeholder=word("ask", language), submit_btn=word("send", language)),
            **{getattr(self, f"tab_{name}"): gr.update(label=word(f"tab_{name}", language)) for name in tabs},
        }


def examples_of(language: Language) -> list[Any]:
    """Starter questions as the chat takes them."""
    return [{"text": starter, "display_text": starter} for starter in STARTERS[language]]
