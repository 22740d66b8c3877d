"""Turns and their results: the truth of a conversation, of which the graph's checkpoint is a cache."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

import aiosqlite

from advisor.answer import Answer, ToolResult

COPY = (
    "INSERT INTO turns SELECT ?, position, question, answer, asked_at FROM turns WHERE conversation_id = ? AND position <= ?",
    "INSERT INTO results SELECT ?, position, call, tool, arguments, result FROM results WHERE conversation_id = ? AND position <= ?",
)


@dataclass(frozen=True, slots=True)
class StoredTurn:
    """A question and its answer, results included."""

    question: str
    answer: Answer


class Conversations:
    """Stored turns. Every write of one turn is a single transaction."""

    def __init__(self, database: aiosqlite.Connection) -> None:
        self._database = database
        self._writing = asyncio.Lock()  # a connection has one transaction at a time, whoever of its tasks began it

    async def questions(self, conversation_id: str) -> list[str]:
        """The user's turns, oldest first."""
        query = "SELECT question FROM turns WHERE conversation_id = ? ORDER BY position"
        async with self._database.execute(query, (conversation_id,)) as cursor:
            return [str(row[0]) for row in await cursor.fetchall()]

    async def exchanges(self, conversation_id: str, last: int) -> list[tuple[str, str]]:
        """(question, answer text) of the last turns, oldest first."""
        query = "SELECT question, json_extract(answer, '$.text') FROM turns WHERE conversation_id = ? ORDER BY position DESC LIMIT ?"
        async with self._database.execute(query, (conversation_id, last)) as cursor:
            rows = await cursor.fetchall()
        return [(str(question), str(text)) for question, text in reversed(list(rows))]

    async def turns(self, conversation_id: str) -> list[StoredTurn]:
        """Every turn whole, oldest first; empty for a conversation that nobody began."""
        results: dict[int, list[ToolResult]] = {}
        query = "SELECT position, tool, arguments, result FROM results WHERE conversation_id = ? ORDER BY position, call"
        async with self._database.execute(query, (conversation_id,)) as cursor:
            for position, tool, arguments, result in await cursor.fetchall():
                done = ToolResult(tool=str(tool), arguments=json.loads(arguments), result=json.loads(result))
                results.setdefault(int(position), []).append(done)
        query = "SELECT position, question, answer FROM turns WHERE conversation_id = ? ORDER BY position"
        async with self._database.execute(query, (conversation_id,)) as cursor:
            rows = await cursor.fetchall()
        return [
            StoredTurn(str(question), Answer.model_validate({**json.loads(answer), "results": results.get(int(position), [])}))
            for position, question, answer in rows
        ]

    async def copy(self, source: str, target: str, keep: int) -> None:
        """Copy the first `keep` turns of a conversation into a new one, in a single transaction."""
        async with self._writing:
            await self._database.execute("BEGIN IMMEDIATE")
            try:
                for query in COPY:
                    await self._database.execute(query, (target, source, keep))
            except BaseException:
                await self._database.execute("ROLLBACK")
                raise
            await self._database.execute("COMMIT")

    async def append(self, conversation_id: str, question: str, answer: Answer, results: Sequence[ToolResult]) -> int:
        """Store a finished turn and its results; returns its position.

        The answer is stored without `results`, which lie in their own table and would otherwise double its size.
        """
        record = answer.model_dump(mode="json", exclude={"results"})
        async with self._writing:
            await self._database.execute("BEGIN IMMEDIATE")
            try:
                query = "SELECT COALESCE(MAX(position), 0) + 1 FROM turns WHERE conversation_id = ?"
                async with self._database.execute(query, (conversation_id,)) as cursor:
                    row = await cursor.fetchone()
                position = int(row[0]) if row else 1
                await self._database.execute(
                    "INSERT INTO turns VALUES (?, ?, ?, ?, ?)",
                    (conversation_id, position, question, json.dumps(record, ensure_ascii=False), datetime.now(UTC).isoformat()),
                )
                await self._database.executemany(
                    "INSERT INTO results VALUES (?, ?, ?, ?, ?, ?)",
                    [
                        (conversation_id, position, call, done.tool, json.dumps(done.arguments), json.dumps(done.result))
                        for call, done in enumerate(results)
                    ],
                )
            except BaseException:
                await self._database.execute("ROLLBACK")
                raise
            await self._database.execute("COMMIT")
            return position
