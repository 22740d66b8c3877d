"""Architectures by name: the table behind `tools.context.ModelSource`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from knowledge.names import AliasIndex
from knowledge.tables import DATA, read_jsonl
from tools.architecture import ModelArchitecture
from tools.errors import AmbiguousName, UnknownName


class Registry:
    """Every known architecture, in the order of the file."""

    def __init__(self, models: Sequence[ModelArchitecture]) -> None:
        """Index the models by all their names."""
        self._models = {model.id: model for model in models}
        self._names = AliasIndex((model.id, model.aliases) for model in models)

    @classmethod
    def load(cls, data: Path = DATA) -> Registry:
        """Read `architectures.jsonl`. Raises BrokenData."""
        return cls(read_jsonl(data / "architectures.jsonl", ModelArchitecture))

    def models(self) -> Sequence[ModelArchitecture]:
        """All architectures."""
        return tuple(self._models.values())

    def model(self, name: str) -> ModelArchitecture:
        """One architecture by any alias. Raises UnknownName or AmbiguousName."""
        found = self.find(name)
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousName("model", name, [model.id for model in found])
        raise UnknownName("model", name, self._names.suggest(name))

    def find(self, name: str) -> Sequence[ModelArchitecture]:
        """Every architecture the name may mean; empty where nobody has heard of it. Makes no suggestions."""
        return tuple(self._models[id_] for id_ in self._names.lookup(name))

    def names(self) -> AliasIndex:
        """The index itself, for those who look for names inside a text."""
        return self._names
