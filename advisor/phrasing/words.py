"""Words of the answers in both languages: one table per kind of thing."""

from __future__ import annotations

from tools.units import Language

Pair = tuple[str, str]
"""(English, German)"""


def say(pair: Pair, language: Language, **values: object) -> str:
    """One of two texts, its {names} filled in."""
    text = pair[1] if language == "de" else pair[0]
    return text.format(**values) if values else text


def joined(items: list[str], language: Language, *, last: Pair = (" and ", " und ")) -> str:
    """`a, b and c`."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + say(last, language) + items[-1]


METHODS: dict[str, Pair] = {
    "full": ("full fine-tuning", "volles Feintuning"),
    "freeze": ("partly frozen fine-tuning", "teilweise eingefrorenes Feintuning"),
    "lora": ("LoRA", "LoRA"),
    "qlora": ("QLoRA", "QLoRA"),
    "dora": ("DoRA", "DoRA"),
    "ia3": ("IA³", "IA³"),
    "controlnet": ("ControlNet training", "ControlNet-Training"),
    "llamapro": ("LLaMA Pro", "LLaMA Pro"),
    "lisa": ("LISA", "LISA"),
    "bitfit": ("BitFit", "BitFit"),
}

OBJECTIVES: dict[str, Pair] = {
    "sft": ("SFT", "SFT"),
    "cpt": ("continued pretraining", "fortgesetztem Vortraining"),
    "dpo": ("DPO", "DPO"),
    "orpo": ("ORPO", "ORPO"),
    "kto": ("KTO", "KTO"),
    "reward": ("reward modelling", "Reward-Training"),
    "ppo": ("PPO", "PPO"),
    "grpo": ("GRPO", "GRPO"),
}

PARTS: dict[str, Pair] = {
    "weights": ("weights", "Gewichte"),
    "gradients": ("gradients", "Gradienten"),
    "optimizer_states": ("optimizer states", "Optimizer-Zustände"),
    "activations": ("activations", "Aktivierungen"),
    "logits": ("logits", "Logits"),
    "other_models": ("other models", "weitere Modelle"),
    "overhead": ("overhead", "Overhead"),
}

TERMS: dict[str, Pair] = {
    "on_demand": ("on-demand", "On-Demand"),
    "spot": ("spot", "Spot"),
    "reserved": ("reserved", "reserviert"),
}

KNOWN: dict[str, Pair] = {
    "yes": ("yes", "ja"),
    "no": ("no", "nein"),
    "partly": ("partly", "teilweise"),
    "unknown": ("unknown", "unbekannt"),
}

AVAILABILITY: dict[str, Pair] = {
    "available": ("available", "verfügbar"),
    "limited": ("limited", "knapp"),
    "unknown": ("availability unknown", "Verfügbarkeit unbekannt"),
}

BOUND_BY: dict[str, Pair] = {
    "compute": ("compute", "Rechenleistung"),
    "memory_bandwidth": ("memory bandwidth", "Speicherbandbreite"),
    "dequantisation": ("unpacking the 4-bit weights", "das Entpacken der 4-Bit-Gewichte"),
    "dequantization": ("unpacking the 4-bit weights", "das Entpacken der 4-Bit-Gewichte"),
    "interconnect": ("the link between the cards", "die Verbindung der Karten"),
    "network": ("the network between the nodes", "das Netz zwischen den Knoten"),
    "launch": ("kernel launches", "Kernel-Starts"),
    "optimizer": ("the optimizer step", "den Optimizer-Schritt"),
    "loader": ("data loading", "das Datenladen"),
}

SLOTS: dict[str, Pair] = {
    "model": ("model", "Modell"),
    "parameters_billion": ("model size", "Modellgröße"),
    "method": ("method (full, LoRA, QLoRA)", "Methode (voll, LoRA, QLoRA)"),
    "accelerator": ("card", "Karte"),
    "accelerator_count": ("number of cards", "Kartenzahl"),
    "sequence_length": ("context length", "Kontextlänge"),
    "micro_batch_size": ("batch size", "Batchgröße"),
    "dataset_tokens": ("size of the data set", "Größe des Datensatzes"),
    "sharding": ("sharding (FSDP, ZeRO)", "Aufteilung (FSDP, ZeRO)"),
    "host_ram_gib": ("host RAM", "Arbeitsspeicher"),
    "provider": ("provider", "Anbieter"),
    "region": ("region", "Region"),
    "budget": ("budget", "Budget"),
    "deadline": ("deadline", "Termin"),
    "error": ("the error message", "die Fehlermeldung"),
    "resolution": ("image size", "Bildgröße"),
    "resume": ("whether the script resumes", "ob das Skript fortsetzen kann"),
    "hours": ("length of the run", "Dauer des Laufs"),
    "optimizer": ("optimizer", "Optimizer"),
    "activation_checkpointing": ("gradient checkpointing", "Gradient Checkpointing"),
    "context_parallel": (
        "splitting each sample over the cards (sequence parallel)",
        "Aufteilen der Beispiele über die Karten (Sequenzparallel)",
    ),
    "compute_precision": ("precision", "Präzision"),
    "precision": ("precision", "Präzision"),
    "loss": ("whether the loss is fused (Liger) or plain", "ob der Loss fusioniert ist (Liger) oder nicht"),
    "master_weights": ("fp32 master copies or pure bf16", "fp32-Masterkopien oder reines bf16"),
    "framework": (
        "the trainer (one with fused loss and no fp32 copies, such as Unsloth or Liger, takes less)",
        "den Trainer (mit fusioniertem Loss und ohne fp32-Kopien, etwa Unsloth oder Liger, braucht es weniger)",
    ),
    "gpu_memory_utilization": ("vLLM's share of the cards", "Anteil von vLLM an den Karten"),
}

ARGUMENTS: dict[str, Pair] = {
    "method": ("method {v}", "Methode {v}"),
    "objective": ("objective {v}", "Ziel {v}"),
    "sequence_length": ("context {v}", "Kontext {v}"),
    "micro_batch_size": ("batch {v}", "Batch {v}"),
    "gradient_accumulation_steps": ("accumulation {v}", "Akkumulation {v}"),
    "optimizer": ("optimizer {v}", "Optimizer {v}"),
    "activation_checkpointing": ("gradient checkpointing {v}", "Gradient Checkpointing {v}"),
    "context_parallel": ("sequence parallel over {v} cards", "Sequenzparallel über {v} Karten"),
    "sharding": ("sharding {v}", "Aufteilung {v}"),
    "lora_rank": ("rank {v}", "Rang {v}"),
    "weight_precision": ("weights in {v}", "Gewichte in {v}"),
    "compute_precision": ("computing in {v}", "Rechnung in {v}"),
    "master_weights": ("{v}", "{v}"),
    "attention": ("attention {v}", "Attention {v}"),
    "loss": ("{v} loss", "{v} Loss"),
    "resolution": ("image size {v}", "Bildgröße {v}"),
    "accelerator_count": ("{v} card(s)", "{v} Karte(n)"),
    "accelerator": ("{v}", "{v}"),
    "model": ("{v}", "{v}"),
    "interconnect": ("link {v}", "Verbindung {v}"),
    "network": ("network {v}", "Netz {v}"),
    "dataset_tokens": ("{v} tokens", "{v} Token"),
    "tokens_per_example": ("{v} tokens per example", "{v} Token je Beispiel"),
    "epochs": ("epochs: {v}", "Epochen: {v}"),
    "packing": ("packing {v}", "Packing {v}"),
    "offload": ("offload {v}", "Auslagerung {v}"),
    "framework": ("framework {v}", "Framework {v}"),
}
"""How a job argument is said with its value."""

VALUES: dict[object, Pair] = {
    True: ("on", "an"),
    False: ("off", "aus"),
    "none": ("off", "aus"),
    "full": ("on", "an"),
    "fsdp": ("FSDP", "FSDP"),
    "zero1": ("ZeRO-1", "ZeRO-1"),
    "zero2": ("ZeRO-2", "ZeRO-2"),
    "zero3": ("ZeRO-3", "ZeRO-3"),
    "ddp": ("DDP", "DDP"),
    "fused": ("fused", "fusionierter"),
    "chunked": ("chunked", "gestückelter"),
    "standard": ("standard", "gewöhnlicher"),
    "hybrid": ("hybrid sharding", "hybride Aufteilung"),
}
