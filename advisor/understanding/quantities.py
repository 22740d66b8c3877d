"""A unit-aware grammar: every number of a text is read once, by the first rule that knows its unit."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from advisor.understanding.numbers import ANY, NUMBER, SCALE, value_of, whole

GAP = r"[ \-]{0,3}"
BINARY = 1024
UNIT_TOKENS = r"(?:tokens?|tokeny|tok)\b"
CONTEXT = (
    r"(?:kontext(?:länge|fenster)?|context(?:[ _-]?(?:length|window|size|len))?|contexte|contexto|ctx(?:[ _-]?len)?|seq(?:uence)?(?:[ _-]?len(?:gth)?)?|"
    r"sequenz(?:länge)?|sequenzlänge|max[_ -]?seq(?:uence)?[_ -]?len(?:gth)?|max[_ -]?length|cutoff[_ -]?len|block[_ -]?size|model[_ -]?max[_ -]?length|"
    r"序列长度|长度|上下文)"
)
BATCH = r"(?:(?:per[_ -]?device[_ -]?(?:train[_ -]?)?|micro[_ -]?|train[_ -]?)?batch(?:[_ -]?(?:size|größe|grösse|groesse))?|batchgröße|bsz?|mbs|per_device_train_batch_size|micro_batch_size)"
IS = r"\s*(?:[:=]|von|of|auf|at|is|to|ist|de|mit)?\s*"


@dataclass
class Reading:
    """Values found so far, and the text with what was read blanked."""

    text: str
    values: dict[str, list[Any]] = field(default_factory=dict)

    def put(self, name: str, value: Any) -> None:
        """Add a value once."""
        known = self.values.setdefault(name, [])
        if value not in known:
            known.append(value)

    def blank(self, start: int, end: int) -> None:
        """Take a span out of the text, so that nothing reads it again."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]


Action = Callable[[Reading, "re.Match[str]"], bool]


def context_length(number: str, scale: str | None) -> int:
    """`8k` -> 8192; `32000` stays."""
    value = value_of(number)
    if scale:
        value = float(number.replace(",", ".")) * (BINARY if scale.lower() == "k" else BINARY**2)
    return round(value)


def _context(reading: Reading, match: re.Match[str]) -> bool:
    tokens = context_length(match["n"], match["s"])
    if not 16 <= tokens <= 2**24:
        return False
    reading.put("sequence_length", tokens)
    return True


def _simple(name: str, *, integer: bool = True, factor: float = 1.0, least: float = 0.0) -> Action:
    def act(reading: Reading, match: re.Match[str]) -> bool:
        scale = match.groupdict().get("s")
        value = value_of(match["n"], scale) * factor
        if value <= least:
            return False
        reading.put(name, whole(round(value, 6)) if not integer else round(value))
        return True

    return act


def _money(reading: Reading, match: re.Match[str]) -> bool:
    value = value_of(match["n"])
    unit = (match["c"] or "").lower()
    if unit in ("ct", "cent", "cents"):
        value /= 100
    euro = unit in ("€", "eur", "euro", "euros", "ct")
    reading.put("currency", "EUR" if euro else "USD")
    reading.put("price_per_hour" if match.groupdict().get("h") else "budget", whole(round(value, 4)))
    return True


def _parameters(reading: Reading, match: re.Match[str]) -> bool:
    scale = match["s"].lower().rstrip(".")
    value = value_of(match["n"], scale) / 1e9
    if scale in ("billionen",):
        reading.put("german_billion", True)
        value = value_of(match["n"])
    if not 0.001 <= value <= 100_000:
        return False
    reading.put("parameters_billion", whole(round(value, 4)))
    return True


def _nodes_by_cards(reading: Reading, match: re.Match[str]) -> bool:
    nodes, each = value_of(match["m"]), value_of(match["n"])
    reading.put("nodes", int(nodes))
    reading.put("accelerator_count", int(nodes * each))
    return True


def _samples_of_tokens(reading: Reading, match: re.Match[str]) -> bool:
    reading.put("dataset_examples", round(value_of(match["m"], match["s"])))
    reading.put("tokens_per_example", whole(value_of(match["n"])))
    return True


def _hours(reading: Reading, match: re.Match[str]) -> bool:
    unit = match["u"].lower()
    factor = 24.0 if unit.startswith(("d", "t")) else 1.0
    reading.put("hours", whole(round(value_of(match["n"]) * factor, 4)))
    return True


def _deadline(reading: Reading, match: re.Match[str]) -> bool:
    reading.put("deadline", match["d"].strip())
    return True


def _card_memory(reading: Reading, match: re.Match[str]) -> bool:
    reading.put("accelerator_count", int(value_of(match["m"])))
    reading.put("vram_gib", whole(value_of(match["n"])))
    return True


def _put(name: str, value: Callable[[re.Match[str]], Any]) -> Action:
    def act(reading: Reading, match: re.Match[str]) -> bool:
        reading.put(name, value(match))
        return True

    return act


N = rf"(?P<n>{NUMBER})"
NW = rf"(?P<n>{ANY})"
MONEY = r"(?P<c>€|eur(?:os?)?|\$|usd|d[oó]l(?:lar|ar)(?:s|es)?|bucks|ct|cents?)"
PER_HOUR = r"(?P<h>\s*(?:/|pro|per|die|the|an|a|je)\s*(?:gpu[- ]?)?(?:h\b|hr\b|std\b\.?|stunde\b|hour\b))"
GB = r"(?:gib|gb|gig(?:abyte)?s?|g)\b"
SAMPLES = r"(?:samples?|examples?|beispiele?n?|rows?|zeilen|datensätze|einträge|dialog(?:ue)?s?|paare|pairs|instructions?|documents?|dokumente?n?)"
CLOCK = r"(?:\d{1,2}(?::\d\d)?\s*(?:uhr|am\b|pm\b|o'clock)|\d{1,2}:\d\d(?:\s*uhr)?|noon|midnight|mittag|mitternacht|früh|abend|morning|evening|tonight)"
DAY = r"(?:morgen|übermorgen|heute(?: abend| nacht)?|tomorrow|today|tonight|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|monday|tuesday|wednesday|thursday|friday|saturday|sunday)"

RULES: list[tuple[str, Action]] = [
    (
        rf"(?P<m>{NUMBER}){GAP}(?P<s>{SCALE})?{GAP}(?:short |kurze |lange |long )?{SAMPLES}\s*(?:à|a|of|zu|mit|with|x|@|je|von|, (?:each )?)\s*(?:je |each |about |etwa |ca\.? |rund )?{N}{GAP}{UNIT_TOKENS}",
        _samples_of_tokens,
    ),
    (
        rf"{N}{GAP}{UNIT_TOKENS}\s*(?:pro|per|je|each|/)\s*(?:sample|example|beispiel|row|zeile|dokument|document|eintrag)",
        _simple("tokens_per_example"),
    ),
    (rf"{N}{GAP}(?P<s>{SCALE})?{GAP}{SAMPLES}\b", _simple("dataset_examples")),
    (rf"{CONTEXT}{IS}{N}{GAP}(?P<s>k)?(?![\dk.]*[bB]\b)", _context),
    (rf"{N}(?P<s>k)?(?:er)?{GAP}(?:tokens? |token-?)?(?:de |di |of )?{CONTEXT}", _context),
    (rf"(?:at|bei|mit|with|und|and|to|auf|@)\s+{N}(?P<s>k)(?![a-z])(?!\s*(?:{SAMPLES}|€|\$|usd|eur))", _context),
    (rf"{N}(?P<s>k)(?![a-z]){GAP}{UNIT_TOKENS}", _context),
    (rf"{N}{GAP}(?P<s>mio|millionen|millions?|mrd|milliarden|billions?|[mb]n?){GAP}{UNIT_TOKENS}", _simple("dataset_tokens")),
    (
        rf"(?:global|effective|effektive|total|gesamt)\w*[ _-]?(?:batch(?:[ _-]?(?:size|größe))?){IS}{N}|batch\w*\s*\(?(?:global|gesamt|total){IS}(?P<n2>{NUMBER})",
        _put("global_batch_size", lambda m: round(value_of(m["n"] or m["n2"]))),
    ),
    (
        rf"\b(?:ga|grad(?:ient)?[_ -]?acc(?:um(?:ulation)?)?(?:[_ -]?steps)?|gradientenakkumulation){IS}{N}",
        _simple("gradient_accumulation_steps"),
    ),
    (rf"(?<![a-z_]){BATCH}{IS}{N}(?![\d.,]*[kbm%])", _simple("micro_batch_size")),
    (
        rf"\b(?:lora_)?alpha{IS}{N}|\ba\s*=\s*(?P<n2>{NUMBER})",
        _put("lora_alpha", lambda m: whole(value_of(m["n"] or m["n2"]))),
    ),
    (rf"\b(?:lora_)?(?:rank|rang|r|dim|network_dim)(?:\s*[:=]\s*|\s+){N}(?![\d.,]*[kbm]\b)", _simple("lora_rank")),
    (
        rf"{NW}{GAP}(?:epochs?|epochen?|ep\b|durchläufe)|(?:num_train_)?epochs?{IS}(?P<n2>{NUMBER})",
        _put("epochs", lambda m: whole(value_of(m["n"] or m["n2"]))),
    ),
    (
        rf"cuda{GAP}(?:version |toolkit )?(?P<n>\d\d\.\d)|(?:\+|-|\b)cu(?P<n2>1[0-3])(?P<n3>\d)\b",
        _put("cuda", lambda m: m["n"] or f"{m['n2']}.{m['n3']}"),
    ),
    (
        rf"(?:save|checkpoint|speicher\w*|sicher\w*|ckpt)\w*[^.\n]{{0,24}}?(?:every|alle|each|jede\w*|interval\w*)\s*{NW}{GAP}(?:min(?:ute[ns]?)?\b|')",
        _simple("checkpoint_interval_minutes", integer=False),
    ),
    (
        rf"(?:every|alle)\s*{NW}{GAP}min(?:ute[ns]?)?\b[^.\n]{{0,24}}?(?:checkpoint|save|speicher|sicher)",
        _simple("checkpoint_interval_minutes", integer=False),
    ),
    (rf"(?:restart|neustart|wiederanlauf|resume|hochfahren)\w*[^.\n]{{0,20}}?{NW}{GAP}min", _simple("restart_minutes", integer=False)),
    (
        rf"{NW}{GAP}min(?:ute[ns]?)?\b[^.\n]{{0,12}}?(?:restart|neustart|wiederanlauf|to resume|zum neu)",
        _simple("restart_minutes", integer=False),
    ),
    (
        rf"save[_ ]steps{IS}{N}|(?:every|alle|each)\s*(?P<n2>{NUMBER}){GAP}(?:steps|schritte)",
        _put("save_steps", lambda m: round(value_of(m["n"] or m["n2"]))),
    ),
    (
        rf"{N}{GAP}(?:s|sec(?:onds?)?|sek(?:unden)?)\s*(?:/|per|pro|je)\s*(?:step|it(?:eration)?|schritt)",
        _simple("seconds_per_step", integer=False),
    ),
    (rf"{NW}{GAP}(?:mal |x )?(?:interruptions?|unterbrechungen?|preemptions?|abbrüche?)", _simple("interruptions", integer=False)),
    (rf"{NW}\s*(?:x|mal|times|runs?|läufe)\s*(?:im|pro|per|a|each|je)\s*(?:monat|month)", _simple("runs_per_month")),
    (rf"{NW}\s*(?:x|mal|times)\s*(?:für |for |à |je |jeweils |of )+(?={ANY})", _simple("runs")),
    (r"(?:spot|on[- ]demand)[^.\d\n]{0,14}(?P<n>\d{1,2}[.,]\d\d)(?!\d|\s*[%gt])", _simple("price_per_hour", integer=False)),
    (rf"{NW}\s*(?:short |kurze |kleine |small )?(?:runs|läufe|experimente|experiments|versuche)\b", _simple("runs")),
    (rf"(?:je|jeweils|each|à|of)\s*{NW}{GAP}min(?:ute[ns]?)?\b", _simple("run_minutes", integer=False)),
    (rf"{MONEY.replace('(?P<c>', '(?P<c>')}\s*{N}{PER_HOUR}", _money),
    (rf"{N}\s*{MONEY}{PER_HOUR}", _money),
    (rf"(?P<c>\$|€)\s*{N}(?![\d,.]*\s*/)", _money),
    (rf"{N}\s*{MONEY}", _money),
    (rf"(?:price|preis|kostet|costs?)\s*{IS}{N}(?P<c>\s*)(?P<h>/h)\b", _money),
    (
        rf"(?:bis|by|until|before|vor|till|finish\w* by|fertig)\s+(?:spätestens |zum? )?(?P<d>{DAY}(?:\s*(?:um|at|,)?\s*{CLOCK})?|{CLOCK})",
        _deadline,
    ),
    (
        rf"{N}{GAP}(?:h|std\.?|stunden|hours?)\s+(?:of\s+|an\s+)?(?:\w+\s+)?(?:audio|speech|sprache|dialekt|aufnahmen|recordings|transcri\w*|podcasts?)",
        _simple("dataset_hours", integer=False),
    ),
    (rf"(?P<m>{NUMBER})\s*[x*]\s*{N}\s*[x*]\s*(?=[A-Za-z])", _nodes_by_cards),
    (
        rf"(?P<m>{ANY})\s*(?:nodes?|knoten|maschinen|machines|server)\s*(?:à|a|zu je|mit je|with|x|of|@|je|zu|mit)\s*(?:je |each )?{NW}",
        _nodes_by_cards,
    ),
    (rf"{NW}{GAP}(?:nodes?|knoten|maschinen|machines)\b", _simple("nodes")),
    (rf"(?P<m>{NUMBER})\s*[x*]\s*{N}\s*{GB}", _card_memory),
    (
        rf"{N}{GAP}(?P<u>t|g)i?b?\s*(?:host|system|cpu|main)?[- ]?(?:ram\b|arbeitsspeicher|hauptspeicher|memory(?= \+| cpu)|内存)|(?:host|system|cpu)[- ]?(?:ram|memory)\s*(?:of|von|:|=)?\s*(?P<n9>{NUMBER}){GAP}(?P<u9>t|g)b?|(?<!v)(?:\bram|arbeitsspeicher|内存)\s*(?:of|von|:|=)?\s*(?P<n8>{NUMBER}){GAP}(?P<u8>t|g)i?b?\b",
        _put(
            "host_ram_gib",
            lambda m: whole(value_of(m["n"] or m["n9"] or m["n8"]) * (1024 if (m["u"] or m["u9"] or m["u8"]).lower() == "t" else 1)),
        ),
    ),
    (
        rf"{N}{GAP}(?P<u>t|g)i?b?\s*(?:große[sn]? )?(?:network |persistent |block )?(?:volume|disk|platte|festplatte|storage|ssd|nvme|dataset|datensatz|daten\b|data\b)|(?:volume|disk|storage)\w*\s*(?:of|von|with|mit|:|=)?\s*(?P<n9>{NUMBER}){GAP}(?P<u9>t|g)b",
        _put("storage_gib", lambda m: whole(value_of(m["n"] or m["n9"]) * (1000 if (m["u"] or m["u9"]).lower() == "t" else 1))),
    ),
    (
        rf"(?:export|egress|download|\brunter|herunter|rauszieh|raushol|ausgehend)\w*[^.\n]{{0,20}}?{N}{GAP}(?P<u>t|g)i?b?\b|{N.replace('?P<n>', '?P<n9>')}{GAP}(?P<u9>t|g)i?b?\s*(?:\w+\s+)?(?:export|egress|download|(?:wieder )?(?:he)?runter|raus)",
        _put("egress_gib", lambda m: whole(value_of(m["n"] or m["n9"]) * (1000 if (m["u"] or m["u9"]).lower() == "t" else 1))),
    ),
    (
        rf"{N}{GAP}(?P<s>mrd\.?|milliarden?|billions?|bn|b|mio\.?|millionen|m)(?![a-z0-9])(?:{GAP}(?:parameter\w*|params?|modell?\w*))?",
        _parameters,
    ),
    (
        rf"(?P<n>{ANY}){GAP}(?P<s>billionen|milliarden?|millionen|billion|trillion)(?![a-z0-9])(?:{GAP}(?:parameter\w*|params?))?",
        _parameters,
    ),
    (rf"{N}(?P<s>t)(?![a-z0-9])(?={GAP}(?:full|lora|qlora|model|param|$))", _parameters),
    (rf"{N}{GAP}(?:{GB}|(?:vram|显存|grafikspeicher))", _simple("vram_gib", integer=False)),
    (rf"{NW}{GAP}(?P<u>h|hrs?|std\.?|stunden?|hours?|tage?|days?)(?![a-z])", _hours),
    (r"(?P<n>\d{1,4}x\d{2,4}x\d{2,4}|\d{3,4}x\d{3,4}|(?<![\d.])\d{3,4}(?= ?px))", _put("resolution", lambda m: m["n"])),
]
"""(pattern, what to do): in order; a rule that declines leaves its span for the next."""

COMPILED = [(re.compile(pattern, re.IGNORECASE), action) for pattern, action in RULES]
ACTIVE = re.compile(
    rf"(?i)(?<![a-z0-9])a({NUMBER})b(?![a-z])|({NUMBER})\s*(?:b|mrd\.?|milliarden)?\s*(?:are |is |sind |parameters? )?(?:active|aktiv\w*)"
    rf"|(?:aktiv\w*|active|激活参数)[^.\d\n]{{0,24}}({NUMBER})\s*(?:b\b|mrd|milliarden)"
)


def read_quantities(reading: Reading) -> None:
    """Apply every rule to the text that is left."""
    for match in ACTIVE.finditer(reading.text):
        reading.put("active_parameters_billion", whole(value_of(next(group for group in match.groups() if group))))
        reading.blank(*match.span())
    for pattern, action in COMPILED:
        for match in pattern.finditer(reading.text):
            if action(reading, match):
                reading.blank(*match.span())
