"""Passages for a question: BM25 at once, dense vectors when they are warm, fused by reciprocal rank."""

from __future__ import annotations

import logging
import os
import threading
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from knowledge.bm25 import Bm25
from knowledge.dense_index import DenseIndex
from knowledge.embedder import Embedder
from knowledge.guide_files import LANGUAGES, Chunk, articles
from knowledge.record_cards import record_chunks
from tools.context import Catalog, ModelSource, Passage

log = logging.getLogger(__name__)

RRF_K = 60
"""Constant of reciprocal rank fusion (Cormack, Clarke and Büttcher 2009)."""
DENSE_WEIGHT = {"en": 0.6, "de": 0.3}
"""Say of the dense ranking against BM25's 1: MiniLM was trained on English."""
CANDIDATES = 24
MATCHED_FLOOR = 0.12
"""Least share of the question's weight a passage must match; below it nothing is said to be found."""
SIMILAR_FLOOR = 0.42
"""Cosine from which a passage counts as found though no word matches."""
KIND_ORDER = {"guide": 1.0, "own": 1.0, "provider": 0.8, "accelerator": 0.55, "model": 0.45}
"""Prior of a kind: questions that are looked up ask for advice; records are mostly asked of the tools."""


class HybridRetriever:
    """Implements `tools.context.Retriever`; safe to use from several threads."""

    def __init__(self, chunks: Sequence[Chunk], dense: DenseIndex | None) -> None:
        """Index the chunks for BM25; the dense side joins with `warm`."""
        self._chunks = {chunk.key: chunk for chunk in chunks}
        self._lexical = {
            language: Bm25(
                [(chunk.key, chunk.text, f"{chunk.title} {chunk.topics}") for chunk in chunks if chunk.language == language], language
            )
            for language in LANGUAGES
        }
        self._dense = dense
        self._warm = False
        self._fault = ""
        self._warming = threading.Lock()

    def warm(self) -> None:
        """Load the embedder and open the dense index. Raises NotReady; a second call returns at once."""
        with self._warming:
            if self._dense is None or self._warm:
                return
            try:
                # models are found by name, not by likeness: hundreds of near-identical cards would only cost time
                self._dense.open([chunk for chunk in self._chunks.values() if chunk.kind in ("guide", "provider", "own")])
                self._dense.search("warm", "en", 1)  # an index that was built before opens without its model, which loads here
            except Exception as error:
                self._fault = str(error)
                raise
            self._warm = True
            self._fault = ""

    def status(self) -> dict[str, object]:
        """What answers: for health checks."""
        dense = "off" if self._dense is None else "ready" if self._warm else f"failed: {self._fault}" if self._fault else "warming"
        return {"bm25": "ready", "dense": dense, "passages": len(self._chunks)}

    def search(self, query: str, *, language: str, limit: int = 5, kinds: Sequence[str] = ()) -> Sequence[Passage]:
        """Best passages first, in the language asked for; none below the relevance floor."""
        language = language if language in self._lexical else "en"
        fused: dict[str, float] = defaultdict(float)
        relevant: set[str] = set()
        for rank, (key, _, share) in enumerate(self._lexical[language].search(query, CANDIDATES)):
            fused[key] += 1.0 / (RRF_K + rank)
            if share >= MATCHED_FLOOR:
                relevant.add(key)
        if self._warm and self._dense is not None:
            for rank, (key, cosine) in enumerate(self._dense.search(query, language, CANDIDATES)):
                fused[key] += DENSE_WEIGHT[language] / (RRF_K + rank)
                if cosine >= SIMILAR_FLOOR:
                    relevant.add(key)
        scored = [(score * KIND_ORDER.get(self._chunks[key].kind, 0.5), key) for key, score in fused.items() if key in relevant]
        best = sorted(scored, key=lambda item: (-item[0], item[1]))
        chosen = [self._passage(key, score) for score, key in best if not kinds or self._chunks[key].kind in kinds]
        return chosen[:limit]

    def passage(self, passage_id: str) -> Passage | None:
        """One passage by id, English where no language is part of the id."""
        language, _, rest = passage_id.partition(":")
        key = passage_id if language in LANGUAGES and rest else f"en:{passage_id}"
        return self._passage(key, 0.0) if key in self._chunks else None

    def _passage(self, key: str, score: float) -> Passage:
        chunk = self._chunks[key]
        return Passage(
            id=chunk.id,
            title=chunk.title,
            text=chunk.text,
            kind=chunk.kind,
            language=chunk.language,
            source=chunk.source,
            as_of=chunk.as_of,
            score=round(score, 6),
        )


def open_retriever(
    catalog: Catalog,
    models: ModelSource,
    data_dir: Path | None = None,
    *,
    chroma_url: str | None = None,
    embedding_model: str | None = None,
    dense: bool = True,
) -> HybridRetriever:
    """Guide and records, searchable with BM25 at once. Raises BrokenData for a damaged article."""
    chunks = [chunk for article in articles() for chunk in article.chunks]
    chunks += record_chunks(catalog, models)
    index = None
    if dense and data_dir is not None:
        url = chroma_url or os.environ.get("ADVISOR_CHROMA_URL") or None
        embedder = Embedder(embedding_model or os.environ.get("ADVISOR_EMBEDDING_MODEL") or None)
        index = DenseIndex(data_dir / "index", url, embedder)
    return HybridRetriever(chunks, index)
