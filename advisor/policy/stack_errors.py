"""Errors of the software stack: their marks, and what they mean."""

from __future__ import annotations

import re

from advisor.phrasing.words import Pair

STACK: tuple[tuple[str, re.Pattern[str], Pair], ...] = (
    (
        "no_kernel_image",
        re.compile(r"no kernel image is available|sm_\d+ is not compatible", re.IGNORECASE),
        (
            "**The PyTorch build is too old for this card:** it holds no kernels for its generation. Blackwell needs a build for CUDA "
            "12.8 or "
            "later (cu128); replace torch, and with it bitsandbytes and flash-attn, or take an image that has them. The driver is not "
            "at fault.",
            "**Der PyTorch-Build ist zu alt für diese Karte:** Er enthält keine Kernel für ihre Generation. Blackwell braucht einen "
            "Build für "
            "CUDA 12.8 oder neuer (cu128); torch und damit bitsandbytes und flash-attn tauschen oder ein passendes Image nehmen. Am "
            "Treiber "
            "liegt es nicht.",
        ),
    ),
    (
        "old_driver",
        re.compile(r"driver (?:on your system |version )?is (?:too old|insufficient)|treiber\b.{0,30}\bzu alt", re.IGNORECASE),
        (
            "**The host's driver is too old for the image:** the driver belongs to the host and is passed into the container, so it "
            "cannot be "
            "updated there. Choose a host whose driver supports the CUDA version, or a torch build for an older CUDA; then pin the image.",
            "**Der Treiber des Hosts ist zu alt für das Image:** Er gehört dem Host und wird in den Container durchgereicht, dort lässt "
            "er sich "
            "nicht erneuern. Einen Host wählen, dessen Treiber die CUDA-Version unterstützt, oder einen torch-Build für älteres CUDA; "
            "dann das "
            "Image festhalten.",
        ),
    ),
    (
        "binary_mismatch",
        re.compile(r"undefined symbol|symbol not found|\.so: cannot open|libbitsandbytes\w*\.so", re.IGNORECASE),
        (
            "**A compiled extension does not match the installed versions:** flash-attn, bitsandbytes and their like are built for one "
            "torch, "
            "CUDA, Python and C++ ABI. Install the wheel for exactly these, or go back to the old torch; until then sdpa replaces "
            "FlashAttention. Pin versions in a Docker image so that it cannot happen between two runs.",
            "**Eine kompilierte Erweiterung passt nicht zu den installierten Versionen:** flash-attn, bitsandbytes und ähnliche sind "
            "für genau "
            "ein torch, CUDA, Python und C++-ABI gebaut. Das passende Wheel installieren oder zum alten torch zurück; bis dahin ersetzt "
            "sdpa "
            "FlashAttention. Versionen in einem Docker-Image festhalten, dann passiert es zwischen zwei Läufen nicht.",
        ),
    ),
    (
        "attention_dtype",
        re.compile(r"flash ?attention.{0,30}only supports? (?:fp16|bf16|float16).{0,30}(?:data type|dtype)", re.IGNORECASE),
        (
            "**The dtype is the fault, not the card:** FlashAttention takes fp16 or bf16, and the weights or upcast norms are fp32. "
            "Load with "
            "dtype bfloat16 and train with bf16=True (fp16 on cards without bf16), or use sdpa.",
            "**Der Datentyp ist schuld, nicht die Karte:** FlashAttention nimmt fp16 oder bf16, die Gewichte oder hochgestuften Normen "
            "sind "
            "aber fp32. Mit dtype bfloat16 laden und mit bf16=True trainieren (fp16 auf Karten ohne bf16) oder sdpa nehmen.",
        ),
    ),
    (
        "attention_card",
        re.compile(r"flash[ _-]?att\w*.{0,60}(?:ampere|compute capability|sm_?80)|ampere.{0,60}flash[ _-]?att", re.IGNORECASE | re.DOTALL),
        (
            "**FlashAttention-2 needs Ampere or newer; it also runs without:** switch it off and use sdpa attention, with fp16 instead "
            "of bf16 "
            "on older cards. That is slower, but no reason to change the card while memory suffices.",
            "**FlashAttention-2 gibt es erst ab Ampere; es geht auch ohne:** abschalten und sdpa-Attention nehmen, auf älteren Karten "
            "mit fp16 "
            "statt bf16. Das ist langsamer, aber kein Grund für eine andere Karte, solange der Speicher reicht.",
        ),
    ),
    (
        "nan_loss",
        re.compile(r"\bloss\b.{0,20}\bnan\b|\bnan\b.{0,20}\bloss\b", re.IGNORECASE),
        (
            "**A loss of NaN in fp16 is mostly overflow:** models trained in bf16 (Gemma, T5, Qwen and others) leave the range of fp16. "
            "Change "
            "the setting first (fp32 or bf16 instead of fp16); without bf16 units take a card from Ampere on.",
            "**NaN im Loss bei fp16 ist meist Überlauf:** In bf16 trainierte Modelle (Gemma, T5, Qwen und andere) verlassen den Bereich "
            "von "
            "fp16. Zuerst die Einstellung ändern (fp32 oder bf16 statt fp16); ohne bf16-Einheiten eine Karte ab Ampere nehmen.",
        ),
    ),
    (
        "emulated_bf16",
        re.compile(r"is_bf16_supported|doesn't support bf16|bf16/gpu", re.IGNORECASE),
        (
            "**bf16 is only emulated there:** newer PyTorch counts emulation as support, and the maths then runs without tensor cores. Use "
            "fp16 (compute dtype float16, loss scaling), or a card from Ampere on.",
            "**bf16 ist dort nur emuliert:** Neueres PyTorch zählt Emulation als Unterstützung, gerechnet wird dann ohne Tensorkerne. fp16 "
            "nehmen (Compute-Dtype float16, Loss Scaling) oder eine Karte ab Ampere.",
        ),
    ),
)
"""(name, mark, what to say), the most certain first."""


def stack_error(text: str) -> list[tuple[str, Pair]]:
    """(name, what to say) of the first error of the stack that a text shows."""
    return [(name, said) for name, mark, said in STACK if mark.search(text)][:1]
