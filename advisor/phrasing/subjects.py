"""What an answer talks about: the job, the model and the card as people say them."""

from __future__ import annotations

from advisor.phrasing.figures import argument_text, cards_text, method_name, model_name, size_text
from advisor.phrasing.found import Job
from advisor.phrasing.view import View
from advisor.phrasing.words import OBJECTIVES, say
from tools.results import MemoryEstimate
from tools.units import decimal_text


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
        words = argument_text("sharding", job["sharding"], language).split(" ", 1)
        shared = say((" under {x}", " unter {x}"), language, x=words[-1])
    preposition = say((" of ", " von "), language)
    return f"{method}{preposition}{name}{goal}{shared}" if method else name


def name_of(view: View, job: Job, estimate: MemoryEstimate, *, accusative: bool = False) -> str:
    """The model as people call it; a size where no model was named (German: dative, or accusative)."""
    sized = job.get("model") is None or estimate.model.startswith("typical ")
    if sized and job.get("parameters_billion"):
        size = size_text(float(job["parameters_billion"]), view.language)
        if view.language == "de":
            return f"{'ein' if accusative else 'einem'} {size}-Modell"
        return f"{_article(size)} {size} model"
    return model_name(estimate.model)


def _article(size: str) -> str:
    """`an 8B model`, `a 7B model`: eight, eleven and eighteen begin with a vowel when spoken."""
    whole = size.rstrip("BT").split(".")[0]
    return "an" if whole.startswith("8") or whole in ("11", "18") else "a"


def card_name(view: View, accelerator: str, count: int) -> str:
    """The card as named; where only a memory size was said, that size and the card that stands for it."""
    name = cards_text(accelerator, count)
    if view.u.slots.accelerator is not None or view.u.slots.vram_gib is None or not view.card:
        return name
    size = decimal_text(float(view.card["memory_label_gb"]), 0, view.language)
    if count > 1:
        return say(("{n} cards of {g} GB ({c})", "{n} Karten mit je {g} GB ({c})"), view.language, n=count, g=size, c=accelerator)
    return say(("a {g} GB card ({c})", "einer {g}-GB-Karte ({c})"), view.language, g=size, c=accelerator)


def upper(text: str) -> str:
    """The text with a capital."""
    return text[:1].upper() + text[1:]
