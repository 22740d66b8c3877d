"""The lock of a conversation holds across tasks and processes, and a dead holder does not block it."""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from advisor.state.database import open_database
from advisor.state.lock import conversation_lock
from tools.errors import BusyConversation


def test_two_tasks_take_turns(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        first, _ = await open_database(tmp_path / "c.db")
        second, _ = await open_database(tmp_path / "c.db")
        seen: list[str] = []

        async def hold(database: object, name: str) -> None:
            async with conversation_lock(database, "talk"):  # type: ignore[arg-type]
                seen.append(f"{name} in")
                await asyncio.sleep(0.05)
                seen.append(f"{name} out")

        await asyncio.gather(hold(first, "a"), hold(second, "b"))
        await first.close()
        await second.close()
        return seen

    seen = asyncio.run(scenario())
    assert seen in (["a in", "a out", "b in", "b out"], ["b in", "b out", "a in", "a out"])


def test_other_conversations_do_not_wait(tmp_path: Path) -> None:
    async def scenario() -> None:
        database, _ = await open_database(tmp_path / "c.db")
        async with conversation_lock(database, "one"), conversation_lock(database, "two", wait_seconds=0):
            pass
        await database.close()

    asyncio.run(scenario())


def test_a_second_asker_is_told_after_its_wait(tmp_path: Path) -> None:
    async def scenario() -> None:
        database, _ = await open_database(tmp_path / "c.db")
        async with conversation_lock(database, "talk"):
            with pytest.raises(BusyConversation):
                async with conversation_lock(database, "talk", wait_seconds=0.1):
                    pass
        await database.close()

    asyncio.run(scenario())


@pytest.mark.parametrize(
    ("host", "age", "taken"),
    [
        pytest.param(socket.gethostname(), -30.0, True, id="killed-here-is-taken-over-at-once"),
        pytest.param("another-host", -30.0, False, id="a-holder-elsewhere-is-trusted-until-it-expires"),
        pytest.param("another-host", 1.0, True, id="an-expired-holder-elsewhere-is-taken-over"),
    ],
)
def test_holders_that_died(tmp_path: Path, host: str, age: float, taken: bool) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()

    async def scenario() -> bool:
        database, _ = await open_database(tmp_path / "c.db")
        await database.execute("INSERT INTO locks VALUES (?, ?, ?)", ("talk", f"{host}:{gone.pid}:x", time.time() - age))
        try:
            async with conversation_lock(database, "talk", wait_seconds=0.1):
                return True
        except BusyConversation:
            return False
        finally:
            await database.close()

    assert asyncio.run(scenario()) is taken


def test_a_living_holder_of_this_host_is_not_robbed(tmp_path: Path) -> None:
    async def scenario() -> None:
        database, _ = await open_database(tmp_path / "c.db")
        owner = f"{socket.gethostname()}:{os.getpid()}:x"
        await database.execute("INSERT INTO locks VALUES (?, ?, ?)", ("talk", owner, time.time() + 30))
        with pytest.raises(BusyConversation):
            async with conversation_lock(database, "talk", wait_seconds=0.1):
                pass
        await database.close()

    asyncio.run(scenario())
