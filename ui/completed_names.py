"""What the shell completes where an argument is a name of the catalog."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import click
from click.shell_completion import CompletionItem

from tools.context import Context
from tools.terms import Method

MOST = 50
"""Longest list a shell gets."""

NAMES: Mapping[str, Callable[[Context], Iterable[str]]] = {
    "model": lambda ctx: (model.id for model in ctx.models.models()),
    "accelerator": lambda ctx: (card.id.replace(" ", "-") for card in ctx.catalog.accelerators()),
    "provider": lambda ctx: (provider.id for provider in ctx.catalog.providers()),
    "method": lambda ctx: (method.value for method in Method),
}
"""Argument -> names; spaces become hyphens, which mean the same in a card's name."""


class CatalogName(click.ParamType[str, str]):
    """Text that the tool reads; the shell completes it from the catalog."""

    name = "text"

    def __init__(self, argument: str) -> None:
        self._names = NAMES[argument]

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """Names that contain what was typed, those that start with it first."""
        typed = incomplete.casefold()
        found = [name for name in self._names(ctx.obj()) if typed in name.casefold()]
        found.sort(key=lambda name: (not name.casefold().startswith(typed), name))
        return [CompletionItem(name) for name in found[:MOST]]
