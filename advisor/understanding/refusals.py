"""Turns that must not be answered as asked: instructions to the program, hostile wishes, other subjects."""

from __future__ import annotations

import re

from advisor.slots import Route
from advisor.understanding.reading import TurnReading

INSTRUCTION = re.compile(
    r"(?i)(?:ignor\w*|vergiss|vergessen sie|disregard|forget|missacht\w*|override|überschreib\w*|bypass|umgeh\w*)\b[^.\n]{0,40}\b(?:instruction\w*|anweisung\w*|rules?|"
    r"regeln?|tools?|werkzeug\w*|prompt|system|vorgaben|richtlinien|guardrails?|calculator|rechner)"
    r"|(?:neue|new|updated?)\s+(?:system\w*|admin\w*)\s*[-:]?\s*(?:anweisung|instruction|prompt|message|befehl)|systemanweisung"
    r"|(?:system[- ]?prompt|hidden prompt|initial prompt|deine? (?:prompt|anweisungen|systemprompt)|your (?:prompt|instructions|system message))"
    r"|(?:print|reveal|show|output|zeig\w*|gib\w*|nenn\w*|verrat\w*)\b[^.\n]{0,30}\b(?:env(?:ironment)? var\w*|umgebungsvariablen?|api[- ]?keys?|secrets?|os\.environ|\.env|token deines|schlüssel)"
    r"|(?:behaupte|pretend|tu so|just (?:say|claim|answer)|sag einfach|always (?:say|answer)|antworte (?:ab jetzt |nur )?(?:mit|immer)|reply only with|respond only)"
    r"|you are now (?:a|an|in)\b|du bist (?:jetzt|ab jetzt|ab sofort)|developer mode|jailbreak|\bDAN\b"
)
SECRET = re.compile(
    r"(?i)(?:print|reveal|show|output|dump|leak|list|zeig\w*|gib\w*|nenn\w*|verrat\w*|verrät\w*|liste)\b[^.\n]{0,40}\b(?:geheim\w*|secret\w*|hidden|intern\w*|versteckt\w*|confidential|vertraulich\w*|"
    r"system[- ]?prompt\w*|env(?:ironment)? var\w*|umgebungsvariablen?|api[- ]?keys?|os\.environ|\.env\b|schlüssel|token deines|passw\w*|test ?fragen|test questions)"
)
"""A wish for what must stay inside."""
ACTING = re.compile(
    r"(?i)\b(?:rent|buy|book|order|pay|purchase|sign)\b[^.?!\n]{0,40}\bfor me\b|\bfür mich\b[^.?!\n]{0,40}\b(?:miet|buch|bestell|bezahl|kauf)\w*|(?:miet|buch|bestell|bezahl|kauf)e?\b[^.?!\n]{0,40}\bfür mich\b|"
    r"\b(?:credit )?card number\b|kreditkarten?(?:nummer|daten)?|\biban\b"
)
"""A wish that something be bought or paid; an adviser has no hands."""
HOSTILE = re.compile(
    r"(?i)\b(?:steal\w*|stehl\w*|stolen|gestohlen\w*|klau\w*|hack(?:en|ed|ing)?\b(?! ?day)|crack(?:ed|en)?\b|phish\w*|fraud|betrug|fake (?:id|card|account)|gefälscht\w*|"
    r"(?:mine|schürf\w*) (?:crypto|bitcoin|monero)|malware|ransomware|botnet|exploit someone|without paying|ohne zu (?:be)?zahlen|free trial abuse|leaked? (?:keys?|credentials)|"
    r"fremde[nrs]? (?:kreditkarte|account|konto|schlüssel))"
)
DOMAIN = re.compile(
    r"(?i)gpu|vram|cuda|grafik|fine-?tun|fein-?tun|finetun|lora|train|modell?\b|\bmodels?\b|\bllms?\b|karte|\bcards?\b|accelerator|speicher|memory|spot|cloud|mieten|\brent|instan|"
    r"anbieter|provider|checkpoint|epoch|batch|token|dataset|datensatz|nvlink|pcie|infiniband|bf16|fp16|fp8|quanti|zero-?[123]|fsdp|deepspeed|torch|driver|treiber|docker|egress|"
    r"storage|volume|preis|price|kost|cost|billing|abrechn|reserv|adapter|parameter|显存|微调|训练|显卡|entraîn|entren|treinar|modèle|modelo|node|knoten|gradient|optimi[sz]er|oom|nan\b|loss"
)
SERVING = re.compile(
    r"(?i)\b(?:serv(?:e|ing)\b|inference|inferenz|requests? per second|req/s|anfragen pro sekunde|vllm|ollama|llama\.cpp|tgi\b|latency|first token|chatbot betreiben|hosten? .*api|deploy\w*)"
)
TRAINING = re.compile(r"(?i)fine-?tun|fein-?tun|finetun|train|lora|\bsft\b|dpo|grpo|checkpoint|微调|训练|adapter|backward|optimizer")
WORDS = re.compile(r"(?i)[a-zäöüßéèñáíóúç]{2,}")


def refusal_of(turn: TurnReading, *, follows: bool) -> Route | None:
    """refuse_instruction, refuse or out_of_scope; None where the turn is to be answered.

    Instructions inside a pasted log are data and refuse nothing.
    """
    if not turn.log and (SECRET.search(turn.text) or ACTING.search(turn.text)):
        return "refuse"
    if not turn.log and INSTRUCTION.search(turn.text):
        return "refuse_instruction"
    if not turn.log and HOSTILE.search(turn.text):
        return "refuse"
    if SERVING.search(turn.text) and not TRAINING.search(turn.text) and not turn.log:
        return "out_of_scope"
    if is_about_us(turn) or follows or turn.log:
        return None
    return "out_of_scope" if is_language(turn.text) else None


def is_about_us(turn: TurnReading) -> bool:
    """Whether a turn states or asks anything of the field."""
    return bool(DOMAIN.search(turn.text)) or any(name not in ("currency", "hours", "features", "deadline") for name in turn.values)


def is_language(text: str) -> bool:
    """Whether a text consists of sentences rather than of rubbish: small words among at least four words."""
    from advisor.understanding.language import language_of

    return len(WORDS.findall(text[:2000])) >= 4 and language_of(text) is not None
