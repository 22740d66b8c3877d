"""Spot against on-demand: what interruptions cost, how often to save, and when not to."""

from __future__ import annotations

import re
from typing import Any

from advisor.phrasing.figures import hours_range, money_range
from advisor.phrasing.view import View
from advisor.phrasing.words import Pair, say
from tools.estimate import Estimate
from tools.units import decimal_text, hours_text, money_text

RULE: Pair = (
    "**Spot pays if the run checkpoints often and resumes cleanly:** then an interruption costs only the work since the last checkpoint "
    "and the restart. Keep weights, optimizer state and scheduler outside the instance (network volume or bucket).",
    "**Spot lohnt sich, wenn der Lauf oft Checkpoints schreibt und sauber fortsetzt:** Dann kostet eine Unterbrechung nur die Arbeit "
    "seit dem "
    "letzten Checkpoint und den Neustart. Gewichte, Optimizer-Zustand und Scheduler außerhalb der Instanz ablegen (Netzwerk-Volume, "
    "Bucket).",
)
NO_RESUME: Pair = (
    "**Not without resume:** as long as the script cannot resume from a checkpoint, every interruption costs the whole run so far. Rent "
    "on-demand, or add checkpoints first.",
    "**Nicht ohne Fortsetzen:** Solange das Skript nicht aus einem Checkpoint fortsetzen kann, kostet jede Unterbrechung den ganzen "
    "bisherigen "
    "Lauf. On-Demand mieten oder zuerst Checkpoints einbauen.",
)
DEADLINE: Pair = (
    "**For a run with a firm deadline take on-demand:** spot can be taken away at any time. On-demand is no guarantee either (hardware "
    "faults, maintenance), so keep writing checkpoints.",
    "**Für einen Lauf mit festem Termin On-Demand nehmen:** Spot kann jederzeit entzogen werden. Auch On-Demand ist keine Garantie "
    "(Hardwarefehler, Wartung), also weiter Checkpoints schreiben.",
)


_FIRM = re.compile(r"deadline|\bdue (?:date|on|by)\b|\bfrist\b|abgabe|\btermin\b(?!druck)|fällig", re.IGNORECASE)


def spot_rule(view: View) -> str:
    """The rule that holds for this run."""
    if view.u.slots.resume is False:
        return say(NO_RESUME, view.language)
    if view.u.slots.deadline is not None or _FIRM.search(view.question):
        return say(DEADLINE, view.language)
    return say(RULE, view.language)


def spot_section(view: View) -> str:
    """What `spot_economics` found, in sentences; empty where it was not called."""
    if not view.found.spot:
        return ""
    _, result = view.found.spot[0]
    return " ".join(part for part in (_money(view, result), _loss(view, result), _chance(view, result)) if part)


def _money(view: View, result: dict[str, Any]) -> str:
    language = view.language
    hours = hours_range(Estimate[float].model_validate(result["spot_hours"]), language)
    steady = hours_text(result["on_demand_hours"], language)
    if not result.get("spot_cost") or result.get("on_demand_cost") is None:
        pair = ("**On spot about {h}**, on demand {o}.", "**Auf Spot rund {h}**, auf On-Demand {o}.")
        return say(pair, language, h=hours, o=steady)
    currency = result["currency"]
    saving = float(result.get("saving") or 0)
    pair = (
        (
            "**Spot is cheaper by {d}:** {s} in {h}, against {c} in {o} on demand.",
            "**Spot ist um {d} günstiger:** {s} in {h} gegen {c} in {o} On-Demand.",
        )
        if saving > 0
        else (
            "**On-demand is cheaper by {d}:** {c} in {o}, against {s} in {h} on spot.",
            "**On-Demand ist um {d} günstiger:** {c} in {o} gegen {s} in {h} auf Spot.",
        )
    )
    return say(
        pair,
        language,
        d=money_text(abs(saving), currency, language),
        s=money_range(Estimate[float].model_validate(result["spot_cost"]), currency, language),
        c=money_text(result["on_demand_cost"], currency, language),
        h=hours,
        o=steady,
    )


def _loss(view: View, result: dict[str, Any]) -> str:
    language = view.language
    values = {
        "i": _minutes(result["interval_minutes"], view),
        "b": _minutes(result["best_interval_minutes"], view),
        "l": _minutes(result["loss_minutes_per_interruption"], view),
        "n": decimal_text(result["expected_interruptions"], 1, language),
    }
    if view.u.slots.resume is False:
        lone = result.get("hours_without_resume")
        if lone is None:
            return say(
                ("Without resume it practically never finishes on spot.", "Ohne Fortsetzen wird er auf Spot praktisch nie fertig."),
                language,
            )
        pair = ("Without resume it takes {x} on spot on average.", "Ohne Fortsetzen dauert er auf Spot im Mittel {x}.")
        return say(pair, language, x=hours_text(lone, language))
    pair = (
        "Saving every {i}, each interruption costs {l} on average (half an interval plus the restart), since only work after the last "
        "checkpoint is lost; {n} interruptions are expected.",
        "Bei einem Checkpoint alle {i} kostet jede Unterbrechung im Mittel {l} (halbes Intervall plus Neustart), denn verloren ist nur die "
        "Arbeit seit dem letzten Checkpoint; zu erwarten sind {n} Unterbrechungen.",
    )
    text = say(pair, language, **values)
    if abs(result["interval_minutes"] - result["best_interval_minutes"]) > 0.2 * result["best_interval_minutes"]:
        text += say((" The best interval would be {b}.", " Am besten wäre alle {b}."), language, **values)
    return text


def _chance(view: View, result: dict[str, Any]) -> str:
    chance = result.get("chance_to_meet_deadline")
    if chance is None:
        return ""
    pair = ("The chance to meet the deadline on spot is {p} %.", "Die Chance, den Termin auf Spot zu halten, liegt bei {p} %.")
    return say(pair, view.language, p=decimal_text(100 * float(chance), 0, view.language))


def _minutes(minutes: float, view: View) -> str:
    return f"{decimal_text(minutes, 0 if minutes >= 10 else 1, view.language)} min"
