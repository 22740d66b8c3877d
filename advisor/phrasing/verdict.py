"""The opening: does it fit, and by how much; or how much it takes."""

from __future__ import annotations

from advisor.phrasing.figures import argument_text, bytes_range
from advisor.phrasing.found import Job
from advisor.phrasing.reading import Row
from advisor.phrasing.subjects import card_name, name_of, subject_of, upper
from advisor.phrasing.tables import labels_of
from advisor.phrasing.view import View, pick
from advisor.phrasing.words import SLOTS, Pair, joined, say
from advisor.policy.oom_log import diagnosis
from tools.results import MemoryEstimate
from tools.units import GIB, gib_text

ROOMY: tuple[Pair, ...] = (
    (
        "**It fits.** {S} on {c} peaks at {p}{e}; {u} are usable, which leaves {h}{m}.",
        "**Das passt.** {S} auf {c} braucht in der Spitze {p}{e}; nutzbar sind {u}, es bleiben {h} Reserve{m}.",
    ),
    (
        "**Yes, that fits:** {p}{e} for {s} on {c}, where {u} are usable. The headroom is {h}{m}.",
        "**Ja, das passt:** {p}{e} für {s} auf {c} bei {u} nutzbarem Speicher. Die Reserve beträgt {h}{m}.",
    ),
)
TIGHT: tuple[Pair, ...] = (
    (
        "**It fits, but tightly.** {S} on {c}: expect {p}{e} of {u} usable; the upper end of the range does not fit{m}.",
        "**Es passt, aber knapp.** {S} auf {c}: zu erwarten sind {p}{e}, nutzbar {u}; das obere Ende der Spanne passt nicht{m}.",
    ),
)
TOO_TIGHT: tuple[Pair, ...] = (
    (
        "**Too tight:** {s} on {c} is expected at {p}{e} of {u} usable; the upper end of the range lies beyond, and your run got there{m}.",
        "**Zu knapp:** Für {s} auf {c} sind {p}{e} zu erwarten, nutzbar sind {u}; das obere Ende liegt darüber, und Ihr Lauf kam "
        "dorthin{m}.",
    ),
)
SHOULD_FIT: tuple[Pair, ...] = (
    (
        "**By the estimate it should fit:** {p}{e} for {s} on {c}, {u} usable{m}. So look for what the estimate does not see: another "
        "process, samples longer than assumed, evaluation, fragmentation.",
        "**Nach der Rechnung müsste es passen:** {p}{e} für {s} auf {c}, nutzbar {u}{m}. Also nach dem suchen, was die Rechnung nicht "
        "sieht: "
        "anderer Prozess, längere Beispiele als angenommen, Evaluation, Fragmentierung.",
    ),
)
TOO_LARGE: tuple[Pair, ...] = (
    (
        "**It does not fit.** {S} on {c} takes {p}{e}, and only {u} are usable{m}.",
        "**Das passt nicht.** {S} auf {c} braucht {p}{e}, nutzbar sind nur {u}{m}.",
    ),
    (
        "**No, that does not fit:** {s} needs {p}{e}; on {c} only {u} are usable{m}.",
        "**Nein, das passt nicht:** {s} verlangt {p}{e}; auf {c} sind nur {u} nutzbar{m}.",
    ),
)
DEPENDS: tuple[Pair, ...] = (
    (
        "**It depends on: {w}.** {S} on {c} takes {p}{e}; {u} are usable{m}.",
        "**Es kommt darauf an: {w}.** {S} auf {c} braucht {p}{e}; nutzbar sind {u}{m}.",
    ),
)
ENOUGH: tuple[Pair, ...] = (
    (
        "**It takes {c}.** {S} then needs {p} per card of {u} usable{m}.",
        "**Es braucht {c}.** {S} belegt dann {p} pro Karte von {u} nutzbaren{m}.",
    ),
)
SIZE: tuple[Pair, ...] = (
    ("**About {p} per card** for {s}{m}.", "**Rund {p} pro Karte** für {s}{m}."),
    ("{S} takes **about {p} per card**{m}.", "{S} braucht **rund {p} pro Karte**{m}."),
)


LARGEST_CARD = 288 * GIB
"""Above that no single card holds it; the figure is then what all cards share."""


def opening(view: View) -> str:
    """Verdict and number of a memory answer, one to four sentences."""
    reading = view.reading
    assert reading is not None
    rows = view.found.memory
    if len(rows) > 1 and reading.differing:
        judged = any(estimate.verdict.fits is not None for _, estimate in rows)
        text = _several(view, rows) if judged else _sizes(view, rows)
    else:
        text = _single(view, reading.job, reading.estimate)
    limit = _limit(view, reading.estimate) if not reading.differing else ""
    return " ".join(part for part in (text, limit, _phase(view, reading.estimate)) if part)


def _single(view: View, job: Job, estimate: MemoryEstimate) -> str:
    language, verdict = view.language, estimate.verdict
    assert view.reading is not None
    subject = subject_of(view, job, estimate)
    values = {"s": subject, "S": upper(subject), "p": bytes_range(estimate.peak_device_bytes, language), "m": _mark(view, estimate)}
    if verdict.fits is None or verdict.accelerator is None or verdict.usable_bytes is None:
        if estimate.peak_device_bytes.expected > LARGEST_CARD:
            pair = ("**About {p} before sharding**, for {s}{m}.", "**Rund {p} vor dem Aufteilen**, für {s}{m}.")
            return say(pair, language, **values)
        plan = ("Plan with the upper end as headroom.", "Als Reserve mit dem oberen Ende planen.")
        return f"{say(pick(view, *SIZE), language, **values)} {say(plan, language)}"
    values |= {
        "c": card_name(view, verdict.accelerator, verdict.accelerator_count),
        "u": gib_text(verdict.usable_bytes, language),
        "h": gib_text(abs(verdict.headroom_bytes or 0), language),
        "e": say((" per card", " pro Karte"), language) if verdict.accelerator_count > 1 else "",
    }
    decided = view.reading.verdict
    if "accelerator_count" in job and view.u.slots.accelerator_count is None and verdict.fits is True:
        return say(pick(view, *ENOUGH), language, **values)
    if decided.fits == "conditional":
        return say(pick(view, *DEPENDS), language, **values, w=_deciding(view))
    if view.u.intent == "oom_debug" and verdict.fits is True and not diagnosis(view.question):
        return say(pick(view, *(TOO_TIGHT if verdict.tight else SHOULD_FIT)), language, **values)
    pairs = TOO_LARGE if verdict.fits is not True else TIGHT if verdict.tight else ROOMY
    return say(pick(view, *pairs), language, **values)


def _several(view: View, rows: list[Row]) -> str:
    """Alternatives that were judged: which fit, which do not."""
    language, reading = view.language, view.reading
    assert reading is not None
    groups: dict[str, list[str]] = {"yes": [], "tight": [], "no": []}
    for label, (_, estimate) in zip(labels_of(rows, language), rows, strict=True):
        verdict = estimate.verdict
        groups["no" if verdict.fits is not True else "tight" if verdict.tight else "yes"].append(label)
    one: dict[str, Pair] = {
        "yes": ("{x} fits", "{x} passt"),
        "tight": ("{x} fits only tightly", "{x} passt nur knapp"),
        "no": ("{x} does not fit", "{x} passt nicht"),
    }
    more: dict[str, Pair] = {
        "yes": ("{x} fit", "{x} passen"),
        "tight": ("{x} fit only tightly", "{x} passen nur knapp"),
        "no": ("{x} do not fit", "{x} passen nicht"),
    }
    parts = [say((more if len(names) > 1 else one)[kind], language, x=joined(names, language)) for kind, names in groups.items() if names]
    if reading.verdict.fits is False:
        head = say(("**None of it fits.** ", "**Nichts davon passt.** "), language)
    elif reading.verdict.fits == "conditional" and _deciding(view):
        head = say(("**It depends on: {w}.** ", "**Es kommt darauf an: {w}.** "), language, w=_deciding(view))
    else:
        head = "" if groups["no"] or not groups["yes"] else say(("**It fits.** ", "**Das passt.** "), language)
    body = upper("; ".join(parts)) + "."
    return (head + body if head else f"**{body}**") + _usable(view)


def _usable(view: View) -> str:
    """What the card gives, where all alternatives share it."""
    assert view.reading is not None
    verdict = view.reading.estimate.verdict
    mark = _mark(view, view.reading.estimate)
    if not verdict.usable_bytes or not verdict.accelerator or {"accelerator", "accelerator_count"} & set(view.reading.differing):
        return mark
    pair = (" Usable on {c}: {u} per card{m}.", " Nutzbar auf {c}: {u} pro Karte{m}.")
    card = card_name(view, verdict.accelerator, verdict.accelerator_count)
    return say(pair, view.language, c=card, u=gib_text(verdict.usable_bytes, view.language), m=mark)


def _sizes(view: View, rows: list[Row]) -> str:
    """Alternatives without a card: the numbers side by side."""
    language, reading = view.language, view.reading
    assert reading is not None
    labels = labels_of(rows, language)
    parts = [f"{label} {bytes_range(estimate.peak_device_bytes, language)}" for label, (_, estimate) in zip(labels, rows, strict=True)][:3]
    name = ""
    if "model" not in reading.differing and "parameters_billion" not in reading.differing:
        name = say((" for {n}", " für {n}"), language, n=name_of(view, rows[0][0], rows[0][1], accusative=True))
    lead = ""
    if reading.verdict.fits == "conditional":
        lead = say(("**It depends on: {w}.** ", "**Es kommt darauf an: {w}.** "), language, w=_deciding(view))
    head = say(("Peak per card{n}: ", "Spitze pro Karte{n}: "), language, n=name)
    return f"{lead}{head if lead else f'**{head.strip()}** '}{'; '.join(parts)}{_mark(view, rows[0][1])}."


def _deciding(view: View) -> str:
    """What was left open and decides; alternatives that the user named decide nothing, they are the question."""
    assert view.reading is not None
    named = {name for name, value in view.u.slots.stated().items() if isinstance(value, list)}
    missing = [name for name in view.reading.verdict.missing if name not in named]
    return joined([say(SLOTS.get(name, (name, name)), view.language) for name in missing], view.language)


def _limit(view: View, estimate: MemoryEstimate) -> str:
    """Up to which context it fits, where nobody said one and a usual one would not."""
    if estimate.verdict.fits is not True or view.u.slots.sequence_length is not None or view.u.intent == "oom_debug":
        return ""
    rows = [row for row in estimate.sensitivity if row.change == "sequence_length" and isinstance(row.value, int)]
    beyond = [int(row.value) for row in rows if row.fits is False]
    if not beyond:
        return ""
    shown = argument_text("sequence_length", min(beyond), view.language)
    return say(("At {x} it no longer does.", "Bei {x} nicht mehr."), view.language, x=shown)


def _phase(view: View, estimate: MemoryEstimate) -> str:
    """Why there are no activations in the breakdown, where the optimizer step sets the peak."""
    if estimate.peak_phase != "optimizer_step" or estimate.parts.get("activations"):
        return ""
    pair = (
        "The peak is in the optimizer step, when the activations are freed again.",
        "Die Spitze liegt im Optimizer-Schritt, wenn die Aktivierungen schon wieder frei sind.",
    )
    return say(pair, view.language)


def _mark(view: View, estimate: MemoryEstimate) -> str:
    marks = [view.cites.mark(citation) for citation in estimate.citations[:1]]
    return f" {''.join(marks)}" if marks else ""
