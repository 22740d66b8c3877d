"""The language of a turn: by its small words, and by its script."""

from __future__ import annotations

import re

SMALL_WORDS = {
    "de": "der die das den dem des ein eine einen einem einer und oder nicht mit für ist auf von zu ich wir du sie wie was welche welcher welches "
    "wenn dann auch noch nur reicht passt kann geht brauche brauch bei beim im ins am vom zum zur mein meine meiner es sind hat habe haben wird soll "
    "statt lieber ohne warum wieso weshalb wieviel viel wo bis pro nach aus dass ob als mehr schon doch ja nein danke bitte hilfe nehme karte karten "
    "speicher lohnt jetzt aber wenig gleich immer kein keine dauer dauert kosten kostet gegenüber zwischen sich wurde werden gibt mal",
    "en": "the a an and or not with for is on of to i we you it they how what which when then also only can does do fit need my are has have "
    "will would should instead without why much many where until per after from that if as more yes no thanks please card cards memory at in this "
    "but so there get help now any been was were did than into its",
    "fr": "le la les des une du et ou pas avec pour sur je nous vous comment quel quelle quelles combien faut sans plus mon suffit est",
    "es": "el los las una uno con para del yo nosotros cómo qué cuál cuánto cuánta puedo necesito sin más mi basta tengo quiero",
    "pt": "os uma não com para em do da nós qual quanto quanta posso preciso sem mais meu minha treinar",
    "it": "gli una non per è di del io noi come quale quanto posso serve senza più mio mia basta",
}
LEAST_FOREIGN = 2
"""Small words before a text counts as neither German nor English: one of them may be an abbreviation."""
GERMAN_SHAPE = re.compile(r"[a-zäöü]{3,}(?:ung(?:en)?|keit|heit|schaft|iert|ieren|brochen|stürzt|bricht)\b|\bge[a-zäöü]{3,}(?:t|en)\b")
"""Endings and participles of German, for texts without a small word."""
_TABLE = {language: frozenset(words.split()) for language, words in SMALL_WORDS.items()}
_WORD = re.compile(r"[a-zäöüßàâçéèêëîïôûùáíóúñãõ]+")
_UMLAUT = re.compile(r"[äöüß]")
_SCRIPTS = (
    ("zh", re.compile(r"[\u4e00-\u9fff]")),
    ("ja", re.compile(r"[\u3040-\u30ff]")),
    ("ko", re.compile(r"[\uac00-\ud7af]")),
    ("ru", re.compile(r"[а-яА-Я]")),
)


def language_of(text: str) -> str | None:
    """ISO code of the language, None where too little is written to tell."""
    for code, script in reversed(_SCRIPTS):
        if len(script.findall(text)) >= 2:
            return code
    words = _WORD.findall(text.lower()[:4000])
    counts = {code: sum(word in small for word in words) for code, small in _TABLE.items()}
    counts["de"] += 2 * bool(_UMLAUT.search(text.lower()))
    foreign = [code for code in counts if code not in ("en", "de") and counts[code] >= LEAST_FOREIGN]
    best = max(("en", "de", *foreign), key=lambda code: (counts[code], code in ("en", "de")))
    if counts[best] == 0:
        return "de" if GERMAN_SHAPE.search(text.lower()[:4000]) else None
    if counts["de"] and counts["de"] == counts["en"] and best in ("de", "en"):
        best = "de"
    return best
