"""Numbers in digits and words, German and English."""

from __future__ import annotations

import re

WORDS = {
    "null": 0, "zero": 0, "ein": 1, "eine": 1, "einen": 1, "einer": 1, "einem": 1, "eins": 1, "one": 1, "single": 1, "einzelne": 1, "einzige": 1,
    "una": 1, "única": 1, "unica": 1, "sola": 1, "seule": 1, "seul": 1, "une": 1, "uma": 1, "zwei": 2, "two": 2, "dual": 2, "twin": 2, "beide": 2, "both": 2, "deux": 2, "dos": 2, "duas": 2, "两": 2,
    "drei": 3, "three": 3, "vier": 4, "four": 4, "quad": 4, "fünf": 5, "five": 5, "sechs": 6, "six": 6, "sieben": 7, "seven": 7, "acht": 8,
    "eight": 8, "octo": 8, "neun": 9, "nine": 9, "zehn": 10, "ten": 10, "elf": 11, "eleven": 11, "zwölf": 12, "twelve": 12, "dreizehn": 13,
    "thirteen": 13, "vierzehn": 14, "sechzehn": 16, "sixteen": 16, "zwanzig": 20, "twenty": 20, "dreißig": 30, "thirty": 30, "vierzig": 40,
    "forty": 40, "fünfzig": 50, "fifty": 50, "siebzig": 70, "seventy": 70, "hundert": 100, "hundred": 100, "halbe": 0.5, "half": 0.5,
}  # fmt: skip
"""Number words; articles count where a unit or a card follows them."""

NUMBER = r"\d{1,3}(?:[.,]\d{3}){2,}|\d+(?:[.,]\d+)?"
ANY = rf"(?:{NUMBER}|(?:{'|'.join(sorted(WORDS, key=len, reverse=True))})(?![a-zäöüß]))"
"""A number in digits or in words."""

SCALES = {"k": 1e3, "tsd": 1e3, "tausend": 1e3, "thousand": 1e3, "m": 1e6, "mio": 1e6, "million": 1e6, "millionen": 1e6, "millions": 1e6, "b": 1e9,
          "bn": 1e9, "mrd": 1e9, "milliarde": 1e9, "milliarden": 1e9, "billion": 1e9, "billions": 1e9, "g": 1e9, "t": 1e12}  # fmt: skip
SCALE = r"(?:tausend|thousand|millionen|millions|million|milliarden|milliarde|billions|billion|tsd|mio\.?|mrd\.?|bn|[kmbt])"


def value_of(text: str, scale: str | None = None) -> float:
    """`1,5` -> 1.5; `20.000` -> 20000; `1.234.567`; words; times a scale word."""
    plain = text.strip().lower()
    if plain in WORDS:
        number = float(WORDS[plain])
    elif re.fullmatch(r"\d{1,3}(?:[.,]\d{3}){2,}", plain) or (scale is None and re.fullmatch(r"[1-9]\d{0,2}[.,]\d{3}", plain)):
        number = float(re.sub(r"[.,]", "", plain))
    else:
        number = float(plain.replace(",", "."))
    return number * SCALES.get((scale or "").lower().rstrip("."), 1.0)


def whole(value: float) -> int | float:
    """An int where the value is one."""
    return int(value) if value == int(value) else value
