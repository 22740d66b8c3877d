"""`advisor batch`: one line out for each line in, whatever stands on it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from tools.context import Context
from tools.errors import NotReady
from ui.batch import Batch


@dataclass
class Echo:
    """Answers with what it was asked; remembers conversations."""

    asked: list[tuple[str, str | None, str | None]] = field(default_factory=list)

    def close(self) -> None:
        self.closed = True

    def ask(self, question: str, conversation_id: str | None = None, language: str | None = None, currency: str | None = None) -> Any:
        if question == "boom":
            raise ZeroDivisionError("secret detail")
        if question == "wait":
            raise NotReady("The index is being built.", "Ask again in a minute.")
        self.asked.append((question, conversation_id, language))
        return Reply(question, conversation_id or f"c{len(self.asked)}")


class Reply(dict[str, str]):
    def __init__(self, text: str, conversation_id: str) -> None:
        super().__init__(text=text, conversation_id=conversation_id)
        self.conversation_id = conversation_id


def no_context() -> Context:
    raise AssertionError("no line needed the data")


def outcome(*lines: object, echo: Echo | None = None) -> list[dict[str, Any]]:
    raw = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    batch = Batch(no_context, lambda: echo or Echo())
    return [json.loads(line) for line in batch.answers(raw)]


def test_a_question_is_answered_under_its_id() -> None:
    assert outcome({"id": "a", "question": "hello"}) == [{"id": "a", "answer": {"text": "hello", "conversation_id": "c1"}}]


def test_turns_are_one_conversation() -> None:
    echo = Echo()
    (line,) = outcome({"id": "a", "turns": ["one", "two", "three"], "language": "de"}, echo=echo)
    assert [answer["text"] for answer in line["answers"]] == ["one", "two", "three"]
    assert echo.asked == [("one", None, "de"), ("two", "c1", "de"), ("three", "c1", "de")]


def test_order_is_kept_and_a_bad_line_does_not_stop_the_rest() -> None:
    lines = outcome({"id": 1, "question": "x"}, b"{nonsense", {"id": 3, "question": "y"})
    assert [line["id"] for line in lines] == [1, None, 3]
    assert lines[1]["error"]["code"] == "invalid_arguments"
    assert "Line 2" in lines[1]["error"]["message"]


def test_blank_lines_are_passed_over() -> None:
    assert outcome(b"\n", b"  \n", {"id": 1, "question": ""}) == [{"id": 1, "answer": {"text": "", "conversation_id": "c1"}}]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        pytest.param(b"[1]", "not an object", id="no object"),
        pytest.param(b"\xff\xfe", "not JSON", id="no UTF-8"),
        pytest.param(b"[" * 100_000, "not JSON", id="nested too deep"),
        pytest.param({"id": "a"}, "exactly one of", id="nothing asked"),
        pytest.param({"id": "a", "question": "x", "tool": "plan_job"}, "exactly one of", id="two things asked"),
        pytest.param({"id": "a", "question": 5}, "must be a text", id="a question that is a number"),
        pytest.param({"id": "a", "turns": []}, "at least one", id="no turns"),
        pytest.param({"id": "a", "turns": ["x", 1]}, "list of texts", id="a turn that is a number"),
        pytest.param({"id": "a", "question": "x", "langauge": "de"}, "does not take langauge", id="a misspelt key"),
        pytest.param({"id": "a", "question": "x", "language": 1}, "must be a text", id="a language that is a number"),
    ],
)
def test_a_line_that_cannot_be_understood_says_why(line: object, told: str) -> None:
    (answer,) = outcome(line)
    assert answer["error"]["code"] == "invalid_arguments"
    assert told in answer["error"]["message"]
    assert answer["error"]["hint"]


def test_an_error_that_can_be_mended_comes_with_its_hint() -> None:
    (answer,) = outcome({"id": "a", "question": "wait"})
    assert answer["error"] == {"code": "not_ready", "message": "The index is being built.", "hint": "Ask again in a minute."}


def test_a_bug_is_told_by_its_log_id_alone(caplog: pytest.LogCaptureFixture) -> None:
    first, second = outcome({"id": "a", "question": "boom"}, {"id": "b", "question": "fine"})
    assert first["error"]["code"] == "internal"
    assert "secret detail" not in json.dumps(first) and "Traceback" not in json.dumps(first)
    incident = caplog.records[0].getMessage().rpartition(" ")[2]
    assert incident in first["error"]["message"]
    assert second["answer"]["text"] == "fine"


@pytest.mark.parametrize("value", [float("nan"), float("inf")], ids=["NaN", "infinity"])
def test_no_line_ever_holds_a_number_that_json_does_not_know(value: float) -> None:
    class Broken(Echo):
        def close(self) -> None:
            self.closed = True

        def ask(self, question: str, conversation_id: str | None = None, language: str | None = None, currency: str | None = None) -> Any:
            return {"figure": value}

    (answer,) = outcome({"id": "a", "question": "x"}, echo=Broken())
    assert answer["error"]["code"] == "internal"
