"""From what a caller says of a model to an architecture: by name, by configuration, by size."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from tools.architecture import ModelArchitecture
from tools.config_object import architecture_of
from tools.context import Context
from tools.errors import MissingFact, UnknownName
from tools.estimate import Assumption
from tools.typical_shape import NamedSize, size_in, typical_shape

Found = tuple[ModelArchitecture, tuple[Assumption, ...]]

_WORDS = re.compile(r"[A-Za-z0-9.]+")
_LETTERS = re.compile(r"[a-z]+")
MAX_WORDS = 10
"""Words of a name that are looked at."""
SIZE_TOLERANCE = 0.25
"""How far the size in a name may lie from the count: `7B` names 6.7 to 8.3 billion (Qwen2.5-VL-7B)."""


def find_model(
    ctx: Context,
    *,
    model: str | None = None,
    config: Mapping[str, Any] | None = None,
    parameters_billion: float | None = None,
    active_parameters_billion: float | None = None,
) -> Found:
    """The architecture, and what had to be assumed to get it.

    A known name wins; else the configuration object; else a base named inside the name (`my-llama-13b-v2`); else a
    typical shape of the size that is named or given. Raises UnknownName with the nearest names, AmbiguousName,
    InvalidArguments (a configuration that cannot be read), or MissingFact where nothing was given.
    """
    unknown: UnknownName | None = None
    if model:
        try:
            return ctx.models.model(model), ()
        except UnknownName as error:
            unknown = error
    if config is not None:
        return _from_config(config, model, parameters_billion)
    named = size_in(model) if model else None
    if model and parameters_billion is None and (base := _base_inside(ctx, model, named)):
        reason = f"'{model[:60]}' is not a known name; its base is taken to be {base.id}"
        return base, (Assumption(name="model", value=base.id, reason=reason),)
    size = _stated_size(named, parameters_billion, active_parameters_billion)
    if size is not None:
        shape = typical_shape(ctx.models.models(), *size)
        reason = f"only the size is known; {shape.notes}"
        return shape, (Assumption(name="model", value=shape.id, reason=reason),)
    if unknown is not None:
        raise unknown
    raise MissingFact("model", "Which model is to be tuned?", "Name it, or give its size such as 7B.")


def _from_config(config: Mapping[str, Any], model: str | None, parameters_billion: float | None) -> Found:
    read = architecture_of(config)
    update: dict[str, Any] = {}
    if model:
        update["id"] = model
    if parameters_billion is not None:
        update["published_parameters"] = round(parameters_billion * 1e9)
    return read.model_copy(update=update), ()


def _stated_size(named: NamedSize | None, total: float | None, active: float | None) -> tuple[int, int | None] | None:
    """(total, active) parameters; what was given wins over what the name says."""
    if total is None and named is None:
        return None
    all_of_them = round(total * 1e9) if total is not None else named.total if named else 0
    used = round(active * 1e9) if active is not None else named.active if named else None
    return all_of_them, used if used is not None and used < all_of_them else None


def _base_inside(ctx: Context, model: str, named: NamedSize | None) -> ModelArchitecture | None:
    """A known name inside somebody's own name, whose count agrees with the size the name states."""
    families = {word for m in ctx.models.models() for word in _LETTERS.findall(m.family.casefold()) if len(word) > 1}
    for before, candidate in _candidates(model, named):
        found = ctx.models.find(candidate)
        if len(found) == 1 and _agrees(found[0], named) and not families.intersection(before):
            return found[0]
    return None


def _agrees(found: ModelArchitecture, named: NamedSize | None) -> bool:
    if named is None or found.published_parameters is None:
        return True
    return abs(found.published_parameters - named.total) <= SIZE_TOLERANCE * named.total


def _candidates(model: str, named: NamedSize | None) -> Iterator[tuple[list[str], str]]:
    """Runs of words that may name a base, longest first: `my-llama-13b-v2` -> `my llama 13b`, `llama 13b`.

    With a size, runs that hold it, then the name without it (`phi-3-mini-3.8B`). Without one, runs of at least two
    words that no number follows: `whisper-small-german` holds `whisper small`, `llama 9 ultra` holds nothing. Each with
    the words before it: another family's name there (`clip vit-l`) makes it another network.
    """
    words = _WORDS.findall(model.rsplit("/", 1)[-1])[:MAX_WORDS]
    sizes = {word.casefold() for word in named.text.split()} if named else set()
    at = [index for index, word in enumerate(words) if word.casefold() in sizes]
    runs = [(start, end) for start in range(len(words)) for end in range(start + 2, len(words) + 1) if end - start < len(words)]
    runs.sort(key=lambda run: (run[0] - run[1], run[0]))
    for start, end in runs:
        followed = end < len(words) and words[end][0].isdigit()
        if all(start <= index < end for index in at) and not followed:
            yield [word.casefold() for word in words[:start]], " ".join(words[start:end])
    if at:
        yield [], " ".join(word for index, word in enumerate(words) if index not in at)
