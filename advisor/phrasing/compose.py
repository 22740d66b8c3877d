"""From an understanding and typed results to an answer: verdict first, then its working, then what would change it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from advisor.answer import ToolResult
from advisor.phrasing.assumptions import ask_line, asks, assumed_values, assumption_line
from advisor.phrasing.bills import bills_section
from advisor.phrasing.comparison import comparison_section
from advisor.phrasing.draft import Draft
from advisor.phrasing.figures import method_name
from advisor.phrasing.followups import follow_ups
from advisor.phrasing.found import Found, sorted_out
from advisor.phrasing.german import in_language
from advisor.phrasing.hardware import link_sentences, memory_sentences, precision_sentences
from advisor.phrasing.notes import notes
from advisor.phrasing.premises import premises
from advisor.phrasing.prices import all_plans, best_plan_sentence, offer_section, plan_section
from advisor.phrasing.providers import provider_section
from advisor.phrasing.quotes import guidance
from advisor.phrasing.reading import read
from advisor.phrasing.refusals import ENGLISH_NOTE, HELP, INSTRUCTION, REFUSE, asks_without_job, refusal
from advisor.phrasing.sections import Section, fitted
from advisor.phrasing.speed import duration_section
from advisor.phrasing.spot import spot_rule, spot_section
from advisor.phrasing.tables import memory_table, remedy_table, sensitivity_line
from advisor.phrasing.unknown import failures, unknown_names
from advisor.phrasing.verdict import opening
from advisor.phrasing.view import View
from advisor.phrasing.words import say
from advisor.policy.oom_log import diagnosis
from advisor.policy.stack_errors import stack_error
from advisor.policy.verdicts import settled
from advisor.slots import Understanding
from tools.context import Passage
from tools.results import MemoryEstimate

Part = Callable[[View], list[Section]]

NOTED_WITHOUT_JOB = frozenset({"interconnect", "single_vs_multi", "precision", "environment", "oom_debug"})
"""Intents whose notes make sense without an estimate."""
GUIDE_WORDS = 110
"""Words of the guide where it is the answer."""
GUIDE_WORDS_BESIDE = 40
"""Words of the guide beside computed figures."""


def compose(
    u: Understanding,
    results: Sequence[ToolResult],
    passages: Sequence[Passage] = (),
    *,
    today: date,
    currency: str = "USD",
    question: str = "",
) -> Draft:
    """The answer to the last turn. Every figure comes from `results`; text of `passages` carries its marker."""
    if u.refusal in ("refuse", "out_of_scope"):
        return Draft(text=_noted(u, refusal(u, u.language)), route=u.refusal)
    found = sorted_out(results, passages)
    found.memory = [(job, settled(estimate, u.intent)) for job, estimate in found.memory]
    found.variants = [(job, settled(estimate, u.intent)) for job, estimate in found.variants]
    view = View(u, found, read(u, found, question), question, today, u.slots.currency or currency)
    if u.refusal == "refuse_instruction" and (u.intent == "out_of_scope" or not (found.memory or found.plans or found.offers)):
        return Draft(text=_noted(u, say(REFUSE, u.language)), route="refuse_instruction")
    if _says_nothing(view):
        return Draft(text=_noted(u, say(HELP, u.language)), route=u.refusal or "ask_back", asks=["model", "method"])
    sections = [Section(0, _noted(u, _instruction(u))), Section(0, premises(view)), Section(0, unknown_names(view))]
    parts = PARTS.get(u.intent, PARTS["general"])
    also = [part for topic in sorted(u.topics) for part in BY_TOPIC.get(topic, ()) if part not in parts]
    for part in [*also, *parts]:
        sections += part(view)
    wanted = asks(view) if view.reading or found.plans or found.durations or found.spot or found.bills else asks_without_job(u)
    if view.reading is None and not found.plans:
        sections.append(Section(1, failures(view)))
    answered = any(section.text for section in sections[1:])
    if not any(section.text for section in sections[3:]):
        sections.append(Section(0, _uncovered(view, wanted)))
    sections.append(Section(4, assumption_line(view)))
    if u.intent != "general" or view.reading is not None or not answered:
        sections.append(Section(5, ask_line(wanted, view)))
    text = fitted(sections)
    route = u.refusal or ("answer" if answered else "ask_back")
    plans = all_plans(view)
    return Draft(
        text=text,
        route=route,
        verdict=view.reading.verdict if view.reading else None,
        memory=view.reading.estimate if view.reading else _planned_memory(found),
        plans=plans,
        citations=view.cites.used_in(text),
        asks=wanted,
        warnings=_warnings(view),
        follow_ups=follow_ups(view),
        assumed=assumed_values(view),
    )


def _noted(u: Understanding, text: str) -> str:
    """The text, with a note where the question was in a language that is not answered in."""
    if u.question_language in (u.language, "und", "") or u.question_language in ("en", "de"):
        return text
    return "\n\n".join(part for part in (say(ENGLISH_NOTE, u.language), text) if part)


def _instruction(u: Understanding) -> str:
    return say(INSTRUCTION, u.language) if u.refusal == "refuse_instruction" else ""


def _says_nothing(view: View) -> bool:
    """A turn without a question: nothing was called for it."""
    return view.u.intent == "out_of_scope" and not any((view.found.memory, view.found.plans, view.found.offers, view.found.passages))


def _uncovered(view: View, wanted: list[str]) -> str:
    if wanted and view.u.intent != "general":
        pair = (
            "I cannot compute this yet: the model and how it is to be trained decide it.",
            "Das lässt sich so noch nicht berechnen: Modell und Trainingsart entscheiden darüber.",
        )
    else:
        pair = (
            "My guide does not cover this, and I do not guess. I can compute memory, fit, time and cost of a fine-tuning run.",
            "Das deckt mein Leitfaden nicht ab, und ich rate nicht. Berechnen kann ich Speicher, Dauer und Kosten eines Feintunings.",
        )
    return say(pair, view.language)


def _planned_memory(found: Found) -> MemoryEstimate | None:
    """The estimate of the first plan, where none was asked for on its own."""
    return found.plans[0][1].memory if found.plans else None


def _warnings(view: View) -> list[str]:
    lines: list[str] = []
    if view.reading is not None:
        lines += view.reading.estimate.warnings
    for _, result in view.found.plans[:1]:
        lines += [*result.warnings, *(warning for plan in result.plans[:1] for warning in plan.warnings)]
    for _, offers in view.found.offers[:1]:
        lines += offers.warnings
    for _, duration in view.found.durations[:1]:
        lines += duration.warnings
    return [in_language(line, view.language) for line in dict.fromkeys(lines)][:5]


def _verdict(view: View) -> list[Section]:
    if view.reading is None:
        return []
    return [Section(1, opening(view)), Section(2, memory_table(view.found.memory, view.language))]


def _cause(view: View) -> list[Section]:
    found = stack_error(view.question) or diagnosis(view.question)
    texts = [say(pair, view.language) for _, pair in found]
    return [Section(0 if index == 0 else 4, text) for index, text in enumerate(texts)]


def _remedies(view: View) -> list[Section]:
    if view.reading is None:
        return []
    if not view.found.variants or "accelerator_count" in view.reading.differing:
        line = sensitivity_line(view.reading.estimate, view.language, view.reading.differing)
        pair = ("**What moves it:** {x}.", "**Was es verschiebt:** {x}.")
        return [Section(3, say(pair, view.language, x=line))] if line else []
    head = say(("**What changes it**, recomputed:", "**Was es ändert**, nachgerechnet:"), view.language)
    base = view.found.memory[0]
    return [Section(3, f"{head}\n\n{remedy_table(base, view.found.variants, view.language)}")]


def _notes(view: View) -> list[Section]:
    if view.reading is None and view.u.intent not in NOTED_WITHOUT_JOB:
        return []
    return [Section(3, " ".join(notes(view, 3 if view.u.intent in ("interconnect", "precision") else 2)))]


def _plans(view: View) -> list[Section]:
    text = plan_section(view, 3)
    if not text or not view.found.plans or view.u.intent == "gpu_choice":
        return [Section(3, text)]
    instead = view.reading is not None and view.reading.verdict.fits is False
    pair = ("**What carries it{m}:**", "**Darauf läuft es{m}:**") if instead else ("**Cards that fit{m}:**", "**Passende Karten{m}:**")
    several = view.reading is not None and "method" in view.reading.differing
    method = f" ({method_name(view.found.plans[0][0].get('method'), view.language)})" if several else ""
    return [Section(3, f"{say(pair, view.language, m=method)}\n\n{text}")]


def _verdict_if_it_matters(view: View) -> list[Section]:
    """Memory beside time and money: only where it does not simply fit, or cards are compared."""
    reading = view.reading
    if reading is None or (reading.verdict.fits in (True, None) and not reading.verdict.tight and "accelerator" not in reading.differing):
        return []
    return _verdict(view)


def _recommendation(view: View) -> list[Section]:
    return [Section(1, best_plan_sentence(view))]


def _money(view: View) -> list[Section]:
    return [Section(1, best_plan_sentence(view)), Section(2, plan_section(view, 3))]


def _comparison(view: View) -> list[Section]:
    return [Section(2, comparison_section(view))]


def _bills(view: View) -> list[Section]:
    return [Section(1, bills_section(view))]


def _offers(view: View) -> list[Section]:
    return [Section(2, offer_section(view, 4))]


def _speed(view: View) -> list[Section]:
    return [Section(1, duration_section(view))]


def _spot(view: View) -> list[Section]:
    return [Section(1, spot_section(view))]


def _spot_rule(view: View) -> list[Section]:
    return [Section(1, spot_rule(view))]


def _providers(view: View) -> list[Section]:
    return [Section(2, provider_section(view))]


def _precisions(view: View) -> list[Section]:
    return [Section(1, precision_sentences(view))]


def _links(view: View) -> list[Section]:
    return [Section(1, link_sentences(view))]


def _hardware(view: View) -> list[Section]:
    return [Section(3, memory_sentences(view))] if len(view.found.cards) > 1 else []


def _guide(view: View) -> list[Section]:
    """The guide as the answer."""
    return [Section(2, guidance(view, words=GUIDE_WORDS))]


def _guide_beside(view: View) -> list[Section]:
    """The guide beside figures; the whole answer where there are none."""
    example = view.u.slots.model is None and view.u.slots.parameters_billion is None
    alone = example or (view.reading is None and not view.found.plans and not view.found.offers)
    alone = alone and not view.found.spot and not view.found.bills
    return [
        Section(
            2 if alone else 5,
            guidance(view, words=GUIDE_WORDS if alone else GUIDE_WORDS_BESIDE, passages=2 if alone else 1, beside=not alone),
        )
    ]


PARTS: dict[str, tuple[Part, ...]] = {
    "memory_estimate": (_verdict, _notes, _remedies, _plans, _guide_beside),
    "fit_check": (_verdict, _notes, _remedies, _plans, _guide_beside),
    "oom_debug": (_cause, _verdict, _notes, _remedies, _plans, _guide_beside),
    "gpu_choice": (_recommendation, _verdict, _remedies, _comparison, _plans, _notes, _offers, _guide_beside),
    "single_vs_multi": (_verdict, _notes, _remedies, _plans, _guide_beside),
    "spot": (_spot, _spot_rule, _plans, _providers, _guide_beside),
    "storage": (_cause, _providers, _guide),
    "billing": (_bills, _spot, _providers, _guide, _money),
    "precision": (_cause, _precisions, _notes, _guide, _verdict),
    "interconnect": (_links, _notes, _verdict, _guide_beside, _providers),
    "cost": (_bills, _spot, _comparison, _money, _verdict_if_it_matters, _offers, _notes, _providers, _guide_beside),
    "time": (_speed, _money, _verdict_if_it_matters, _notes, _guide_beside),
    "environment": (_cause, _precisions, _guide, _notes, _providers),
    "compare": (_comparison, _verdict, _remedies, _hardware, _money, _notes, _offers, _providers, _guide_beside),
    "general": (_guide, _verdict, _notes, _providers),
}
"""Parts of an answer in their order, by intent."""

BY_TOPIC: dict[str, tuple[Part, ...]] = {
    "precision": (
        _cause,
        _precisions,
    ),
    "interconnect": (_links,),
    "storage": (_providers,),
    "billing": (_bills, _providers),
    "spot": (_spot_rule,),
    "cost": (_offers,),
}
"""Parts for what a question touches besides its main intent; they come first, the main part keeps the last word."""
