"""What a step of the work is called for people."""

from __future__ import annotations

from advisor.brain.turn import Turn
from advisor.understanding.language import language_of

TITLES = {
    "understand": ("Reading the question", "Frage lesen"),
    "describe_model": ("Looking up the model", "Modell nachschlagen"),
    "describe_accelerator": ("Looking up the card", "Karte nachschlagen"),
    "describe_provider": ("Looking up the provider", "Anbieter nachschlagen"),
    "find_offers": ("Searching the price catalog", "Preiskatalog durchsuchen"),
    "estimate_memory": ("Computing memory", "Speicher berechnen"),
    "estimate_duration": ("Computing time", "Dauer berechnen"),
    "plan_job": ("Comparing offers by cost of the finished run", "Angebote nach Kosten des fertigen Laufs vergleichen"),
    "compare_plans": ("Comparing the alternatives", "Alternativen vergleichen"),
    "spot_economics": ("Pricing interruptions", "Unterbrechungen einpreisen"),
    "diagnose_out_of_memory": ("Reading the error", "Fehler auswerten"),
    "search_knowledge": ("Searching the guide", "Leitfaden durchsuchen"),
}
"""Tool or stage -> (English, German)."""


def step_title(name: str, turn: Turn) -> str:
    """Title in the language of the turn; a tool without one goes by its name."""
    english, german = TITLES.get(name, (name, name))
    language = turn.understanding.language if turn.understanding else turn.forced_language or language_of(turn.questions[-1])
    return german if language == "de" else english
