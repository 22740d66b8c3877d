"""What a turn asks: rules over its words and over what was understood. First hit wins, strongest evidence first."""

from __future__ import annotations

import re
from typing import Any

from advisor.slots import Intent
from advisor.understanding.reading import TurnReading

SIGNS: dict[str, re.Pattern[str]] = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "oom": r"out of ?mem|\boom\b|\booms\b|outofmemory|speicher (?:voll|reicht nicht|läuft über)|显存不(?:够|足)|爆显存|runs? out of|exit(?: ?code)?:? ?-9|return code -9|exitcode: -9|\bkilled\b|sigkill|executable batch size|stürzt .*speicher|dies (?:in|at|with|after|on)\b|speicherfehler|läuft (?:mir )?voll|voll ?läuft|(?:cards?|gpus?|karten?|vram|speicher) (?:are|is|ist|sind|fills?) (?:full|voll|up)|fills? up",
        "crash": r"\bcrash\w*|abgebrochen|\babbruch|bricht\b[^.?!]{0,40}\bab\b|stürzt\b[^.?!]{0,30}\bab\b|abgestürzt|\bfails?\b|\bdied\b|\bkaputt\b",
        "spot": r"\bspot|preempt|interruptib|unterbrechbar|interruption|unterbrech|überboten|outbid|resume_from_checkpoint|wie oft (?:speichern|sichern)|how often .*checkpoint",
        "storage": r"bleib\w* .*(?:daten|speicher|platte|volume|checkpoint|erhalten)|(?:data|disk|storage|volume|checkpoint\w*|files?|daten|speicher|modell\w*|ergebnis\w*)\b.*(?:surviv|persist|keep|kept|lost|weg\b|gone|erhalten|verlor|gelöscht|still there)|network volume|persistent|netzlaufwerk|no space left|停机|数据.{0,6}(?:丢|保留|还在)|errno 28|os error 28|volume\b|speicherplatz|festplatte|where .*store|wo .*(?:speicher|leg)\w* ich",
        "billing": r"egress|ausgehend|abrechn|billing|billed|(?:charged|berechnet|zahl\w*|pay|kostet).*(?:stop|pausier|idle|gestoppt|aus ist)|\bbills?\b|traffic|(?:wieder|back) (?:he)?runter|herunterlad|runterzulad|getting .* out|per[- ](?:second|minute|hour) billing|sekundengenau|minutengenau|stundengenau|rundet|round(?:ed)? up|pro sekunde|minimum charge",
        "environment": r"cuda ?(?:version|toolkit|1[0-3]\.\d)|\bcu1[0-3]\d\b|driver|treiber|docker|\bimage\b|container|bitsandbytes(?! ?4)|torch ?(?:==|>=)?[12]\.\d|kernel image|sm_\d+|not compatible|cuda setup|flash-attn|install|version(?:en|s)?\b.*(?:pin|fix|exakt|exact)|bus error|shared memory|shm",
        "interconnect": r"nv-?link|nvswitch|pci-?e\b|infiniband|\broce\b|ethernet|\bgbe\b|topolog|topo -m|nccl|interconnect|bandbreite|bandwidth between|zwischen den (?:karten|knoten)|between (?:the )?(?:cards|gpus|nodes)|multi-?node|mehrere knoten|两机|多机",
        "generation": r"(?:ampere|hopper|ada|blackwell|turing|volta|pascal)\b[^.?!]{0,20}(?:newer|neuer|aufwärts|and up|or later|or above|or better|oder höher)",
        "format": r"(?:bf16|bfloat16|fp16|fp8|tf32|mxfp4|nvfp4|flash[_ ]?attention)[^?!]{0,80}\?",
        "evidence": r"\bquellen?\b|\bsources?\b|belege?\b|unterlagen|citation|evidence|woher weißt",
        "precision": r"(?:bf16|bfloat16|fp16|fp8|tf32|fp32|int8|mxfp4|nvfp4|flash ?attention|flashattention|fa2?\b|mixed precision|präzision|precision).*(?:support|unterstütz|können|kann|lohnt|worth|oder|or|vs|statt|instead|usable|work|geht|possible|nan|slow|langsam|only|nicht|crash|error)|(?:support|unterstütz|können|kann|does|lohnt|worth|usable).*(?:bf16|bfloat16|fp16|fp8|tf32|int8|flash)|\bnan\b|overflow|loss scal|bf16/gpu",
        "time": r"wie lange|how long|dauer|how many hours|hours for|wie viele stunden|tokens?/s|tokens per second|tok/s|wie schnell|how fast|finish(?:ed)? by|combien de temps|cuánto tarda|quanto tempo|多久|多长时间|\beta\b",
        "cost": r"was kostet|kosten|\bcosts?\b|\bprices?\b|\bpreise?s?\b|\bcharges?\b|verlangt|budget|teuer|billig|günstig|expensive|cheap|how much (?:money|would|does|will|is it|for)|reservier|reserve|commitment|\$|€|usd|eur\b|geld|money|pro lauf|per run|coût|cuesta|custa|多少钱|wert\b",
        "choice": r"welche (?:gpu|karte|hardware|grafikkarte|instan|gpus)|which (?:gpu|card|hardware|instance|cloud|provider)|what (?:gpu|card|hardware|should i (?:rent|use|get|take))|should i (?:rent|use|get)|soll(?:te)? ich (?:mieten|nehmen)|empfehl|recommend|was (?:soll|brauch)\w* ich (?:mieten|nehmen|für (?:eine )?(?:gpu|karte|hardware))|cheapest|günstigste|passende (?:gpu|karte)|wähl\w*|choose|pick|quelle (?:gpu|carte)|qué (?:gpu|tarjeta)|que gpu|什么(?:显卡|gpu|卡)|用什么|推荐|哪(?:张|款|种)|(?:muss|must|need|brauch\w*|does it|do i) (?:es|it|ich|i|to|have to|be|need)[^.?!]{0,60}(?:blackwell|hopper|rechenzentrums?karte|profikarte|data ?cent(?:er|re) (?:card|gpu)|gaming)|etwas älteres|older card|ältere karte|oversized|überdimensioniert|what can i (?:fine-?tune|train)|was kann ich",
        "multi": r"(?:eine|einzelne|one|single|1) (?:gpu|karte|card|[a-z]+\d+)[^.?]{0,30}(?:oder|or|vs|statt|instead)|mehrere (?:gpus|karten)|multi-?gpu|several (?:gpus|cards)|more than one|mehr als eine|how many (?:gpus|cards)|wie ?viele (?:gpus|karten)|zusammen \d+|addier|add up|pool(?:ed)?\b",
        "shards": r"zero-?[123]|fsdp|verteil|sharding|parallel",
        "fits": r"\bpass(?:t|en|e)\b|reich(?:t|en|e)\b|\bfits?\b|enough|genug|够|放(?:得)?下|suffit|basta|drin\b|squeeze|hinkommen",
        "fit": r"\bpass(?:t|en|e)\b|reich(?:t|en|e)\b|\bfits?\b|enough|genug|geht (?:das|es|ein|mit|auf|\w+ \w+ auf)|\bgeht\b.*\?|schaff|mach\w*bar|possible|feasible|can i|kann ich|could i|läuft|will it|does it run|taugt|够|放(?:得)?下|能跑|行不行|puedo|posso|puis-je|suffit|basta|\bok\??$|klappt|drin\b|squeeze|work on|hinkommen",
        "memory": r"(?:how much|wie ?viel)\b[^.?]{0,30}(?:vram|memory|speicher|ram\b|gb\b|gib\b)|vram\b.*(?:for|für|need|brauch|required|nötig|bedarf)|speicherbedarf|memory (?:for|need|requirement|usage|estimate)|aufschlüssel|breakdown|was (?:geht|brauch)\w*.*(?:gewichte|vram|speicher)|(?:combien|cuánta|quanta).*(?:vram|mémoire|memoria|memória)|多少显存|需要多少|brauch\w* ich (?:an )?(?:vram|speicher)|\bvram\b\s*\??$",
        "compare": r"\bvs\.?\b|versus|vergleich|compare|compar[ae]|gegenüber|im vergleich|nebeneinander|side by side|difference|unterschied|besser als|better than|klüger|schwank|(?:oder|or)\b[^.]*\?|lieber",
        "explain": r"\bwarum\b|\bwhy\b|was (?:ist|macht|passiert|bedeutet|heißt)|what (?:is|does|are|happens)|wie (?:funktioniert|gehe ich|viel qualität)|how does|explain|erklär|eigentlich|pourquoi|por qué|por que|为什么",
        "wish": r"ich (?:will|möchte|habe vor|plane)|i (?:want|plan|need|would like|have)",
    }.items()
}


def intent_of(turn: TurnReading, stated: dict[str, Any], previous: Intent | None) -> Intent:
    """Exactly one intent; a turn without a sign of its own keeps the conversation's."""
    text, values = turn.text, turn.values
    signs = {name for name, pattern in SIGNS.items() if pattern.search(text)}
    job = bool(stated.get("model") or stated.get("parameters_billion"))
    card = bool(stated.get("accelerator") or stated.get("vram_gib"))
    urgent = _urgent(signs, turn, job=job, card=card)
    if urgent is not None:
        return urgent
    several = {name for name, found in values.items() if len(found) > 1}
    guided = _guided(signs, turn, job)
    if guided is not None:
        return guided
    if "compare" in signs and several & {
        "accelerator",
        "method",
        "provider",
        "objective",
        "model",
        "parameters_billion",
        "vram_gib",
        "framework",
    }:
        return "compare"
    if several & {"accelerator"} and re.search(r"(?i)\b(?:oder|or|vs|ou|o)\b", text) and "fits" not in signs:
        return "compare"
    if "time" in signs and "cost" not in signs and (job or card):
        return "time"
    if "choice" in signs and not ("memory" in signs and "cost" not in signs):
        return "gpu_choice"
    if "fits" in signs and job and card and "multi" not in signs:
        return "fit_check"
    if "multi" in signs and ("fit" not in signs or "accelerator_count" in values or not card):
        return "single_vs_multi"
    if "shards" in signs and not {"fit", "memory", "cost"} & signs:
        return "single_vs_multi"
    if "memory" in signs and (job or "method" in values):
        return "memory_estimate"
    if "fit" in signs and (card or job or "accelerator_count" in values) and not ("explain" in signs and not card):
        return "fit_check"
    if "cost" in signs or values.get("pricing_term"):
        return "cost"
    if "time" in signs:
        return "time"
    if "memory" in signs:
        return "memory_estimate"
    return _unsigned(signs, turn, stated, previous, job=job, card=card)


def _urgent(signs: set[str], turn: TurnReading, *, job: bool, card: bool) -> Intent | None:
    """A run that failed comes before everything else that is asked in the same breath."""
    if "environment" in signs and re.search(r"(?i)bus error|shared memory|\bshm\b", turn.text):
        return "environment"
    if "evidence" in signs and not job and not card:
        return "general"
    if "oom" in signs or (turn.log and re.search(r"(?i)memory|killed|-9", turn.text) and "environment" not in signs):
        return "oom_debug"
    if "crash" in signs and (turn.log or not {"precision", "format", "environment", "spot"} & signs):
        return "oom_debug"
    return None


def _guided(signs: set[str], turn: TurnReading, job: bool) -> Intent | None:
    """Intents that the guide and the records answer: spot, storage, billing, environment, links, precision."""
    if "spot" in signs and not ("choice" in signs and job):
        return "spot"
    if "billing" in signs:
        return "billing"
    if "storage" in signs:
        return "storage"
    if turn.log and "environment" in signs and "precision" not in signs:
        return "environment"
    asked = "precision" in signs or "generation" in signs or ("format" in signs and not job)
    if asked and not ({"memory", "choice"} & signs) and not ("fits" in signs and job and not turn.log and "nan" not in turn.words):
        return "precision"
    if "environment" in signs and "fit" not in signs | {"fit"} - signs:
        return "environment"
    if "environment" in signs and not job:
        return "environment"
    if "interconnect" in signs and "memory" not in signs:
        return "interconnect"
    return None


def _unsigned(signs: set[str], turn: TurnReading, stated: dict[str, Any], previous: Intent | None, *, job: bool, card: bool) -> Intent:
    """No sign decided: a follow-up keeps its subject, a bare job is a question of fit or memory."""
    if previous is not None and previous != "out_of_scope" and not {"explain", "wish"} & signs:
        return previous
    if "explain" in signs:
        return "general"
    if job and card:
        return "fit_check"
    if "fit" in signs and card:
        return "fit_check"
    if "compare" in signs and len(turn.values.get("method", [])) > 1:
        return "compare"
    if job and stated.get("method"):
        return "gpu_choice" if "wish" in signs else "memory_estimate"
    from advisor.understanding.refusals import is_about_us

    return "general" if is_about_us(turn) else "out_of_scope"


TOPICS = {
    "spot": "spot", "storage": "storage", "billing": "billing", "environment": "environment", "interconnect": "interconnect",
    "precision": "precision", "multi": "sharding", "oom": "out_of_memory", "choice": "choice", "cost": "cost", "time": "time",
}  # fmt: skip


def topics_of(turn: TurnReading) -> frozenset[str]:
    """Guide topics a turn touches."""
    found = {topic for name, topic in TOPICS.items() if SIGNS[name].search(turn.text)}
    return frozenset(found | {str(method) for method in turn.values.get("method", [])})
