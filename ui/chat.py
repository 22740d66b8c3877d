"""The browser chat: a conversation on the left, what was understood and where it comes from on the right."""

from __future__ import annotations

import html
import secrets
from collections.abc import AsyncIterator
from typing import Any

import gradio as gr

from advisor.answer import Answer, Failed, Finished, Step
from advisor.service import Advisor
from ui.panel import sources_panel, understood_panel

TITLE = "finetune-advisor"
STARTERS = [
    "LoRA on a 13B model with 4k context: which single card is enough, and what does 10M tokens cost?",
    "Ich möchte ein 32B mit QLoRA anpassen und habe zwei 4090. Geht das?",
    "My 7B run dies with an out-of-memory error on a T4. What can I change?",
    "Spot oder On-Demand für einen Lauf von 30 Stunden?",
]
"""First questions, one of each kind: planning, fit, error, spot."""

CSS = """
.gradio-container { max-width: 1360px !important; margin: 0 auto; }
#panel { border-left: 1px solid var(--border-color-primary); padding-left: 16px; }
#panel table { font-size: 0.86em; }
#conversation table { font-size: 0.88em; display: block; overflow-x: auto; }
#conversation table :is(td, th) {
  word-break: normal !important; overflow-wrap: normal !important; padding: 4px 7px !important;
}
#ask textarea { font-size: 1.02em; }
"""


def chat_page(advisor: Advisor) -> gr.Blocks:
    """The page, bound to an open advisor."""

    async def respond(question: str, history: list[Any], conversation: str | None) -> AsyncIterator[tuple[Any, ...]]:
        question = (question or "").strip()
        if not question:
            yield history, "", conversation, gr.skip(), gr.skip()
            return
        conversation = conversation or f"browser:{secrets.token_urlsafe(16)}"
        history = [*history, gr.ChatMessage(role="user", content=html.escape(question, quote=False))]  # shown as typed
        steps: dict[str, Step] = {}
        async for event in advisor.stream(question, conversation_id=conversation):
            if isinstance(event, Step):
                steps[event.name] = event
                yield [*history, _working(steps)], "", conversation, gr.skip(), gr.skip()
            elif isinstance(event, Failed):
                history = [*history, gr.ChatMessage(content=f"**{event.message}** {event.hint}")]
                yield history, "", conversation, gr.skip(), gr.skip()
            elif isinstance(event, Finished):
                history = [*history, _working(steps), _reply(event.answer)]
                yield history, "", conversation, understood_panel(event.answer), sources_panel(event.answer)

    async def follow(chosen: gr.SelectData, history: list[Any], conversation: str | None) -> AsyncIterator[tuple[Any, ...]]:
        async for update in respond(str(chosen.value), history, conversation):
            yield update

    with gr.Blocks(title=TITLE, analytics_enabled=False) as page:
        conversation = gr.State(None)
        gr.Markdown(
            f"# {TITLE}\nWhich cloud GPU to rent for fine-tuning: what fits, how long it runs, what the finished run costs. "
            "*Deutsch oder English.* Prices are dated snapshots without VAT."
        )
        with gr.Row(equal_height=False):
            with gr.Column(scale=7, min_width=420):
                chatbot = gr.Chatbot(
                    elem_id="conversation",
                    show_label=False,
                    height="68vh",
                    layout="bubble",
                    buttons=["copy", "copy_all"],
                    latex_delimiters=[],
                    placeholder="Say model, method, context length and what you have. The rest is assumed, shown and can be changed.",
                    feedback_options=None,
                    group_consecutive_messages=True,
                )
                with gr.Row():
                    box = gr.Textbox(
                        elem_id="ask",
                        placeholder="Ask in your own words …",
                        show_label=False,
                        scale=8,
                        autofocus=True,
                        lines=1,
                        max_lines=8,
                    )
                    send = gr.Button("Send", variant="primary", scale=1, min_width=90, elem_id="send")
                    new = gr.Button("New chat", scale=1, min_width=120, elem_id="new")
                gr.Examples([[starter] for starter in STARTERS], inputs=[box], label="For example")
            with gr.Column(scale=4, min_width=300, elem_id="panel"):
                understood = gr.Markdown("### What was understood\nNothing yet.", elem_id="understood")
                sources = gr.Markdown("### Sources\nNone yet.", elem_id="sources")
        outputs = [chatbot, box, conversation, understood, sources]
        limits: dict[str, Any] = {"concurrency_limit": 8}
        gr.on([box.submit, send.click], respond, [box, chatbot, conversation], outputs, api_name="chat", **limits)
        chatbot.option_select(follow, [chatbot, conversation], outputs, api_visibility="private", **limits)
        new.click(_fresh, None, outputs, api_visibility="private")
    return page


def _fresh() -> tuple[Any, ...]:
    return [], "", None, "### What was understood\nNothing yet.", "### Sources\nNone yet."


def _working(steps: dict[str, Step]) -> gr.ChatMessage:
    """The steps so far as one collapsible message."""
    marks = {"running": "…", "done": "✓", "failed": "✗"}
    lines = [f"- {marks[step.status]} {step.title}" for step in steps.values()]
    pending = any(step.status == "running" for step in steps.values())
    title = next((step.title for step in reversed(steps.values()) if step.status == "running"), "Working shown")
    return gr.ChatMessage(content="\n".join(lines), metadata={"title": title, "status": "pending" if pending else "done"})


def _reply(answer: Answer) -> gr.ChatMessage:
    return gr.ChatMessage(content=answer.text, options=[{"value": question} for question in answer.follow_ups[:4]])
