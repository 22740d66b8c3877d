"""Names nobody knows: said plainly, with the nearest known ones, and never filled in."""

from __future__ import annotations

from advisor.phrasing.escape import quoted
from advisor.phrasing.german import in_language
from advisor.phrasing.view import View
from advisor.phrasing.words import SLOTS, Pair, joined, say

NO_PLAN: Pair = (
    "No offer of the catalog carries this run under these conditions.",
    "Kein Angebot des Katalogs trägt diesen Lauf unter diesen Bedingungen.",
)


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
    return " ".join([*lines, _shape_instead(view)]).strip()


def _shape_instead(view: View) -> str:
    """That a named model was computed from its size alone, because no record has it."""
    reading, model = view.reading, view.u.slots.model
    if reading is None or not isinstance(model, str) or not reading.estimate.model.startswith("typical "):
        return ""
    if view.u.unknown_names:
        return say(("It is computed from its size alone.", "Gerechnet ist allein aus der Größe."), view.language)
    pair = (
        "“{n}” is not in my data; it is computed from its size alone.",
        "„{n}“ ist nicht in meinen Daten; gerechnet ist allein aus der Größe.",
    )
    return say(pair, view.language, n=quoted(model))


def failures(view: View) -> str:
    """What a tool could not do, in its own words; a name already said to be unknown is not said again."""
    known = " ".join(view.u.unknown_names).lower()
    lines = []
    for _, error in view.found.errors:
        if error.get("code") == "unknown_name" and known:
            continue
        if error.get("code") == "no_plan_found":
            lines.append(say(NO_PLAN, view.language))
            continue
        if error.get("code") == "invalid_arguments":
            lines.append(_impossible(view, str(error.get("message", ""))))
            continue
        text = in_language(f"{error.get('message', '')} {error.get('hint', '')}".strip(), view.language)
        if text and text not in lines:
            lines.append(text)
    return " ".join(quoted_message(line) for line in dict.fromkeys(lines[:2]))


def _impossible(view: View, message: str) -> str:
    """Which values cannot be; the validator's own words are for programs."""
    names = [fault.split(":")[0].strip() for fault in message.split(";")]
    known = [say(SLOTS[name], view.language) for name in dict.fromkeys(names) if name in SLOTS]
    things = joined(known, view.language) if known else quoted(names[0])
    pair = ("These values cannot be right: {x}. Please check them.", "Diese Angaben können nicht stimmen: {x}. Bitte prüfen.")
    return say(pair, view.language, x=things)


def quoted_message(text: str) -> str:
    """A message of ours that may hold words of the user."""
    return " ".join(quoted(part) for part in _pieces(text))


def _pieces(text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[start : start + 6]) for start in range(0, len(words), 6)]
