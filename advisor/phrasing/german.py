"""Clauses of the tools in German. Tools speak English; what has no German here stays as it is rather than being guessed at."""

from __future__ import annotations

import re

from tools.units import Language

CLAUSES: tuple[tuple[str, str], ...] = (
    # near misses
    (r"short by (\S+ [GT]iB) per card", r"es fehlen \1 pro Karte"),
    (r"short by (\S+ [GT]iB)", r"es fehlen \1"),
    (r"costs (\S+ \w+), (\S+ \w+) over the budget", r"kostet \1, \2 über dem Budget"),
    (r"takes (\S+ \w+) with set-up, (\S+ \w+) past the deadline", r"dauert mit Einrichtung \1, \2 über dem Termin"),
    (r"a budget of (\S+ \w+) covers its upper end", r"ein Budget von \1 deckt das obere Ende"),
    (r"a deadline of (\S+ \w+) covers its upper end", r"ein Termin in \1 deckt das obere Ende"),
    (r"full activation checkpointing", "mit vollem Gradient Checkpointing"),
    (r"micro-batch 1 with gradient accumulation", "mit Batch 1 und Gradient Accumulation"),
    (r"an 8-bit optimizer \((\w+)\)", r"mit 8-Bit-Optimizer (\1)"),
    (r"QLoRA: the frozen base in 4 bits", "mit QLoRA (Basis in 4 Bit)"),
    (r"a context of ([\d,]+) tokens", r"mit einem Kontext von \1 Token"),
    (r"(\d+) of these cards with the model split over them", r"mit \1 dieser Karten, Modell aufgeteilt"),
    # warnings of plans
    (
        r"Tight: the expected peak fits, the upper end of its range does not\.",
        "Knapp: Der erwartete Wert passt, das obere Ende der Spanne nicht.",
    ),
    (
        r"(.+?) has no bf16; fp16 needs loss scaling, and some models overflow in it\.",
        r"\1 kann kein bf16; fp16 braucht Loss Scaling, und manche Modelle laufen darin über.",
    ),
    (r"Sharded over PCIe: the links bound the speed\.", "Aufgeteilt über PCIe: Die Verbindung begrenzt das Tempo."),
    (
        r"The network between nodes is not stated as fast; measure it with nccl-tests first\.",
        "Das Netz zwischen den Knoten ist nicht als schnell belegt; vorher mit nccl-tests messen.",
    ),
    (
        r"The machine is sold with more cards; (\d+) stay idle and are paid for\.",
        r"Die Maschine hat mehr Karten; \1 bleiben ungenutzt und kosten mit.",
    ),
    (r"The price is (\d+) days old\.", r"Der Preis ist \1 Tage alt."),
    (
        r"Needs a ROCm or vendor build of the training stack; check that every library you use has one\.",
        "Braucht ROCm- oder Hersteller-Builds der Trainingsbibliotheken; vorher prüfen.",
    ),
    (
        r"No source states its (.+?); the upper end of the cost allows for it\.",
        r"Keine Quelle nennt: \1; das obere Ende der Kosten deckt es.",
    ),
    # warnings of lists
    (
        r"Prices are a snapshot, read from (\S+) to (\S+)\. "
        r"No source states whether a machine can be had now\.",
        r"Die Preise sind Momentaufnahmen vom \1 bis \2. Ob eine Maschine jetzt frei ist, sagt "
        r"keine Quelle.",
    ),
    (
        r"Without the size of the data set no cost of the run can be told.*?million tokens\.",
        "Ohne die Größe des Datensatzes lassen sich keine Kosten des Laufs nennen; gereiht wird nach dem Preis je Million Token.",
    ),
    (r"Prices exclude VAT\.", "Preise ohne Mehrwertsteuer."),
    (
        r"Spot plans hold only if the run resumes .*? they price one interruption in (\d+) machine-hours, a planning assumption, since no "
        r"provider publishes its rate\.",
        r"Spot-Pläne gelten nur, wenn der Lauf aus außerhalb gesicherten Checkpoints samt Optimizer-Zustand fortsetzt; gerechnet ist "
        r"mit einer "
        r"Unterbrechung je \1 Maschinenstunden, eine Planungsannahme.",
    ),
    (
        r"(\d+) of the other plans cost the same or differ by less than (\S+), as prices drift; take them as equal\.",
        r"\1 weitere Pläne kosten gleich viel oder unterscheiden sich um weniger als \2, wie Preise schwanken; also gleichwertig.",
    ),
    (
        r"(\d+) more have ranges that overlap the first one's: likely dearer, not surely\.",
        r"\1 weitere haben Spannen, die sich mit der des ersten überschneiden: wohl teurer, nicht sicher.",
    ),
    (
        r"(\S.*?) is larger than this job needs \(it would fill (\S+) of its memory\) and makes the run (\S+) times as dear as (.+?), "
        r"which has enough\.",
        r"\1 ist größer als nötig (der Speicher wäre zu \2 gefüllt) und macht den Lauf \3-mal so teuer wie \4, deren Speicher reicht.",
    ),
    (
        r"(\d+) further kinds of machine are left out: no source states where they stand\.",
        r"\1 weitere Maschinenarten bleiben außen vor: Keine Quelle sagt, wo sie stehen.",
    ),
    (r"(\d+) offers are priced in an unknown currency and not ranked\.", r"\1 Angebote mit unbekannter Währung sind nicht gereiht."),
    (
        r"(\d+) of (\d+) prices are older than a price of their kind stays true \((?:of|from) (.+?)\); check them before renting\.",
        r"\1 von \2 Preisen sind älter, als Preise dieser Art gelten (\3); vor der Miete prüfen.",
    ),
    (r"Price lists do not say what is free right now\.", "Preislisten sagen nicht, was gerade frei ist."),
    (r"No offer in the catalog matches(.*?)\. Loosen one condition\.", r"Kein Angebot im Katalog passt\1. Eine Bedingung lockern."),
    # errors
    (r"Unknown (\w+) '(.+?)'\.", r"„\2“ ist nicht bekannt."),
    (r"'(.+?)' names more than one \w+\.", r"„\1“ ist mehrdeutig."),
    (r"Did you mean (.+?)\?", r"Meinten Sie \1?"),
    (r"Say which: (.+?)\.$", r"Gemeint sein kann: \1."),
    (r"(.+?) has no fp8 matrix units\.", r"\1 hat keine fp8-Einheiten."),
    (r"Use bf16, or a card from the Ada or Hopper generation on\.", "bf16 nehmen oder eine Karte ab Ada oder Hopper."),
    (
        r"The job fits nowhere: the nearest, (.+?), needs (.+?) per card and has (.+?)\.",
        r"Der Lauf passt nirgends: Am nächsten käme \1 mit \2 Bedarf pro Karte bei \3.",
    ),
    (r"No spot offer runs this job\.", "Kein Spot-Angebot trägt diesen Lauf."),
)
"""(pattern of an English clause, German)."""

_COMPILED = tuple((re.compile(pattern), text) for pattern, text in CLAUSES)
_NUMBER = re.compile(r"(?<![\w.-])(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?=[ %])(?! ?×)")


def in_language(text: str, language: Language) -> str:
    """A clause of a tool in the language of the answer, its figures in that language's form."""
    if language != "de":
        return text
    for pattern, german in _COMPILED:
        found = pattern.search(text)
        if found:
            return text[: found.start()] + _figures(found.expand(german)) + in_language(text[found.end() :], language)
    return text


def _figures(text: str) -> str:
    return _NUMBER.sub(lambda found: found.group(1).replace(",", ".") + (found.group(2) or "").replace(".", ","), text)
