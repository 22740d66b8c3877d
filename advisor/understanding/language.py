"""The language of a turn: by its small words, and by its script."""

from __future__ import annotations

import re

SMALL_WORDS = {
    "de": "der die das den dem ein eine einen einem einer und oder nicht mit für ist auf von zu ich wir du sie wie was welche welcher welches "
    "wenn dann auch noch nur reicht passt kann geht brauche brauch bei im zum zur mein meine es sind hat habe wird soll statt lieber ohne "
    "warum wieviel viel wo bis pro nach aus dass ob als mehr schon doch ja nein danke bitte nehme karte karten speicher lohnt",
    "en": "the a an and or not with for is on of to i we you it they how what which when then also only can does do fit need my are has have "
    "will should instead without why much many where until per after from that if as more yes no thanks please card cards memory at in this",
    "fr": "le la les un une des et ou pas avec pour est sur de du je nous vous comment quel quelle quelles combien faut il sans plus mon ma suffit",
    "es": "el la los las un una y o no con para es en de del yo nosotros como qué que cuál cuánto cuánta puedo necesito sin más mi basta",
    "pt": "o os as um uma e ou não com para é em de do da eu nós como qual quanto quanta posso preciso sem mais meu minha treinar",
    "it": "il lo la gli un una e o non con per è su di del io noi come quale quanto posso serve senza più mio mia basta",
}
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
    best = max(counts, key=lambda code: (counts[code], code in ("en", "de")))
    if counts[best] == 0:
        return None
    if best not in ("en", "de") and counts[best] <= max(counts["en"], counts["de"]):
        best = "de" if counts["de"] > counts["en"] else "en"
    if counts["de"] and counts["de"] == counts["en"] and best in ("de", "en"):
        best = "de"
    return best
