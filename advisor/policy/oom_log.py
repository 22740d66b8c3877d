"""What a pasted error says: which memory ran out, when, and the figures of the line."""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.phrasing.words import Pair

GAP = 0.15
"""Reserved but unallocated memory counts as fragmentation from this share of the card on."""

_SIZE = r"(\d+(?:\.\d+)?) ?(GiB|MiB|GB|MB)"
_FIELDS = {
    "tried": re.compile(rf"[Tt]ried to allocate {_SIZE}"),
    "total": re.compile(rf"total capacity of {_SIZE}|{_SIZE} total capacity"),
    "allocated": re.compile(rf"{_SIZE} (?:is )?(?:already )?allocated"),
    "reserved": re.compile(rf"{_SIZE} (?:is )?reserved(?: in total)?(?! by PyTorch but unallocated)"),
    "unallocated": re.compile(rf"{_SIZE} is reserved by PyTorch but unallocated"),
    "own": re.compile(rf"this process has {_SIZE} memory in use"),
    "other": re.compile(rf"[Pp]rocess \d+ has {_SIZE} memory in use"),
}


@dataclass(frozen=True, slots=True)
class Cause:
    """A kind of failure: its mark in an error, and what to say of it. Order in `CAUSES` is precedence."""

    name: str
    mark: re.Pattern[str]
    text: Pair


def _mark(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


FRAGMENTED: Pair = (
    "**Fragmentation, not size:** PyTorch has reserved far more than it has allocated, so the free memory lies in pieces. Set "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True and group samples by length (or pack them to one length).",
    "**Fragmentierung, nicht Größe:** PyTorch hat weit mehr reserviert als belegt, der freie Speicher liegt also in Stücken. "
    "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True setzen und die Beispiele nach Länge gruppieren (oder auf eine Länge packen).",
)
OTHER_PROCESS: Pair = (
    "**Another process holds the card:** most of the memory belongs to a different process, not to your run. Find it with nvidia-smi "
    "(an old notebook kernel, an inference server) and end it; a smaller batch or a larger card is not the remedy.",
    "**Ein anderer Prozess belegt die Karte:** Der größte Teil des Speichers gehört nicht zu Ihrem Lauf. Mit nvidia-smi suchen (alter "
    "Notebook-Kernel, Inferenzserver) und beenden; ein kleinerer Batch oder eine größere Karte ist nicht die Lösung.",
)

CAUSES: tuple[Cause, ...] = (
    Cause(
        "host_ram",
        _mark(
            r"(?:exit ?code|return code|exitcode|code)\W{0,6}-9\b|\bsigkill|\boom-?killer|^\s*killed\b|exit(?:ed)? (?:code|with) 137|"
            r"signal 9"
        ),
        (
            "**Host RAM ran out, not GPU memory:** -9 is the kernel ending a process. Loading one copy per rank and CPU offload are the "
            "usual "
            "reasons: load on rank 0 only (meta device, low_cpu_mem_usage), offload less, or rent more RAM.",
            "**Der Arbeitsspeicher (Host-RAM) war voll, nicht die GPU:** -9 heißt, dass der Kernel den Prozess beendet hat. Üblich sind "
            "eine "
            "Kopie je Rank beim Laden und CPU-Offload: nur auf Rank 0 laden (meta device, low_cpu_mem_usage), weniger auslagern oder "
            "mehr RAM mieten.",
        ),
    ),
    Cause(
        "shared_memory",
        _mark(r"bus error|shared memory|/dev/shm|\bshm\b"),
        (
            "**Shared memory of the container ran out, not GPU memory:** Docker gives /dev/shm little by default. Start with a larger "
            "--shm-size or --ipc=host; where that is not possible, num_workers=0 in the DataLoader.",
            "**Der gemeinsame Speicher des Containers war voll, nicht die GPU:** Docker gibt /dev/shm von Haus aus wenig. Mit größerem "
            "--shm-size oder --ipc=host starten; wo das nicht geht, num_workers=0 im DataLoader.",
        ),
    ),
    Cause(
        "disk",
        _mark(r"no space left on device|disk quota exceeded"),
        (
            "**The disk is full:** a checkpoint to resume from holds weights, fp32 master copies and optimizer states, several times the "
            "model's size, and old and new one lie there together. Keep fewer (save_total_limit) or attach a larger volume.",
            "**Die Platte ist voll:** Ein Checkpoint zum Fortsetzen enthält Gewichte, fp32-Masterkopien und Optimizer-Zustände, ein "
            "Mehrfaches "
            "des Modells, und alter und neuer liegen zugleich da. Weniger behalten (save_total_limit) oder ein größeres Volume.",
        ),
    ),
    Cause(
        "saving",
        _mark(
            r"full_state_dict|state_dict_type|save_checkpoint|saving (?:model )?checkpoint|beim (?:speichern|checkpoint)|_save_|when saving"
        ),
        (
            "**It dies while saving:** a full state dict gathers all weights on rank 0. Save sharded (SHARDED_STATE_DICT), or full with "
            "offload_to_cpu and rank0_only; the training itself fits.",
            "**Es bricht beim Speichern ab:** Ein voller State-Dict sammelt alle Gewichte auf Rank 0. Verteilt speichern "
            "(SHARDED_STATE_DICT) "
            "oder voll mit offload_to_cpu und rank0_only; das Training selbst passt.",
        ),
    ),
    Cause(
        "evaluation",
        _mark(
            r"\beval(?:uation|uate|uieren|_)?\b|validation|validierung|auswert|compute_metrics|torch_pad_and_concatenate|prediction_step"
        ),
        (
            "**Evaluation has its own peak:** the Trainer collects the logits of the whole evaluation set on the GPU (length × "
            "vocabulary), "
            "and generation or rendering loads further parts. Use preprocess_logits_for_metrics or prediction_loss_only, "
            "eval_accumulation_steps and an evaluation batch of one; offload, or validate in a separate run.",
            "**Die Evaluation hat ihre eigene Spitze:** Der Trainer sammelt die Logits des ganzen Eval-Satzes auf der GPU (Länge × "
            "Vokabular), "
            "und Generieren oder Rendern lädt weitere Teile. Hilfe: preprocess_logits_for_metrics oder prediction_loss_only, "
            "eval_accumulation_steps, Eval-Batch eins; auslagern oder in einem eigenen Lauf validieren.",
        ),
    ),
    Cause(
        "trained_embeddings",
        _mark(r"modules_to_save|resize_token_embeddings|special tokens?|embed_tokens|lm_head"),
        (
            "**Trained embeddings are large:** modules_to_save trains whole copies of embedding and head, with gradients and optimizer "
            "states, "
            "not just the new rows. Train only those (PEFT trainable_token_indices), or quantise the base.",
            "**Trainierte Embeddings sind groß:** modules_to_save trainiert ganze Kopien von Embedding und Kopf samt Gradienten und "
            "Optimizer-Zuständen, nicht nur die neuen Zeilen. Nur diese trainieren (PEFT trainable_token_indices) oder Basis quantisieren.",
        ),
    ),
    Cause(
        "image_size",
        _mark(r"max_pixels|image_max|vision tower|pixel_values"),
        (
            "**The images are too large:** image tokens count as context, and the vision tower sees even more patches. Lower the image "
            "resolution (max_pixels) first.",
            "**Die Bilder sind zu groß:** Bildtoken zählen zum Kontext, und der Bildturm sieht noch mehr Patches. Zuerst die Bildauflösung "
            "(max_pixels) senken.",
        ),
    ),
    Cause(
        "late",
        _mark(
            r"(?:step|schritt)\s+\d{3,}|after (?:several |\d+ ?)(?:hours|h\b|steps)|nach (?:\d+ )?(?:stunden|schritten)|"
            r"random(?:ly)? (?:step|crash)"
        ),
        (
            "**A late crash points to long samples:** without padding a batch is as long as its longest sample, and memory follows it. "
            "Truncate or filter outliers, group by length, and test with the longest batch first.",
            "**Ein später Abbruch deutet auf lange Beispiele:** Ohne Padding ist ein Batch so lang wie sein längstes Beispiel, und der "
            "Speicher folgt ihm. Ausreißer kürzen oder filtern, nach Länge gruppieren und zuerst mit dem längsten Batch testen.",
        ),
    ),
)


def diagnosis(text: str) -> list[tuple[str, Pair]]:
    """(name, what to say) of every cause an error shows, the most certain first; empty where it shows none."""
    fields = figures(text)
    found: list[tuple[str, Pair]] = []
    if fields.get("other", 0) > max(fields.get("own", 0), fields.get("allocated", 0)):
        found.append(("other_process", OTHER_PROCESS))
    gap = max(fields.get("unallocated", 0), fields.get("reserved", 0) - fields.get("allocated", fields.get("reserved", 0)))
    if gap > GAP * fields.get("total", float("inf")) and gap > fields.get("tried", 0):
        found.append(("fragmentation", FRAGMENTED))
    found += [(cause.name, cause.text) for cause in CAUSES if cause.mark.search(text)]
    return found[:2]


def figures(text: str) -> dict[str, float]:
    """Sizes of an out-of-memory line in GiB, by their name in `_FIELDS`."""
    found = {}
    for name, pattern in _FIELDS.items():
        match = pattern.search(text)
        if match:
            number, unit = [group for group in match.groups() if group][:2]
            found[name] = float(number) / (1024 if unit.startswith("M") else 1)
    return found
