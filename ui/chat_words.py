"""Every word of the browser page that is not an answer, in both languages of the interface."""

from __future__ import annotations

from typing import Literal

Language = Literal["en", "de"]
Pair = tuple[str, str]
"""(English, German)"""

PAGE: dict[str, Pair] = {
    "intro": (
        "Which cloud GPU to rent for fine-tuning: what fits, how long it runs, what the finished run costs. "
        "Prices are dated snapshots without VAT.",
        "Welche Cloud-GPU sich zum Feintunen lohnt: was passt, wie lange es läuft, was der fertige Lauf kostet. "
        "Preise sind datierte Momentaufnahmen ohne Mehrwertsteuer.",
    ),
    "ask": ("Ask in your own words …", "In eigenen Worten fragen …"),
    "ask_label": ("Question", "Frage"),
    "send": ("Send", "Senden"),
    "stop": ("Stop", "Stopp"),
    "new": ("New chat", "Neuer Chat"),
    "language": ("Interface", "Oberfläche"),
    "starters": ("For example", "Zum Beispiel"),
    "empty": (
        "Say model, method, context length and what you have. The rest is assumed, shown and can be changed.",
        "Nennen Sie Modell, Methode, Kontextlänge und was Sie haben. Der Rest wird angenommen, gezeigt und lässt sich ändern.",
    ),
    "file": ("Add a log or a configuration", "Log oder Konfiguration hinzufügen"),
    "tab_understood": ("Understood", "Verstanden"),
    "tab_pictures": ("Pictures", "Bilder"),
    "tab_offers": ("Offers", "Angebote"),
    "tab_sources": ("Sources", "Quellen"),
    "tab_take": ("Take away", "Mitnehmen"),
    "controls": (
        "Change a value and everything is computed anew. Empty takes a value back.",
        "Ein geänderter Wert rechnet alles neu. Leeren nimmt ihn zurück.",
    ),
    "nothing": ("Nothing yet: ask something first.", "Noch nichts: erst etwas fragen."),
    "reset": ("Undo my changes here", "Meine Änderungen hier zurücknehmen"),
    "stated": ("stated", "genannt"),
    "assumed": ("assumed", "angenommen"),
    "open": ("open", "offen"),
    "changed": ("Changed", "Geändert"),
    "working": ("Working", "Rechenweg"),
    "sources": ("Sources", "Quellen"),
    "no_sources": ("No sources yet.", "Noch keine Quellen."),
    "as_of": ("as of", "Stand"),
    "share": ("Make a read-only link", "Link zum Mitlesen erzeugen"),
    "unshare": ("Revoke the links", "Links widerrufen"),
    "json": ("Plan as JSON", "Plan als JSON"),
    "csv": ("Plan as CSV", "Plan als CSV"),
    "markdown": ("Plan as Markdown", "Plan als Markdown"),
    "print": ("Print", "Drucken"),
    "reason": ("What was wrong or missing?", "Was war falsch oder fehlte?"),
    "send_reason": ("Send the reason", "Grund senden"),
    "thanks": ("Thank you, noted.", "Danke, ist notiert."),
    "unfinished": (
        "The server ended while this was being answered. Ask again.",
        "Der Server wurde während dieser Antwort beendet. Bitte noch einmal fragen.",
    ),
    "stopped": ("Stopped.", "Gestoppt."),
    "bad_value": ("{name} cannot be {value!r}.", "{name} kann nicht {value!r} sein."),
    "no_offers": ("No offers in this answer.", "Diese Antwort enthält keine Angebote."),
    "compare": ("Compare all GPUs", "Alle GPUs vergleichen"),
    "memory": ("memory", "Speicher"),
    "verdict": ("verdict", "Urteil"),
    "cost": ("cost", "Kosten"),
    "hours": ("time", "Dauer"),
    "fits": ("fits", "passt"),
    "fits_not": ("does not fit", "passt nicht"),
    "fits_if": ("depends", "kommt darauf an"),
    "any": ("any", "beliebig"),
    "yes": ("yes", "ja"),
    "no": ("no", "nein"),
}

STARTERS: dict[Language, list[str]] = {
    "en": [
        "LoRA on a 13B model with 4k context: which single card is enough, and what do 10M tokens cost?",
        "Does full fine-tuning of an 8B fit on two A100 80GB?",
        "torch.OutOfMemoryError on my RTX 3090, Qwen2.5 7B QLoRA, batch 4, 4096 tokens. What can I change?",
        "Spot or on-demand for a run of 30 hours?",
        "Which providers keep my disk while the machine is stopped?",
        "4x L40S or one H100 for a 32B QLoRA?",
    ],
    "de": [
        "LoRA auf einem 13B mit 4k Kontext: Welche einzelne Karte reicht, und was kosten 10 Mio. Token?",
        "Passt volles Feintuning von einem 8B auf zwei A100 80GB?",
        "torch.OutOfMemoryError auf meiner RTX 3090, Qwen2.5 7B QLoRA, Batch 4, 4096 Token. Was kann ich ändern?",
        "Spot oder On-Demand für einen Lauf von 30 Stunden?",
        "Welche Anbieter behalten meine Platte, wenn die Maschine gestoppt ist?",
        "4x L40S oder eine H100 für ein 32B mit QLoRA?",
    ],
}
"""First questions that show the range: planning, fit, error, spot, storage, comparison."""


def word(key: str, language: Language, **values: object) -> str:
    """A text of the page, its {names} filled in. Raises KeyError for an unknown key."""
    text = PAGE[key][1 if language == "de" else 0]
    return text.format(**values) if values else text


def as_language(code: str | None) -> Language:
    """`de`, or English for everything else; reads the label of the switch and an Accept-Language header too."""
    return "de" if code is not None and code.strip().lower().startswith("de") else "en"
