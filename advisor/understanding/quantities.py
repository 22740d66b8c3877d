"""A unit-aware grammar: every number of a text is read once, by the first rule that knows its unit."""

from __future__ import annotations

import re

from advisor.understanding import quantity_actions as actions
from advisor.understanding.numbers import ANY, NUMBER, SCALE, value_of, whole
from advisor.understanding.quantity_actions import CONTEXT, Action, Reading

GAP = r"[ \-]{0,3}"
UNIT_TOKENS = r"(?:tokens?|tokeny|tok)\b"
BATCH = r"(?:(?:per[_ -]?device[_ -]?(?:train[_ -]?)?|micro[_ -]?|train[_ -]?)?batch(?:[_ -]?(?:size|größe|grösse|groesse))?|batchgröße|bsz?|mbs|per_device_train_batch_size|micro_batch_size)"
IS = r"\s*(?:[:=]|von|of|auf|at|is|to|ist|de|mit)?\s*"


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
        actions.samples_of_tokens,
    ),
    (
        rf"{N}{GAP}{UNIT_TOKENS}\s*(?:pro|per|je|each|/)\s*(?:sample|example|beispiel|row|zeile|dokument|document|eintrag)",
        actions.simple("tokens_per_example"),
    ),
    (rf"{N}{GAP}(?P<s>{SCALE})?{GAP}{SAMPLES}\b", actions.simple("dataset_examples")),
    (rf"{CONTEXT}{IS}{N}{GAP}(?P<s>k)?(?![\dk.]*[bB]\b)", actions.context),
    (rf"{N}(?P<s>k)?(?:er)?{GAP}(?:tokens? |token-?)?(?:de |di |of )?{CONTEXT}", actions.context),
    (rf"(?:at|bei|mit|with|und|and|to|auf|@)\s+{N}(?P<s>k)(?![a-z])(?!\s*(?:{SAMPLES}|€|\$|usd|eur))", actions.context),
    (rf"{N}(?P<s>k)(?![a-z]){GAP}{UNIT_TOKENS}", actions.context),
    (rf"(?<![\d.,]){N}{GAP}{UNIT_TOKENS}(?!\s*(?:/|per|pro|je|each))", actions.tokens),
    (rf"{N}{GAP}(?P<s>mio\.?|millionen|millions?|mrd\.?|milliarden|billions?|[mb]n?){GAP}{UNIT_TOKENS}", actions.simple("dataset_tokens")),
    (
        rf"(?:global|effective|effektive|total|gesamt)\w*[ _-]?(?:batch(?:[ _-]?(?:size|größe))?){IS}{N}|batch\w*\s*\(?(?:global|gesamt|total){IS}(?P<n2>{NUMBER})",
        actions.put("global_batch_size", lambda m: round(value_of(m["n"] or m["n2"]))),
    ),
    (
        rf"\b(?:ga|grad(?:ient)?[_ -]?acc(?:um(?:ulation)?)?(?:[_ -]?steps)?|gradientenakkumulation){IS}{N}",
        actions.simple("gradient_accumulation_steps"),
    ),
    (rf"(?<![a-z_]){BATCH}{IS}{N}(?![\d.,]*[kbm%])", actions.simple("micro_batch_size")),
    (
        rf"\b(?:lora_)?alpha{IS}{N}|\ba\s*=\s*(?P<n2>{NUMBER})",
        actions.put("lora_alpha", lambda m: whole(value_of(m["n"] or m["n2"]))),
    ),
    (rf"\b(?:lora_)?(?:rank|rang|r|dim|network_dim)(?:\s*[:=]\s*|\s+){N}(?![\d.,]*[kbm]\b)", actions.simple("lora_rank")),
    (
        rf"{NW}{GAP}(?:epochs?|epochen?|ep\b|durchläufe)|(?:num_train_)?epochs?{IS}(?P<n2>{NUMBER})",
        actions.put("epochs", lambda m: whole(value_of(m["n"] or m["n2"]))),
    ),
    (
        rf"cuda{GAP}(?:version |toolkit )?(?P<n>\d\d\.\d)|(?:\+|-|\b)cu(?P<n2>1[0-3])(?P<n3>\d)\b",
        actions.put("cuda", lambda m: m["n"] or f"{m['n2']}.{m['n3']}"),
    ),
    (
        rf"(?:save|checkpoint|speicher\w*|sicher\w*|ckpt)\w*[^.\n]{{0,24}}?(?:every|alle|each|jede\w*|interval\w*)\s*{NW}{GAP}(?:min(?:ute[ns]?)?\b|')",
        actions.simple("checkpoint_interval_minutes", integer=False),
    ),
    (
        rf"(?:every|alle)\s*{NW}{GAP}min(?:ute[ns]?)?\b[^.\n]{{0,24}}?(?:checkpoint|save|speicher|sicher)",
        actions.simple("checkpoint_interval_minutes", integer=False),
    ),
    (
        rf"(?:restart|neustart|wiederanlauf|resume|hochfahren)\w*[^.\n]{{0,20}}?{NW}{GAP}min",
        actions.simple("restart_minutes", integer=False),
    ),
    (
        rf"{NW}{GAP}min(?:ute[ns]?)?\b[^.\n]{{0,12}}?(?:restart|neustart|wiederanlauf|to (?:resume|come back|be back|get going)|zum neu|wieder (?:läuft|da\b|oben|online))",
        actions.simple("restart_minutes", integer=False),
    ),
    (
        rf"save[_ ]steps{IS}{N}|(?:every|alle|each)\s*(?P<n2>{NUMBER}){GAP}(?:steps|schritte)",
        actions.put("save_steps", lambda m: round(value_of(m["n"] or m["n2"]))),
    ),
    (
        rf"{N}{GAP}(?:s|sec(?:onds?)?|sek(?:unden)?)\s*(?:/|per|pro|je)\s*(?:step|it(?:eration)?|schritt)"
        rf"|(?:each|per|every|pro|je|jeder?)\s+(?:step|it(?:eration)?|schritt)\s*(?:takes|is|dauert|braucht|[:=])?\s*(?P<n2>{NUMBER}){GAP}s(?:ec|ek)?",
        actions.put("seconds_per_step", lambda m: whole(value_of(m["n"] or m["n2"]))),
    ),
    (rf"{NW}{GAP}(?:mal |x )?(?:interruptions?|unterbrechungen?|preemptions?|abbrüche?)", actions.simple("interruptions", integer=False)),
    (rf"{NW}\s*(?:x|mal|times|runs?|läufe)\s*(?:im|pro|per|a|each|je)\s*(?:monat|month)", actions.simple("runs_per_month")),
    (rf"(?P<m>{ANY})\s*(?:x|mal|times)\s*(?:für |for |à |je |jeweils |of |each )+{NW}{GAP}min(?:ute[ns]?)?\b", actions.runs_of_minutes),
    (rf"{NW}\s*(?:x|mal|times)\s*(?:für |for |à |je |jeweils |of )+(?={ANY})", actions.simple("runs")),
    (rf"{NW}\s*(?:short |kurze |kleine |small )?(?:runs|läufe|experimente|experiments|versuche)\b", actions.simple("runs")),
    (rf"(?:je|jeweils|each|à|of)\s*{NW}{GAP}min(?:ute[ns]?)?\b", actions.simple("run_minutes", integer=False)),
    (rf"{MONEY.replace('(?P<c>', '(?P<c>')}\s*{N}{PER_HOUR}", actions.money),
    (rf"{N}\s*{MONEY}{PER_HOUR}", actions.money),
    (
        rf"(?:spot|on[- ]demand)[^.\d\n]{{0,14}}(?P<n>\d{{1,2}}[.,]\d\d)(?!\d|\s*(?:[%gt]|{MONEY.replace('?P<c>', '?:')}))",
        actions.simple("price_per_hour", integer=False),
    ),
    (rf"(?P<c>\$|€)\s*{N}(?![\d,.]*\s*/)", actions.money),
    (rf"{N}\s*{MONEY}", actions.money),
    (rf"(?:price|preis|kostet|costs?)\s*{IS}{N}(?P<c>\s*)(?P<h>/h)\b", actions.money),
    (
        rf"(?:bis|by|until|before|vor|till|finish\w* by|fertig)\s+(?:spätestens |zum? )?(?P<d>{DAY}(?:\s*(?:um|at|,)?\s*{CLOCK})?|{CLOCK})",
        actions.deadline,
    ),
    (
        rf"{N}{GAP}(?:h|std\.?|stunden|hours?)\s+(?:of\s+|an\s+)?(?:\w+\s+)?(?:audio|speech|sprache|dialekt|aufnahmen|recordings|transcri\w*|podcasts?)",
        actions.simple("dataset_hours", integer=False),
    ),
    (rf"(?P<m>{NUMBER})\s*[x*]\s*{N}\s*[x*]\s*(?=[A-Za-z])", actions.nodes_by_cards),
    (
        rf"(?P<m>{ANY})\s*(?:nodes?|knoten|maschinen|machines|server)\s*(?:à|a|zu je|mit je|with|x|of|@|je|zu|mit)\s*(?:je |each )?{NW}",
        actions.nodes_by_cards,
    ),
    (rf"{NW}{GAP}(?:nodes?|knoten|maschinen|machines)\b", actions.simple("nodes")),
    (rf"(?P<m>{NUMBER})\s*[x*]\s*{N}\s*{GB}", actions.card_memory),
    (
        rf"{N}{GAP}(?P<u>t|g)i?b?\s*(?:host|system|cpu|main)?[- ]?(?:ram\b|arbeitsspeicher|hauptspeicher|memory(?= \+| cpu)|内存)|(?:host|system|cpu)[- ]?(?:ram|memory)\s*(?:of|von|:|=)?\s*(?P<n9>{NUMBER}){GAP}(?P<u9>t|g)b?|(?<!v)(?:\bram|arbeitsspeicher|内存)\s*(?:of|von|:|=)?\s*(?P<n8>{NUMBER}){GAP}(?P<u8>t|g)i?b?\b",
        actions.put(
            "host_ram_gib",
            lambda m: whole(value_of(m["n"] or m["n9"] or m["n8"]) * (1024 if (m["u"] or m["u9"] or m["u8"]).lower() == "t" else 1)),
        ),
    ),
    (
        rf"{N}{GAP}(?P<u>t|g)i?b?\s*(?:große[sn]? )?(?:network |persistent |block )?(?:volume|disk|platte|festplatte|storage|ssd|nvme|dataset|datensatz|daten\b|data\b)|(?:volume|disk|storage)\w*\s*(?:of|von|with|mit|:|=)?\s*(?P<n9>{NUMBER}){GAP}(?P<u9>t|g)b",
        actions.put("storage_gib", lambda m: whole(value_of(m["n"] or m["n9"]) * (1000 if (m["u"] or m["u9"]).lower() == "t" else 1))),
    ),
    (
        rf"(?:export|egress|download|\brunter|herunter|rauszieh|raushol|ausgehend)\w*[^.\n]{{0,20}}?{N}{GAP}(?P<u>t|g)i?b?\b|{N.replace('?P<n>', '?P<n9>')}{GAP}(?P<u9>t|g)i?b?\s*(?:[\w.-]+\s+){{0,5}}?(?:export|egress|download|(?:he)?runter|raus|back (?:home|out)|out of)",
        actions.put("egress_gib", lambda m: whole(value_of(m["n"] or m["n9"]) * (1000 if (m["u"] or m["u9"]).lower() == "t" else 1))),
    ),
    (
        rf"{N}{GAP}(?P<s>mrd\.?|milliarden?|billions?|bn|b|mio\.?|millionen|m)(?![a-z0-9])(?:{GAP}(?:parameter\w*|params?|modell?\w*))?",
        actions.parameters,
    ),
    (
        rf"(?P<n>{ANY}){GAP}(?P<s>billionen|milliarden?|millionen|billion|trillion)(?![a-z0-9])(?:{GAP}(?:parameter\w*|params?))?",
        actions.parameters,
    ),
    (rf"{N}(?P<s>t)(?![a-z0-9])(?={GAP}(?:full|lora|qlora|model|param|$))", actions.parameters),
    (rf"{N}{GAP}(?:{GB}|(?:vram|显存|grafikspeicher))", actions.memory_of_cards),
    (rf"\b(?:hat|haben|has|have)\s+(?:nur |only |je |each )?{N}(?=[.?!,;)]*(?:\s|$)(?!\s*[a-z%€$]))", actions.bare_memory),
    (rf"{NW}{GAP}(?P<u>h|hrs?|std\.?|stunden?|hours?|tage?|days?)(?![a-z])", actions.hours),
    (
        r"(?P<n>\d{3,4})(?:er|px|[- ]pixel\w*|[- ]?²)\s*(?:bild\w*|images?|pictures?|auflösung)?|(?:resolution|auflösung|res)\s*(?:of|von|:|=)?\s*(?P<n2>\d{3,4})(?!x|\d)",
        actions.put("resolution", lambda m: m["n"] or m["n2"]),
    ),
    (r"(?P<n>\d{1,4}x\d{2,4}x\d{2,4}|\d{3,4}x\d{3,4}|(?<![\d.])\d{3,4}(?= ?px))", actions.put("resolution", lambda m: m["n"])),
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
