"""Names nobody knows: said plainly, with the nearest known ones, and never filled in."""

from __future__ import annotations

from advisor.phrasing.escape import quoted
from advisor.phrasing.german import in_language
from advisor.phrasing.view import View
from advisor.phrasing.words import joined, say


def unknown_names(view: View) -> str:
    """One line per unknown name; how the model's size was used instead, where one was given."""
    lines = []
    for name, suggestions in list(view.u.unknown_names.items())[:3]:
        text = say(
            ("I do not know “{n}”: it is not in my data, and I invent nothing for it.", "„{n}“ kenne ich nicht; dazu erfinde ich nichts."),
            view.language,
            n=quoted(name),
        )
        if suggestions:
            near = joined([quoted(near) for near in suggestions[:3]], view.language, last=(" or ", " oder "))
            text += say((" Did you mean {x}?", " Meinten Sie {x}?"), view.language, x=near)
        lines.append(text)
    return " ".join(lines)


def failures(view: View) -> str:
    """What a tool could not do, in its own words; a name already said to be unknown is not said again."""
    known = " ".join(view.u.unknown_names).lower()
    lines = []
    for _, error in view.found.errors:
        if error.get("code") == "unknown_name" and known:
            continue
        text = in_language(f"{error.get('message', '')} {error.get('hint', '')}".strip(), view.language)
        if text and text not in lines:
            lines.append(text)
    return " ".join(quoted_message(line) for line in lines[:2])


def quoted_message(text: str) -> str:
    """A message of ours that may hold words of the user."""
    return " ".join(quoted(part) for part in _pieces(text))


def _pieces(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[start : start + 6]) for start in range(0, len(words), 6)]
