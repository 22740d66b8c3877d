"""The SQLite file of conversations: opened, checked, set aside when damaged."""

from __future__ import annotations

import logging
import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import aiosqlite

log = logging.getLogger(__name__)

SCHEMA = """
CREATE TABLE IF NOT EXISTS turns (
    conversation_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    question TEXT NOT NULL,
    answer TEXT NOT NULL,
    asked_at TEXT NOT NULL,
    PRIMARY KEY (conversation_id, position)
);
CREATE TABLE IF NOT EXISTS results (
    conversation_id TEXT NOT NULL,
    position INTEGER NOT NULL,
    call INTEGER NOT NULL,
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (conversation_id, position, call)
);
CREATE TABLE IF NOT EXISTS locks (
    conversation_id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    expires_at REAL NOT NULL
);
"""

BUSY_MILLISECONDS = 10_000
"""How long SQLite itself waits for another writer; far longer than any write here takes."""


async def open_database(path: Path) -> tuple[aiosqlite.Connection, str]:
    """A ready connection and a notice for the user: empty, or what happened to a damaged file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    notice = ""
    try:
        return await _connect(path), notice
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):  # locked, read-only, disk full: the file itself is not at fault
            raise
        aside = _set_aside(path)
        notice = f"The conversation store was damaged; it was kept as {aside.name} and a new one was started."
        log.warning("%s (%s)", notice, error)
        return await _connect(path), notice


async def _connect(path: Path) -> aiosqlite.Connection:
    connection = await aiosqlite.connect(path, isolation_level=None)
    try:
        await connection.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
        await connection.execute("PRAGMA journal_mode=WAL")
        await connection.execute("PRAGMA synchronous=NORMAL")
        async with connection.execute("PRAGMA quick_check(1)") as cursor:
            row = await cursor.fetchone()
        if row is None or row[0] != "ok":
            raise sqlite3.DatabaseError(str(row))
        await connection.executescript(SCHEMA)
    except BaseException:
        await connection.close()
        raise
    return connection


def _set_aside(path: Path) -> Path:
    """Rename a damaged file and its journal, so that nothing of it is lost."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    for suffix in ("", "-wal", "-shm"):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside
