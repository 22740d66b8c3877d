"""The lock of a conversation: a row in the database, so that it holds across processes."""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiosqlite

from tools.errors import BusyConversation

HOLD_SECONDS = 60.0
"""Longest a turn may take before another asker may take over; a turn takes well under a second."""
WAIT_SECONDS = 20.0
"""How long a second asker waits before it is told that the conversation is busy."""
POLL_SECONDS = 0.02

_TAKE = """
INSERT INTO locks (conversation_id, owner, expires_at) VALUES (?, ?, ?)
ON CONFLICT (conversation_id) DO UPDATE SET owner = excluded.owner, expires_at = excluded.expires_at
WHERE locks.expires_at < ? OR locks.owner = ?
"""


@asynccontextmanager
async def conversation_lock(
    database: aiosqlite.Connection, conversation_id: str, *, wait_seconds: float = WAIT_SECONDS
) -> AsyncIterator[None]:
    """Hold the conversation for one turn. Raises BusyConversation after `wait_seconds`."""
    owner = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(6)}"
    deadline = time.monotonic() + wait_seconds
    dead: str | None = None
    while not await _take(database, conversation_id, owner, dead):
        dead = await _dead_owner(database, conversation_id)
        if dead is None:
            if time.monotonic() > deadline:
                raise BusyConversation("This conversation is being answered elsewhere.", "Wait a moment and ask again.")
            await asyncio.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        await database.execute("DELETE FROM locks WHERE conversation_id = ? AND owner = ?", (conversation_id, owner))


async def _take(database: aiosqlite.Connection, conversation_id: str, owner: str, dead: str | None) -> bool:
    now = time.time()
    cursor = await database.execute(_TAKE, (conversation_id, owner, now + HOLD_SECONDS, now, dead or ""))
    taken = cursor.rowcount == 1
    await cursor.close()
    return taken


async def _dead_owner(database: aiosqlite.Connection, conversation_id: str) -> str | None:
    """The holder, if it ran on this host and its process is gone: a killed server must not block its conversations."""
    async with database.execute("SELECT owner FROM locks WHERE conversation_id = ?", (conversation_id,)) as cursor:
        row = await cursor.fetchone()
    if row is None:
        return None
    owner = str(row[0])
    host, pid, _ = owner.split(":", 2)
    if host != socket.gethostname():
        return None
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return owner
    except PermissionError:
        return None
    return None
