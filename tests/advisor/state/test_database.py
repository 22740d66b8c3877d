"""A damaged store is set aside whole and said; what is merely unusable is an error, not a new file."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from advisor.state.database import open_database

GARBAGE = {
    "garbage": b"this is not a database at all, only text that somebody wrote over it" * 40,
    "half-a-header": b"SQLite format 3\x00" + b"\xff" * 4096,
}


@pytest.mark.parametrize("content", list(GARBAGE.values()), ids=list(GARBAGE))
def test_a_damaged_file_is_kept_and_a_new_one_started(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(content)

    async def scenario() -> str:
        database, notice = await open_database(path)
        await database.execute("INSERT INTO turns VALUES ('talk', 1, 'q', '{}', 'now')")
        await database.close()
        return notice

    notice = asyncio.run(scenario())
    aside = [part for part in tmp_path.iterdir() if ".damaged-" in part.name]
    assert "damaged" in notice
    assert [part.read_bytes() for part in aside] == [content]


def test_pages_overwritten_in_the_middle_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "c.db"

    async def fill() -> None:
        database, _ = await open_database(path)
        for position in range(200):
            await database.execute("INSERT INTO turns VALUES ('talk', ?, ?, '{}', 'now')", (position, "q" * 500))
        await database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        await database.close()

    asyncio.run(fill())
    with path.open("r+b") as file:
        file.seek(4096 * 3)
        file.write(os.urandom(4096 * 6))

    async def reopen() -> str:
        database, notice = await open_database(path)
        await database.close()
        return notice

    assert "damaged" in asyncio.run(reopen())


def test_a_healthy_file_gives_no_notice(tmp_path: Path) -> None:
    async def scenario() -> list[str]:
        notices = []
        for _ in range(2):
            database, notice = await open_database(tmp_path / "c.db")
            await database.close()
            notices.append(notice)
        return notices

    assert asyncio.run(scenario()) == ["", ""]
