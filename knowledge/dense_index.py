"""Dense vectors in Chroma, embedded or on a server: a manifest says what they were made of, a rebuild stands beside the old one."""

from __future__ import annotations

import hashlib
import logging
import shutil
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

from knowledge.embedder import Embedder
from knowledge.guide_files import Chunk
from tools.errors import NotReady

log = logging.getLogger(__name__)

PREFIX = "guide"
BATCH = 1000


def manifest_of(chunks: Sequence[Chunk], embedder: str) -> str:
    """Hash of what an index is made of: every text, its place, and the embedder."""
    digest = hashlib.sha256(embedder.encode())
    for chunk in chunks:
        digest.update(f"\x00{chunk.key}\x01{chunk.title}\x01{chunk.text}".encode())
    return digest.hexdigest()[:32]


class DenseIndex:
    """Vectors of the guide. `open` finds the collection that matches the manifest, or builds it and drops older ones."""

    def __init__(self, folder: Path, url: str | None, embedder: Embedder) -> None:
        self._folder = folder
        self._url = url
        self._embedder = embedder
        self._collection: Any = None

    def open(self, chunks: Sequence[Chunk]) -> None:
        """Ready to search. Raises NotReady where neither the old index nor a new one can be used."""
        name = f"{PREFIX}-{manifest_of(chunks, self._embedder.id)}"
        try:
            self._collection = self._find_or_build(self._client(), name, chunks)
        except NotReady:
            raise
        except Exception as error:  # chromadb raises bare exceptions of its Rust core for damaged files
            if self._url:
                raise NotReady(
                    f"The Chroma server at {self._url} cannot be used: {error}.", "Start it, or unset ADVISOR_CHROMA_URL."
                ) from error
            log.warning("the index was damaged (%s); it is built again", error)
            self._set_aside()
            self._collection = self._find_or_build(self._client(), name, chunks)

    def search(self, question: str, language: str, limit: int) -> list[tuple[str, float]]:
        """(chunk key, cosine similarity), best first, of one language."""
        found = self._collection.query(
            query_embeddings=[self._embedder.query(question)], n_results=limit, where={"language": language}, include=["distances"]
        )
        return [(str(key), 1.0 - float(distance)) for key, distance in zip(found["ids"][0], found["distances"][0], strict=True)]

    def _client(self) -> Any:
        import chromadb
        from chromadb.config import Settings

        settings = Settings(anonymized_telemetry=False)
        if self._url:
            place = urlparse(self._url)
            return chromadb.HttpClient(
                host=place.hostname or "127.0.0.1", port=place.port or 8000, ssl=place.scheme == "https", settings=settings
            )
        self._folder.mkdir(parents=True, exist_ok=True)
        return chromadb.PersistentClient(path=str(self._folder), settings=settings)

    def _find_or_build(self, client: Any, name: str, chunks: Sequence[Chunk]) -> Any:
        names = {collection.name for collection in client.list_collections()}
        if name in names:
            collection = client.get_collection(name, embedding_function=None)
            if collection.count() == len(chunks):
                return collection
            client.delete_collection(name)  # a build that was killed; its name is what the finished one will have
        collection = client.create_collection(
            name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}}, metadata={"embedder": self._embedder.id}
        )
        for start in range(0, len(chunks), BATCH):
            part = chunks[start : start + BATCH]
            collection.add(
                ids=[chunk.key for chunk in part],
                embeddings=self._embedder.documents([f"{chunk.title}. {chunk.text}" for chunk in part]),
                metadatas=[{"language": chunk.language, "kind": chunk.kind} for chunk in part],
            )
        for old in names:
            if old.startswith(f"{PREFIX}-") and old != name:
                client.delete_collection(old)
        return collection

    def _set_aside(self) -> None:
        """Keep a damaged folder under another name."""
        if self._folder.exists():
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
            shutil.move(str(self._folder), str(self._folder.with_name(f"{self._folder.name}.damaged-{stamp}")))
            from chromadb.api.shared_system_client import SharedSystemClient

            SharedSystemClient.clear_system_cache()  # Chroma keeps one system per path for the life of a process
