"""What a conversation has stated: names and values of the contract, nothing that was not said."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from tools.base import Value

Intent = Literal[
    "memory_estimate",
    "fit_check",
    "oom_debug",
    "gpu_choice",
    "single_vs_multi",
    "spot",
    "storage",
    "billing",
    "precision",
    "interconnect",
    "cost",
    "time",
    "environment",
    "compare",
    "general",
    "out_of_scope",
]
Route = Literal["answer", "ask_back", "refuse", "refuse_instruction", "out_of_scope"]

Text = str | list[str]
Count = int | list[int]
Real = float | list[float]


class Slots(Value):
    """Values as the user said them, names canonical; a list where several were named; None where nothing was said."""

    model: Text | None = None
    """Canonical model id, or the words of the user where the registry does not know it."""
    parameters_billion: Real | None = None
    """Total parameters in 1e9, where a size was said."""
    active_parameters_billion: Real | None = None
    """Active parameters in 1e9, where said (`A3B`)."""
    method: Text | None = None
    """Contract word: full, lora, qlora, ..."""
    objective: Text | None = None
    """Contract word: sft, dpo, ..."""
    precision: Text | None = None
    """Contract word: bf16, fp16, fp8, ..."""
    quantization: Text | None = None
    """nf4, int4, int8, ... where quantised weights were said."""
    accelerator: Text | None = None
    """Canonical accelerator id, or the user's own words where the name is ambiguous (`A100`)."""
    accelerator_count: Count | None = None
    """Total over all nodes."""
    nodes: Count | None = None
    """Machines."""
    vram_gib: Real | None = None
    """Memory per card, where said as such."""
    host_ram_gib: Real | None = None
    """Host memory."""
    sharding: Text | None = None
    """Contract word: ddp, zero3, fsdp, ..."""
    interconnect: Text | None = None
    """Contract word: nvlink, pcie, ..."""
    network: Text | None = None
    """Contract word: infiniband, ethernet, ..."""
    sequence_length: Count | None = None
    """Tokens."""
    micro_batch_size: Count | None = None
    """Samples per card."""
    gradient_accumulation_steps: Count | None = None
    """Micro-steps."""
    global_batch_size: Count | None = None
    """Samples per optimizer step."""
    activation_checkpointing: bool | str | None = None
    """none, selective, full; True where only `gradient checkpointing` was said."""
    resume: bool | None = None
    """Whether saving and resuming works; False where the user says it does not."""
    optimizer: Text | None = None
    """Hugging Face optim name."""
    lora_rank: Count | None = None
    """Rank."""
    lora_alpha: Real | None = None
    """Alpha."""
    resolution: Text | None = None
    """Pixels."""
    dataset_examples: Count | None = None
    """Examples."""
    tokens_per_example: Real | None = None
    """Mean tokens per example."""
    dataset_tokens: Count | None = None
    """Tokens."""
    dataset_hours: Real | None = None
    """Hours of audio."""
    epochs: Real | None = None
    """Passes."""
    provider: Text | None = None
    """Provider id, or the user's words where unknown."""
    region: Text | None = None
    """Region, country code, or EU."""
    pricing_term: Text | None = None
    """on_demand, spot, reserved."""
    features: list[str] | None = None
    """What the provider must offer."""
    budget: Real | None = None
    """Money for the run, in `currency`."""
    price_per_hour: Real | None = None
    """The user's own price."""
    currency: str | None = None
    """ISO code."""
    deadline: str | float | None = None
    """Hours until it must be done, or the words where no number of hours follows from them."""
    hours: Real | None = None
    """Hours of a run as stated."""
    runs: Count | None = None
    """Experiments."""
    run_minutes: Real | None = None
    """Minutes of one run."""
    runs_per_month: Count | None = None
    """Runs a month."""
    interruptions: Real | None = None
    """Interruptions expected."""
    checkpoint_interval_minutes: Real | None = None
    """Minutes between checkpoints."""
    restart_minutes: Real | None = None
    """Minutes to restart."""
    seconds_per_step: Real | None = None
    """Measured step time."""
    save_steps: Count | None = None
    """Steps between saves."""
    storage_gib: Real | None = None
    """Size of disk or data set."""
    egress_gib: Real | None = None
    """Size of what leaves the cloud."""
    framework: Text | None = None
    """Contract word, or the user's."""
    cuda: str | None = None
    """CUDA version."""
    attention: str | None = None
    """Contract word: flash, sdpa, eager; only where set exactly (`/set`), as the four below."""
    loss: str | None = None
    """Contract word: standard, chunked, fused."""
    double_quantization: bool | None = None
    """Whether the constants of nf4 are quantised too."""
    kbit_preparation: bool | None = None
    """Whether the preparation for k-bit training casts what stays unquantised to fp32."""
    lora_target_modules: str | list[str] | None = None
    """`all-linear`, or names of modules."""

    def stated(self) -> dict[str, Any]:
        """Only what was said."""
        return {name: _plain(value) for name, value in self.model_dump(exclude_none=True).items()}


class Understanding(Value):
    """One reading of a conversation: a pure fold over the user's turns."""

    slots: Slots
    """What all turns together state."""
    intent: Intent
    """What the last turn asks."""
    language: Literal["en", "de"]
    """Language of the answer."""
    question_language: str = "en"
    """ISO code of the last turn's language, as far as told."""
    refusal: Route | None = None
    """refuse, refuse_instruction or out_of_scope, where the last turn must not be answered; slots then stay as before."""
    changed: frozenset[str] = Field(default=frozenset())
    """Slots the last turn set, replaced or removed."""
    unknown_names: dict[str, list[str]] = {}
    """Names nobody knows -> did-you-mean."""
    false_premises: list[str] = []
    """Ids of wrong beliefs the last turn states (`summed_cards`, `wrong_memory_size`, ...)."""
    topics: frozenset[str] = Field(default=frozenset())
    """Guide topics the last turn touches, for retrieval and policy."""
    pasted_log: bool = False
    """Whether the last turn carries a log, an error or a configuration."""


def _plain(value: Any) -> Any:
    """Whole numbers without a decimal point, as they were written."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value
