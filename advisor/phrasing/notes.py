"""What an expert adds unasked: the one or two facts that decide a job of this kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.phrasing.traits import (
    ADAPTERS,
    LARGE_SHARE,
    SHARDED,
    count,
    kind,
    link,
    method,
    objective,
    oversized,
    sharding,
    share,
    small,
    wanted,
)
from advisor.phrasing.view import View
from advisor.phrasing.words import Pair, say
from tools.units import count_text, gib_text


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence, and when it is worth saying."""

    name: str
    applies: Callable[[View], bool]
    text: Pair


NOTES: tuple[Note, ...] = (
    Note(
        "experts",
        lambda view: int(view.architecture.get("num_experts") or 0) > 0 or kind(view) == "moe",
        (
            "All experts have to be loaded: the total parameters ({total}) count for memory, not only the active ones.",
            "Alle Experten müssen geladen sein: Für den Speicher zählen die Gesamtparameter ({total}), nicht nur die aktiven.",
        ),
    ),
    Note(
        "offload",
        lambda view: view.reading is not None and bool(view.reading.job.get("offload")),
        (
            "Offloading moves this to the host: about {host} of RAM, over PCIe and therefore slow.",
            "Das Auslagern verschiebt den Bedarf auf den Host: rund {host} Arbeitsspeicher, über PCIe und deshalb langsam.",
        ),
    ),
    Note(
        "copies",
        lambda view: count(view) > 1 and sharding(view) not in SHARDED,
        (
            "Memory of several cards does not add up by itself: under DDP each card holds a full copy. "
            "FSDP or ZeRO-3 split weights, gradients and optimizer states over the cards.",
            "Der Speicher mehrerer Karten addiert sich nicht von selbst: Unter DDP hält jede Karte eine volle Kopie. "
            "Erst FSDP oder ZeRO-3 verteilen Gewichte, Gradienten und Optimizer-Zustände.",
        ),
    ),
    Note(
        "quantised_shards",
        lambda view: count(view) > 1 and method(view) == "qlora",
        (
            "For QLoRA over several cards use FSDP: ZeRO-3 does not split bitsandbytes 4-bit weights in the common stacks.",
            "Für QLoRA über mehrere Karten FSDP nehmen: ZeRO-3 teilt 4-Bit-Gewichte von bitsandbytes in den üblichen Stacks nicht auf.",
        ),
    ),
    Note(
        "zero2",
        lambda view: count(view) > 1 and sharding(view) in ("zero1", "zero2"),
        (
            "ZeRO-1 and ZeRO-2 leave the weights whole on each card; ZeRO-3 or FSDP split them as well.",
            "ZeRO-1 und ZeRO-2 lassen die Gewichte auf jeder Karte ganz; erst ZeRO-3 oder FSDP verteilen auch sie.",
        ),
    ),
    Note(
        "pcie",
        lambda view: count(view) > 1 and link(view) in ("pcie", "none") and method(view) not in ADAPTERS,
        (
            "Without NVLink the shards travel over PCIe, which becomes the bottleneck: it runs, but slower.",
            "Ohne NVLink laufen die Anteile über PCIe, das wird zum Engpass: Es geht, aber langsamer.",
        ),
    ),
    Note(
        "one_card_link",
        lambda view: wanted(view, "interconnect") and count(view) == 1,
        (
            "On one card NVLink does nothing; it matters once FSDP or ZeRO-3 move weights between cards, where PCIe becomes the "
            "bottleneck.",
            "Auf einer einzelnen Karte bringt NVLink nichts; wichtig wird es, wenn FSDP oder ZeRO-3 Gewichte zwischen Karten bewegen, "
            "dann bremst PCIe.",
        ),
    ),
    Note(
        "adapter_link",
        lambda view: wanted(view, "interconnect", "single_vs_multi") and method(view) in ADAPTERS and sharding(view) not in SHARDED,
        (
            "With DDP only the small adapter gradients travel between the cards, so PCIe is fast enough.",
            "Bei DDP wandern nur die kleinen Adapter-Gradienten zwischen den Karten, dafür genügt PCIe.",
        ),
    ),
    Note(
        "nodes",
        lambda view: (view.reading is not None and int(view.reading.job.get("nodes") or 1) > 1) or count(view) > 8,
        (
            "Between nodes this needs a fast network (InfiniBand, RoCE or EFA); ask for Gbit/s per node and run nccl-tests. Over plain "
            "Ethernet prefer one node, or hybrid sharding.",
            "Zwischen den Knoten braucht es ein schnelles Netz (InfiniBand, RoCE oder EFA); Gbit/s je Knoten erfragen, nccl-tests laufen "
            "lassen. Bei einfachem Ethernet lieber ein Knoten oder hybride Aufteilung.",
        ),
    ),
    Note(
        "reference",
        lambda view: "dpo" in objective(view) or "kto" in objective(view),
        (
            "DPO scores chosen and rejected answers, so activations double. The reference model is the base with the adapter switched "
            "off; without an adapter it is a second copy, unless its log-probabilities are precomputed (precompute_ref_log_probs).",
            "DPO bewertet die bevorzugte und die abgelehnte Antwort, die Aktivierungen verdoppeln sich also. Referenzmodell ist die Basis "
            "mit abgeschaltetem Adapter; ohne Adapter eine zweite Kopie, außer mit vorab berechneten Werten (precompute_ref_log_probs).",
        ),
    ),
    Note(
        "rollouts",
        lambda view: bool(objective(view) & {"grpo", "ppo"}),
        (
            "Rollouts need their own share: vLLM on the same cards takes weights and KV cache up to its gpu_memory_utilization, and only "
            "the rest is left for training. Lower it, put it to sleep between phases, or generate on a separate card.",
            "Die Rollouts brauchen einen eigenen Anteil: vLLM auf denselben Karten belegt Gewichte und KV-Cache bis zur eingestellten "
            "gpu_memory_utilization, nur der Rest bleibt fürs Training. Wert senken, vLLM zwischendurch schlafen legen oder eigene Karte.",
        ),
    ),
    Note(
        "no_bf16",
        lambda view: (
            view.card.get("supports_bf16") is False and view.card.get("vendor") == "nvidia" and view.u.slots.accelerator is not None
        ),
        (
            "{card} has no bf16 units and no FlashAttention-2: train in fp16 with loss scaling and sdpa attention; models that overflow in "
            "fp16 (Gemma, T5) need fp32 or a card from Ampere on.",
            "Die {card} hat keine bf16-Einheiten und kein FlashAttention-2: mit fp16, Loss Scaling und sdpa trainieren; Modelle, die in "
            "fp16 überlaufen (Gemma, T5), brauchen fp32 oder eine Karte ab Ampere.",
        ),
    ),
    Note(
        "rocm",
        lambda view: view.card.get("vendor") == "amd",
        (
            "AMD cards need ROCm builds of PyTorch, flash-attn and bitsandbytes; check the versions before renting.",
            "AMD-Karten brauchen ROCm-Builds von PyTorch, flash-attn und bitsandbytes; die Versionen vor der Miete prüfen.",
        ),
    ),
    Note(
        "blackwell",
        lambda view: (
            str(view.card.get("architecture", "")).lower().startswith("blackwell")
            and wanted(view, "environment", "precision", "gpu_choice")
        ),
        (
            "Blackwell needs a PyTorch built for CUDA 12.8 or later and a matching driver on the host.",
            "Blackwell braucht ein PyTorch für CUDA 12.8 oder neuer und einen passenden Treiber auf dem Host.",
        ),
    ),
    Note(
        "shards",
        lambda view: count(view) > 1 and sharding(view) in ("zero3", "fsdp", "hybrid"),
        (
            "Memory of several cards does not add up by itself: FSDP and ZeRO-3 split weights, gradients and optimizer states, while "
            "activations and logits stay whole on each card.",
            "Der Speicher mehrerer Karten addiert sich nicht von selbst: FSDP und ZeRO-3 verteilen Gewichte, Gradienten und "
            "Optimizer-Zustände, Aktivierungen und Logits bleiben auf jeder Karte ganz.",
        ),
    ),
    Note(
        "cached_encoders",
        lambda view: kind(view) == "diffusion",
        (
            "Cache text-encoder outputs and latents beforehand, so that only the denoiser sits on the card.",
            "Ausgaben der Text-Encoder und Latents vorab zwischenspeichern (Cache), dann liegt nur der Denoiser auf der Karte.",
        ),
    ),
    Note(
        "images",
        lambda view: kind(view) == "vlm",
        (
            "Image tokens count as context: cap the image resolution (max_pixels).",
            "Bildtoken zählen zum Kontext: die Bildauflösung begrenzen (max_pixels).",
        ),
    ),
    Note(
        "logits",
        lambda view: share(view, "logits") >= LARGE_SHARE,
        (
            "The logits (vocabulary × tokens) take {logits}; a fused or chunked loss such as Liger removes most of that.",
            "Die Logits (Vokabular × Token) belegen {logits}; ein fusionierter oder gestückelter Loss wie Liger spart das meiste davon.",
        ),
    ),
    Note(
        "activations",
        lambda view: share(view, "activations") >= LARGE_SHARE,
        (
            "Activations ({activations}) grow with context × batch, and adapters do not shrink them: gradient checkpointing, a fused loss, "
            "or sequence parallelism over several cards does.",
            "Die Aktivierungen ({activations}) wachsen mit Kontext × Batch, und Adapter verkleinern sie nicht: das tun Gradient "
            "Checkpointing, ein fusionierter Loss (Liger) oder Sequenzparallelität über mehrere Karten.",
        ),
    ),
    Note(
        "states",
        lambda view: method(view) == "full" and share(view, "optimizer_states") >= LARGE_SHARE and not small(view),
        (
            "The optimizer states ({states}) are what full training costs: an 8-bit optimizer or LoRA cuts, FSDP or ZeRO-3 splits them.",
            "Die Optimizer-Zustände ({states}) machen volles Training teuer: Ein 8-Bit-Optimizer oder LoRA senkt sie, FSDP oder ZeRO-3 "
            "verteilt sie.",
        ),
    ),
    Note(
        "small",
        lambda view: small(view) and view.reading is not None and not view.reading.verdict.accelerator,
        (
            "A small job: a consumer or older card is enough, and a data centre card would be overkill.",
            "Ein kleiner Job: Eine Consumer- oder ältere Karte genügt, eine Rechenzentrumskarte wäre überdimensioniert.",
        ),
    ),
    Note(
        "oversized",
        oversized,
        (
            "The card is oversized for this: a smaller or older one does it for less.",
            "Die Karte ist dafür überdimensioniert: eine kleinere oder ältere kann das günstiger.",
        ),
    ),
)
"""Most decisive first."""


SAID_BY: dict[str, tuple[str, ...]] = {"summed_cards": ("copies", "shards"), "active_parameters": ("experts",)}
"""Notes that putting a premise right has said already."""
MEMORY_NOTES = frozenset({"logits", "activations", "states", "shards"})


def notes(view: View, limit: int) -> list[str]:
    """The notes that apply, most decisive first."""
    names = _values(view)
    return [say(note.text, view.language, **names) if "{" in note.text[0] else say(note.text, view.language) for note in applying(view)][
        :limit
    ]


def applying(view: View) -> list[Note]:
    """Notes whose condition holds; those on single parts of the peak only where memory is the question."""
    aside = MEMORY_NOTES if view.u.intent in ("interconnect", "precision", "environment", "cost", "time") else frozenset()
    said = {name for premise in view.u.false_premises for name in SAID_BY.get(premise, ())}
    return [note for note in NOTES if note.name not in aside | said and note.applies(view)]


def _values(view: View) -> dict[str, str]:
    found = {"card": str(view.card.get("accelerator", "")), "total": "", "logits": "", "activations": "", "states": "", "host": ""}
    if view.reading is not None:
        estimate, language = view.reading.estimate, view.language
        found |= {
            "total": count_text(estimate.total_parameters, language),
            "logits": gib_text(estimate.parts.get("logits", 0), language),
            "activations": gib_text(estimate.parts.get("activations", 0), language),
            "states": gib_text(estimate.parts.get("optimizer_states", 0), language),
            "host": gib_text(estimate.host_ram_bytes.expected, language),
        }
    return found
