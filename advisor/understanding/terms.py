"""Word tables: what people write -> words of the contract. Matched as whole words, longest first."""

from __future__ import annotations

import re

Table = dict[str, str]

METHOD: Table = {
    r"full[- ]?(?:parameter[- ]?)?(?:fine[- ]?tun\w*|ft|sft|training|param\w*)|full[- ]?fine[- ]?tun\w*|fft|vollständig\w*|voll(?:es|em|en|e)?|"
    r"全参(?:数)?|全量|dreambooth(?! lora)|complet[oae]?\w*|alle gewichte|all (?:the )?weights|full[- ]rank|(?<!is )(?<!are )(?<!gets )(?<!cards )(?<!memory )full(?! before| after| of | at | when)": "full",
    r"q-?lora": "qlora",
    r"dora": "dora",
    r"(?:rs|lo|pi)?-?lora\+?|lora_?(?:config|params|model)|locon|peft|low[- ]rank": "lora",
    r"lokr": "lokr",
    r"loha": "loha",
    r"adalora": "adalora",
    r"vera": "vera",
    r"boft": "boft",
    r"\boft": "oft",
    r"ia3|\(ia\)3": "ia3",
    r"adapter[sn]?|adapter-?(?:training|tuning|feintuning)": "adapter",
    r"prefix[- ]?tuning|p-?tuning[- ]?v2": "prefix",
    r"p-?tuning": "p_tuning",
    r"prompt[- ]?tuning": "prompt",
    r"bitfit": "bitfit",
    r"freeze[- ]?(?:tuning|ft)|nur die letzten (?:\w+ )?(?:schichten|layer)|only the (?:last|top) (?:\w+ )?layers": "freeze",
    r"lisa": "lisa",
    r"controlnet": "controlnet",
}
GENERAL_METHODS = frozenset({"adapter"})
"""Words that yield where a more exact method stands beside them."""

OBJECTIVE: Table = {
    r"dpo": "dpo",
    r"orpo": "orpo",
    r"kto": "kto",
    r"grpo|rlvr": "grpo",
    r"ppo|rlhf": "ppo",
    r"reward[- ]?model\w*": "reward",
    r"cpt|continued pre-?train\w*|weiter-?pretrain\w*": "cpt",
    r"sft|supervised fine[- ]?tun\w*|instruction[- ]?tun\w*": "sft",
}
PRECISION: Table = {
    r"(?:pure |reines? )?bf-?16|bfloat-?16": "bf16",
    r"fp-?16|float-?16|half precision|halbe genauigkeit|16[- ]?bit": "fp16",
    r"fp-?32|float-?32|single precision|32-?bit(?! adam)": "fp32",
    r"tf-?32": "tf32",
    r"nvfp4": "nvfp4",
    r"mxfp4": "mxfp4",
    r"fp-?8|float-?8|e4m3": "fp8",
    r"int-?8|8[- ]?bit(?! adam)": "int8",
}
QUANTIZATION: Table = {
    r"4[- ]?bits?(?! adam)|nf-?4|bnb(?!_4bit_compute)|load_in_4bit(?:\s*[=:]\s*true)?(?!\s*[=:]\s*false)|bitsandbytes 4|vierbit": "nf4",
    r"gptq|awq|int-?4|q4": "int4",
    r"load_in_8bit(?:\s*[=:]\s*true)?(?!\s*[=:]\s*false)|8-?bit (?:lora|base|model|modell|weights|gewichte)": "int8",
    r"mxfp4": "mxfp4",
}
OPTIMIZER: Table = {
    r"paged[_ -]?adamw[_ -]?8-?bit": "paged_adamw_8bit",
    r"paged[_ -]?adamw(?:[_ -]?32-?bit)?": "paged_adamw_32bit",
    r"(?:adamw?[_ -]?(?:bnb[_ -]?)?8-?bit|8-?bit[- ]adamw?)": "adamw_bnb_8bit",
    r"adamw_torch_fused|fused adamw?": "adamw_torch_fused",
    r"galore\w*": "galore_adamw",
    r"adamw?(?:_torch)?": "adamw",
    r"adafactor": "adafactor",
    r"lion": "lion",
    r"muon": "muon",
    r"sgd": "sgd",
    r"prodigy": "prodigy",
    r"lomo": "lomo",
}
SHARDING: Table = {
    r"(?:deepspeed[ -]?)?zero[-_ ]?(?:stage[-_ ]?)?3[-_ ]?(?:cpu[-_ ]?)?offload\w*": "zero3_offload",
    r"(?:deepspeed[ -]?)?zero[-_ ]?(?:stage[-_ ]?)?2[-_ ]?(?:cpu[-_ ]?)?offload\w*": "zero2_offload",
    r"(?:deepspeed[ -]?)?(?:zero|ds)[-_ ]?(?:stage[-_ ]?)?3(?![\d.])|stage ?3(?=.*zero)": "zero3",
    r"zero_optimization\W{1,8}stage\W{1,4}(?P<stage>[123])": "stage",
    r"zero[-_ ]?(?:stage[-_ ]?)?2(?![\d.])": "zero2",
    r"zero[-_ ]?(?:stage[-_ ]?)?1(?![\d.])": "zero1",
    r"hsdp|hybrid[- ]shard\w*": "hybrid",
    r"fsdp2?": "fsdp",
    r"ddp|torchrun(?= ddp)|data[- ]?parallel(?:ism)?|distributed data parallel": "ddp",
}
INTERCONNECT: Table = {
    r"nv-?link[- ]?bridges?": "nvlink_bridge",
    r"nv-?link|nvswitch|sxm(?= (?:vs|oder|or))": "nvlink",
    r"pci-?e(?:xpress)?": "pcie",
    r"xgmi": "xgmi",
}
NETWORK: Table = {
    r"(?P<gbps>\d+) ?(?:gb?e|g(?:bit)?(?:/s)?[- ]?ethernet|gbps ethernet)": "gbe",
    r"infiniband|\bib\b(?= |$)": "infiniband",
    r"roce": "roce",
    r"\befa\b": "efa",
    r"ethernet|tcp/ip": "ethernet",
}
PRICING: Table = {
    r"spot(?:[- ]?(?:instan\w+|price|preis\w*|vm\w*|market|kapazität))?|preemptible|interruptible|unterbrechbar\w*|bid(?:ding)?|low[- ]priority": "spot",
    r"on[- ]?demand|stundenweise": "on_demand",
    r"reserved|reservier\w*|reservations?|commitments?|committed use|savings plan": "reserved",
}
FRAMEWORK: Table = {
    r"unsloth|fastlanguagemodel": "unsloth",
    r"axolotl": "axolotl",
    r"llama[-_ ]?factory": "llamafactory",
    r"ms-?swift|\bswift sft": "ms-swift",
    r"torchtune|\btune run": "torchtune",
    r"torchtitan": "torchtitan",
    r"litgpt": "litgpt",
    r"megatron\w*": "megatron",
    r"(?<!mistral )(?<!mistral-)nemo\b": "nemo",
    r"deepspeed": "deepspeed",
    r"trl|hf trainer|transformers|hugging ?face|sfttrainer|dpotrainer|trainingarguments|accelerate launch|\bpeft\b(?= (?:trainer|library|vs|oder|or|und|and))": "huggingface",
}
REGION: Table = {
    r"(?:in der |in |nur |only )?(?:eu|europa|europe|europäisch\w*|european)(?:[- ]?(?:union|region|only|raum))?": "EU",
    r"deutschland|germany|alemania|allemagne": "DE",
    r"frankfurt": "Frankfurt",
    r"us-east(?:-\d)?": "us-east",
    r"us-west(?:-\d)?": "us-west",
    r"eu-(?:central|west|north)-\d": "=",
    r"(?:in den |in der |in the )?(?:usa|vereinigte\w* staaten|united states)": "US",
    r"frankreich|france": "FR",
    r"niederlande\w*|netherlands": "NL",
    r"finnland|finland": "FI",
    r"schweden|sweden": "SE",
    r"schweiz|switzerland": "CH",
    r"österreich|austria": "AT",
    r"(?:vereinigtes königreich|united kingdom|\buk\b|england|london)": "GB",
    r"indien|india": "IN",
    r"kanada|canada": "CA",
    r"(?:in|nach|region) (?P<place>[A-Z][a-zäöüí]{5,})(?= (?:verfügbar|available|mieten|rent|hosten)|\?|$)": "place",
}
FEATURES: Table = {
    r"\bssh\b": "ssh",
    r"docker(?:-?(?:image|container))?": "docker",
    r"jupyter|notebooks?": "jupyter",
    r"bare[- ]?metal": "bare_metal",
    r"persistent(?:e[rsnm]?)? (?:storage|disk|volume|speicher)|network volume|dauerhafte\w* speicher|surviv\w* (?:a |the )?(?:stop|shutdown)": "persistent_storage",
    r"(?:per|by the)[- ]second(?: billing)?|billed (?:per|by the) second|sekundengenau\w*|(?:abrechnung|abgerechnet) (?:pro|je) sekunde": "per_second_billing",
    r"per[- ]minute billing|billed (?:per|by the) minute|minutengenau\w*|(?:abrechnung|abgerechnet) (?:pro|je) minute": "per_minute_billing",
    r"iso[- /]?(?:iec[- ]?)?27001": "iso_27001",
    r"\bbsi[- ]?c5\b|\bc5[- ](?:testat|attest\w*|zertifi\w*)": "bsi_c5",
    r"\bavv\b|auftragsverarbeitung\w*|data[- ]processing agreement|\bdpa\b": "data_processing_agreement",
    r"auf rechnung|(?:pay|paid|payment) (?:by|on) invoice": "invoice",
    r"eu[- ](?:company|firma|unternehmen|anbieter)|europäische\w* (?:anbieter|firma|unternehmen)|deutsche\w* (?:anbieter|unternehmen)": "eu_company",
    r"(?:free|kostenlose[rmns]?|no) egress(?: fees?)?|egress(?: ist)? (?:free|kostenlos)|keine egress": "free_egress",
}


def compiled(table: Table) -> list[tuple[re.Pattern[str], str]]:
    """Patterns as whole words, in the table's order."""
    return [(re.compile(rf"(?<![A-Za-z0-9_äöüß])(?:{pattern})(?![A-Za-z0-9äöüß])", re.IGNORECASE), word) for pattern, word in table.items()]


TABLES = {
    "method": compiled(METHOD),
    "objective": compiled(OBJECTIVE),
    "quantization": compiled(QUANTIZATION),
    "optimizer": compiled(OPTIMIZER),
    "precision": compiled(PRECISION),
    "sharding": compiled(SHARDING),
    "interconnect": compiled(INTERCONNECT),
    "network": compiled(NETWORK),
    "pricing_term": compiled(PRICING),
    "framework": compiled(FRAMEWORK),
    "region": [(re.compile(pattern.pattern, re.IGNORECASE if "place" not in word else 0), word) for pattern, word in compiled(REGION)],
    "features": compiled(FEATURES),
}
"""Slot -> patterns. Quantization before precision, so that `8-bit Adam` and `4-bit` are read once."""

NEGATION = re.compile(
    r"(?i)(?:\b(?:ohne|kein(?:e[nmrs]?)?|nicht|without|no|not|don't|forget|vergiss|statt|instead of|anstelle von|rather than|weg mit|drop|never|nie)"
    r"(?: (?:die|das|den|der|the|a|an|ein|eine|einen|any|on|use|using|mehr|auf|in|bei|mit))*\s*)$"
)
"""What stands right before a term that is taken back."""


def negated(text: str, start: int) -> bool:
    """Whether the words before a position take what follows back."""
    return bool(NEGATION.search(text[max(0, start - 40) : start]))
