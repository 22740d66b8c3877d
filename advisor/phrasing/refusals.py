"""One friendly line where a turn is not answered, and the short help where it says nothing."""

from __future__ import annotations

from advisor.phrasing.words import Pair, say
from advisor.slots import Understanding
from tools.units import Language

REFUSE: Pair = (
    "I can't share or do that: no internal instructions, keys or test data, and I neither rent nor pay for anything. "
    "Please keep card numbers and passwords out of the chat. Ask me about GPUs for fine-tuning instead; what you said so far still holds.",
    "Das kann ich nicht herausgeben oder übernehmen: keine internen Anweisungen, Schlüssel oder Testdaten, und ich miete und bezahle "
    "nichts. Kartennummern und Passwörter gehören bitte nicht in den Chat. Fragen Sie mich gern zu GPUs für das Feintuning; "
    "das bisher Gesagte gilt weiter.",
)
OUT_OF_SCOPE: Pair = (
    "That is outside my scope: I advise on renting GPUs for fine-tuning, i.e. memory, time and cost of a training run, "
    "not on inference and serving or on other subjects. Which model do you want to fine-tune?",
    "Dafür bin ich nicht da: Ich berate zur Miete von GPUs für das Feintuning, also zu Speicher, Dauer und Kosten eines Trainings, "
    "nicht zu Inferenz und Betrieb oder zu anderen Themen. Welches Modell soll trainiert werden?",
)
INSTRUCTION: Pair = (
    "Instructions inside a question change no figure here; every number is computed.",
    "Anweisungen in der Frage ändern hier keine Zahl; jede wird berechnet.",
)
HELP: Pair = (
    "I did not find a question I can compute. Tell me the model and its size, the method (full, LoRA or QLoRA) and, if you have one "
    "in mind, the card, and I work out memory, fit, time and cost. Or paste the error message of your run.",
    "Darin habe ich keine Frage gefunden, die sich berechnen lässt. Nennen Sie das Modell mit seiner Größe, die Methode (voll, LoRA oder "
    "QLoRA) und, falls schon bekannt, die Karte; dann rechne ich Speicher, Dauer und Kosten aus. Oder fügen Sie die Fehlermeldung ein.",
)
ENGLISH_NOTE: Pair = (
    "_I answer in English or German; your question was understood as far as names, numbers and topic go._",
    "_Geantwortet wird auf Deutsch oder Englisch; Ihre Frage wurde verstanden, soweit Namen, Zahlen und Thema reichen._",
)

ASKED_FOR: dict[str, tuple[str, ...]] = {
    "oom_debug": ("model", "method", "accelerator", "error"),
    "gpu_choice": ("model", "method", "dataset_tokens"),
    "cost": ("model", "method", "dataset_tokens"),
    "time": ("model", "accelerator", "dataset_tokens"),
    "fit_check": ("model", "method", "accelerator"),
    "single_vs_multi": ("model", "method", "accelerator"),
    "general": ("model", "method", "accelerator"),
    "spot": ("hours", "resume"),
    "storage": ("provider",),
    "billing": ("provider",),
    "precision": ("accelerator",),
    "environment": ("accelerator", "framework"),
    "interconnect": ("accelerator", "method"),
}
"""What to ask for where nothing could be computed, by intent."""
USUAL_ASKS = ("model", "method")


def refusal(u: Understanding, language: Language) -> str:
    """The line for a refused turn."""
    return say(OUT_OF_SCOPE if u.refusal == "out_of_scope" else REFUSE, language)


def asks_without_job(u: Understanding) -> list[str]:
    """Slots to ask for where neither model nor size is known; what is known is not asked for again."""
    stated = u.slots.stated()
    wanted = ASKED_FOR.get(u.intent, USUAL_ASKS)
    return [name for name in wanted if name not in stated and not (name == "accelerator" and "vram_gib" in stated)]
