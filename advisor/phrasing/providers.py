"""What the records say of providers; unknown is said as unknown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from advisor.phrasing.escape import plain
from advisor.phrasing.tables import table
from advisor.phrasing.view import View
from advisor.phrasing.words import KNOWN, Pair, say
from tools.estimate import Citation
from tools.units import Language, decimal_text

Record = dict[str, Any]
Cell = Callable[[Record, Language], str]

STEPS: dict[str, Pair] = {
    "second": ("per second", "pro Sekunde"),
    "minute": ("per minute", "pro Minute"),
    "ten_minutes": ("per ten minutes", "je zehn Minuten"),
    "hour": ("per hour", "pro Stunde"),
    "month": ("per month", "pro Monat"),
    "unknown": ("unknown", "unbekannt"),
}
UNKNOWN: Pair = ("unknown", "unbekannt")


def _known(key: str) -> Cell:
    return lambda record, language: say(KNOWN.get(str(record.get(key, "unknown")), UNKNOWN), language)


def _billing(record: Record, language: Language) -> str:
    return say(STEPS.get(str(record.get("billing_step")), UNKNOWN), language)


def _persists(record: Record, language: Language) -> str:
    kinds = [kind for kind in record.get("storage") or [] if "yes" in (kind.get("survives_terminate"), kind.get("survives_stop"))]
    if not kinds:
        return say(UNKNOWN, language)
    names = []
    for kind in kinds[:2]:
        until = (
            ("also after deletion", "auch nach dem Löschen") if kind.get("survives_terminate") == "yes" else ("after a stop", "nach Stopp")
        )
        names.append(f"{plain(str(kind['name']))} ({say(until, language)})")
    return "; ".join(names)


def _stopped(record: Record, language: Language) -> str:
    if record.get("compute_charged_while_stopped") == "yes":
        return say(("yes, in full", "ja, voll"), language)
    return _known("storage_charged_while_stopped")(record, language)


def _egress(record: Record, language: Language) -> str:
    tiers = record.get("egress_tiers") or []
    if not tiers:
        return say(UNKNOWN, language)
    paid = [tier["usd_per_gb"] for tier in tiers if tier["usd_per_gb"]]
    if not paid:
        return say(("free", "kostenlos"), language)
    return f"{decimal_text(paid[0], 3, language)} USD/GB"


def _disk_price(record: Record, language: Language) -> str:
    prices = [kind["usd_per_gb_month"] for kind in record.get("storage") or [] if kind.get("usd_per_gb_month") is not None]
    return f"{decimal_text(prices[0], 3, language)} USD" if prices else say(UNKNOWN, language)


def _access(record: Record, language: Language) -> str:
    names = [label for key, label in (("ssh", "SSH"), ("docker", "Docker"), ("jupyter", "Jupyter")) if record.get(key) == "yes"]
    return ", ".join(names) or say(UNKNOWN, language)


def _network(record: Record, language: Language) -> str:
    kind = str(record.get("network", "unknown"))
    gbps = record.get("network_gbps")
    name = (
        say(UNKNOWN, language) if kind == "unknown" else {"infiniband": "InfiniBand", "roce": "RoCE", "efa": "EFA"}.get(kind, kind.title())
    )
    return f"{name}, {decimal_text(float(gbps), 0, language, grouped=False)} Gbit/s" if gbps else name


def _spot(record: Record, language: Language) -> str:
    text = _known("spot")(record, language)
    seconds = record.get("interruption_notice_seconds")
    return text if seconds is None else f"{text}, {decimal_text(seconds, 0, language)} s"


def _seat(record: Record, language: Language) -> str:
    return str(record.get("hq_country") or say(UNKNOWN, language))


COLUMNS: dict[str, tuple[Pair, Cell]] = {
    "persists": (("what survives", "was erhalten bleibt"), _persists),
    "stopped": (("charged while stopped", "kostet gestoppt"), _stopped),
    "disk": (("disk per GB and month", "Platte je GB und Monat"), _disk_price),
    "billing": (("billing", "Abrechnung"), _billing),
    "egress": (("egress", "Egress"), _egress),
    "spot": (("spot, notice", "Spot, Vorwarnung"), _spot),
    "access": (("access", "Zugang"), _access),
    "network": (("network", "Netz"), _network),
    "eu": (("EU hosting", "EU-Standort"), _known("eu_hosting")),
    "seat": (("seat", "Sitz"), _seat),
}

BY_INTENT: dict[str, tuple[str, ...]] = {
    "storage": ("persists", "stopped", "disk", "egress"),
    "billing": ("billing", "stopped", "persists", "egress"),
    "spot": ("spot", "billing", "persists"),
    "environment": ("access", "billing"),
    "interconnect": ("network", "access"),
    "cost": ("billing", "egress", "stopped"),
    "compare": ("billing", "persists", "egress", "access", "eu"),
    "general": ("billing", "persists", "access", "eu", "seat"),
}
"""Columns by what was asked."""


def provider_section(view: View) -> str:
    """A table of the providers in question, with a marker for each record; empty where none was looked up."""
    chosen: list[Record] = [record["provider"] for record in view.found.providers]
    if not chosen:
        return ""
    language = view.language
    columns = [COLUMNS[name] for name in BY_INTENT.get(view.u.intent, BY_INTENT["general"])]
    head = [say(("provider", "Anbieter"), language), *(say(title, language) for title, _ in columns)]
    rows = [[f"{record['display_name']} {_mark(view, record)}", *(cell(record, language) for _, cell in columns)] for record in chosen]
    dates = sorted({str(record.get("as_of")) for record in chosen if record.get("as_of") not in (None, "unknown")})
    line = say(
        ("Facts as of {d}; what no source states is unknown.", "Stand der Angaben: {d}; was keine Quelle nennt, ist unbekannt."),
        language,
        d=", ".join(dates),
    )
    return table(head, rows) + (f"\n\n{line}" if dates else "")


def _mark(view: View, record: Record) -> str:
    quote = "; ".join(str(record.get(key)) for key in ("billing_note", "storage_note", "egress_note") if record.get(key))
    return view.cites.mark(
        Citation(
            id=f"provider:{record['id']}",
            title=str(record["display_name"]),
            source=str(record.get("source", "unknown")),
            as_of=str(record.get("as_of", "unknown")),
            quote=quote,
        )
    )
