"""A server searches in several threads, and warms the index in one more."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from knowledge.bm25 import terms
from knowledge.context import open_context


def test_threads_that_search_first_share_one_index() -> None:
    retriever = open_context().retriever
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: [p.id for p in retriever.search("interrupted machines", language="en")], range(16)))
    assert found[0]
    assert all(ids == found[0] for ids in found)


def test_stems_do_not_depend_on_other_threads() -> None:
    texts = [f"interruptions{n} probability{n} generalisations{n} nationalism{n} checkpointing{n}" for n in range(400)]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda text: terms(text.replace("ns", "nes"), "en"), texts))
    assert together == [terms(text.replace("ns", "nes"), "en") for text in texts]
