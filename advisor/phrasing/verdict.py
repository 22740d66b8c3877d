"""The opening: does it fit, and by how much; or how much it takes."""

from __future__ import annotations

from advisor.phrasing.figures import argument_text, bytes_range, cards_text, method_name, model_name
from advisor.phrasing.found import Job
from advisor.phrasing.reading import Row
from advisor.phrasing.tables import labels_of
from advisor.phrasing.view import View, pick
from advisor.phrasing.words import OBJECTIVES, SLOTS, joined, say
from tools.results import MemoryEstimate
from tools.units import decimal_text, gib_text


def opening(view: View) -> str:
    """Verdict and number of a memory answer, one to three sentences."""
    reading = view.reading
    assert reading is not None
    rows = view.found.memory
    if len(rows) > 1 and reading.verdict.fits is not None and reading.differing:
        return _several(view, rows)
    if len(rows) > 1:
        return _sizes(view, rows)
    return _single(view, reading.job, reading.estimate)


def _single(view: View, job: Job, estimate: MemoryEstimate) -> str:
    language, verdict = view.language, estimate.verdict
    subject, peak = subject_of(view, job, estimate), bytes_range(estimate.peak_device_bytes, language)
    mark = _mark(view, estimate)
    if verdict.fits is None or verdict.accelerator is None or verdict.usable_bytes is None:
        pair = pick(
            view,
            ("**About {p} per card** for {s}{m}.", "**Rund {p} je Karte** für {s}{m}."),
            ("{s} takes **about {p} per card**{m}.", "{s} braucht **rund {p} je Karte**{m}."),
        )
        return _upper(say(pair, language, s=subject, p=peak, m=mark))
    assert view.reading is not None
    decided = view.reading.verdict
    cards = card_name(view, verdict.accelerator, verdict.accelerator_count)
    usable, spare = gib_text(verdict.usable_bytes, language), gib_text(abs(verdict.headroom_bytes or 0), language)
    each = say((" per card", " je Karte"), language) if verdict.accelerator_count > 1 else ""
    if decided.fits == "conditional":
        what = joined([say(SLOTS.get(name, (name, name)), language) for name in decided.missing], language)
        pair = (
            "**It depends on: {w}.** {s} takes {p}{e} on {c}; {u} are usable{m}.",
            "**Es kommt darauf an: {w}.** {s} braucht {p}{e} auf {c}; nutzbar sind {u}{m}.",
        )
        return say(pair, language, w=what, s=subject, p=peak, e=each, c=cards, u=usable, m=mark)
    if verdict.fits is True and not verdict.tight:
        pair = pick(
            view,
            (
                "**It fits.** {s} on {c} peaks at {p}{e}; {u} are usable, which leaves {h}{m}.",
                "**Das passt.** {s} auf {c} braucht in der Spitze {p}{e}; nutzbar sind {u}, es bleiben {h} Reserve{m}.",
            ),
            (
                "**Yes, that fits:** {p}{e} for {s}, and {c} gives {u}. The headroom is {h}{m}.",
                "**Ja, das passt:** {p}{e} für {s}, und {c} bietet {u}. Die Reserve beträgt {h}{m}.",
            ),
        )
    elif verdict.fits is True:
        pair = (
            "**It fits, but tightly.** {s} on {c} is expected at {p}{e} of {u} usable; the upper end of the range does not fit{m}.",
            "**Es passt, aber knapp.** {s} auf {c}: erwartet {p}{e}, nutzbar sind {u}; das obere Ende der Spanne passt nicht{m}.",
        )
    else:
        pair = pick(
            view,
            (
                "**It does not fit.** {s} takes {p}{e}; {c} gives {u}, {h} too little{m}.",
                "**Das passt nicht.** {s} braucht {p}{e}; {c} bietet {u}, es fehlen {h}{m}.",
            ),
            (
                "**No, that does not fit:** {s} needs {p}{e}, and only {u} are usable on {c}, {h} short{m}.",
                "**Nein, das passt nicht:** {s} verlangt {p}{e}, auf {c} sind nur {u} nutzbar, es fehlen {h}{m}.",
            ),
        )
    return say(pair, language, s=subject, p=peak, e=each, c=cards, u=usable, h=spare, m=mark)


def _several(view: View, rows: list[Row]) -> str:
    """Alternatives that were judged: which fit, which do not."""
    language, reading = view.language, view.reading
    assert reading is not None
    labels = labels_of([job for job, _ in rows], language)
    groups: dict[str, list[str]] = {"yes": [], "tight": [], "no": []}
    for label, (_, estimate) in zip(labels, rows, strict=True):
        verdict = estimate.verdict
        groups["no" if verdict.fits is not True else "tight" if verdict.tight else "yes"].append(label)
    parts = []
    if groups["yes"]:
        parts.append(say(("{x} fits", "{x} passt"), language, x=joined(groups["yes"], language)))
    if groups["tight"]:
        parts.append(say(("{x} fits only tightly", "{x} passt nur knapp"), language, x=joined(groups["tight"], language)))
    if groups["no"]:
        parts.append(say(("{x} does not fit", "{x} passt nicht"), language, x=joined(groups["no"], language)))
    if reading.verdict.fits is False:
        head = say(("**None of it fits.** ", "**Nichts davon passt.** "), language)
    elif groups["no"] and reading.verdict.fits == "conditional":
        what = joined([say(SLOTS.get(name, (name, name)), language) for name in reading.verdict.missing], language)
        head = say(("**It depends on: {w}.** ", "**Es kommt darauf an: {w}.** "), language, w=what)
    else:
        head = say(("**It fits.** ", "**Das passt.** "), language) if not groups["no"] else ""
    verdict = reading.estimate.verdict
    usable = ""
    if verdict.usable_bytes and verdict.accelerator and "accelerator" not in reading.differing:
        card = card_name(view, verdict.accelerator, verdict.accelerator_count)
        pair = (" {c}: {u} usable per card{m}.", " {c}: je Karte sind {u} nutzbar{m}.")
        usable = say(pair, language, c=card, u=gib_text(verdict.usable_bytes, language), m=_mark(view, reading.estimate))
    body = "; ".join(parts) + "."
    return head + (body if head else f"**{_upper(body)}**") + usable


def _sizes(view: View, rows: list[Row]) -> str:
    """Alternatives without a card: the numbers side by side."""
    language = view.language
    labels = labels_of([job for job, _ in rows], language)
    parts = [f"{label} {bytes_range(estimate.peak_device_bytes, language)}" for label, (_, estimate) in zip(labels, rows, strict=True)][:3]
    assert view.reading is not None
    name = "" if "model" in view.reading.differing else say((" of {n}", " von {n}"), language, n=name_of(view, rows[0][0], rows[0][1]))
    head = say(("**Peak per card{n}:** ", "**Spitze je Karte{n}:** "), language, n=name.replace(" of ", " for ").replace(" von ", " für "))
    return head + "; ".join(parts) + _mark(view, rows[0][1]) + "."


def subject_of(view: View, job: Job, estimate: MemoryEstimate) -> str:
    """`QLoRA of Llama-3.1-8B`, with objective and sharding where they were chosen."""
    language = view.language
    method = method_name(job.get("method"), language)
    name = name_of(view, job, estimate)
    objective = str(job.get("objective") or "sft")
    goal = (
        say((" with {o}", " mit {o}"), language, o=say(OBJECTIVES.get(objective, (objective,) * 2), language)) if objective != "sft" else ""
    )
    shared = ""
    if job.get("sharding") not in (None, "none") and int(job.get("accelerator_count") or 1) > 1:
        shared = say((" under {x}", " unter {x}"), language, x=argument_text("sharding", job["sharding"], language).split(" ", 1)[1])
    preposition = say((" of ", " von "), language)
    return f"{method}{preposition}{name}{goal}{shared}" if method else name


def card_name(view: View, accelerator: str, count: int) -> str:
    """The card as named; where only a memory size was said, that size and the card that stands for it."""
    name = cards_text(accelerator, count)
    if view.u.slots.accelerator is not None or view.u.slots.vram_gib is None or not view.card:
        return name
    size = decimal_text(float(view.card["memory_label_gb"]), 0, view.language)
    pair = (
        ("{n} of {g} GB each ({c})", "{n} mit je {g} GB ({c})")
        if count > 1
        else ("{g} GB of memory (e.g. {c})", "{g} GB Speicher (z. B. {c})")
    )
    return say(pair, view.language, n=count, g=size, c=accelerator)


def name_of(view: View, job: Job, estimate: MemoryEstimate) -> str:
    """The model as people call it; a size where no model was named."""
    if job.get("model") is None and job.get("parameters_billion"):
        size = f"{float(job['parameters_billion']):g}".replace(".", "," if view.language == "de" else ".")
        return say(("a {n}B model", "einem {n}B-Modell"), view.language, n=size)
    return model_name(estimate.model)


def _mark(view: View, estimate: MemoryEstimate) -> str:
    marks = [view.cites.mark(citation) for citation in estimate.citations[:1]]
    return f" {''.join(marks)}" if marks else ""


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]
