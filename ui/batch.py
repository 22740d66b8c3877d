"""JSON lines in, JSON lines out: one process, order kept, a bad line answers with an error and the rest goes on."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Protocol

from advisor.failures import error_record
from tools.context import Context
from tools.errors import InvalidArguments
from ui.json_text import to_json

KINDS = ("tool", "question", "turns")
OPTIONAL = {"question": {"conversation_id", "language", "currency"}, "turns": {"language", "currency"}, "tool": {"arguments"}}
HINT = 'A line is {"id", "tool", "arguments"}, {"id", "question"} or {"id", "turns"}.'


class Asker(Protocol):
    """What answers questions."""

    def ask(self, question: str, conversation_id: str | None = None, language: str | None = None, currency: str | None = None) -> Any:
        """One turn of a conversation."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


class Batch:
    """Answers lines; context and advisor are opened when the first line needs them."""

    def __init__(self, open_context: Callable[[], Context], open_asker: Callable[[], Asker]) -> None:
        self._open_context = open_context
        self._open_asker = open_asker
        self._context: Context | None = None
        self._asker: Asker | None = None

    def answers(self, lines: Iterable[bytes]) -> Iterator[str]:
        """A JSON line for every line that is not blank, in order; what was opened is closed at the end."""
        try:
            for number, raw in enumerate(lines, start=1):
                if raw.strip():
                    yield self.answer(raw, number)
        finally:
            if self._asker is not None:
                self._asker.close()
                self._asker = None

    def answer(self, raw: bytes, number: int) -> str:
        """The JSON line that answers one line; never raises."""
        line_id: Any = None
        try:
            record = parsed(raw, number)
            line_id = record.get("id")
            return to_json({"id": line_id, **self._outcome(record)})
        except Exception as error:  # the contract: whatever is wrong with a line, the rest goes on
            return to_json({"id": line_id, "error": error_record(error)})

    def _outcome(self, record: Mapping[str, Any]) -> dict[str, Any]:
        kind = kind_of(record)
        if kind == "tool":
            return {"result": self._result(record["tool"], record.get("arguments", {}))}
        settings = {name: text_or_none(record, name) for name in ("language", "currency")}
        if kind == "question":
            conversation = text_or_none(record, "conversation_id")
            return {"answer": self._ask(record["question"], conversation_id=conversation, **settings)}
        answers: list[Any] = []
        conversation_id: str | None = None
        for turn in record["turns"]:
            answers.append(self._ask(turn, conversation_id=conversation_id, **settings))
            conversation_id = answers[-1].conversation_id
        return {"answers": answers}

    def _result(self, name: str, arguments: Any) -> Any:
        from tools.toolbox import tool

        if not isinstance(arguments, dict):
            raise InvalidArguments("'arguments' must be an object.", HINT)
        spec = tool(name)
        if self._context is None:
            self._context = self._open_context()
        return spec.run(self._context, arguments)

    def _ask(self, question: str, **settings: str | None) -> Any:
        if self._asker is None:
            self._asker = self._open_asker()
        return self._asker.ask(question, **settings)


def parsed(raw: bytes, number: int) -> dict[str, Any]:
    """A line as an object. Raises InvalidArguments naming the line."""
    try:
        record = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError
        raise InvalidArguments(f"Line {number} is not JSON.", HINT) from error
    if not isinstance(record, dict):
        raise InvalidArguments(f"Line {number} is not an object.", HINT)
    return record


def kind_of(record: Mapping[str, Any]) -> str:
    """Which of the three kinds a line is. Raises InvalidArguments."""
    kinds = [kind for kind in KINDS if kind in record]
    if len(kinds) != 1:
        raise InvalidArguments(f"A line holds exactly one of {', '.join(KINDS)}; this one holds {' and '.join(kinds) or 'none'}.", HINT)
    kind = kinds[0]
    if unknown := sorted(set(record) - {"id", kind} - OPTIONAL[kind]):
        raise InvalidArguments(f"A line with '{kind}' does not take {', '.join(unknown)[:80]}.", HINT)
    value = record[kind]
    if kind == "turns":
        if not isinstance(value, list) or not value or not all(isinstance(turn, str) for turn in value):
            raise InvalidArguments("'turns' must be a list of texts, at least one.", HINT)
    elif not isinstance(value, str):
        raise InvalidArguments(f"'{kind}' must be a text.", HINT)
    return kind


def text_or_none(record: Mapping[str, Any], name: str) -> str | None:
    """An optional text of a line. Raises InvalidArguments."""
    value = record.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidArguments(f"'{name}' must be a text.", HINT)
    return value
