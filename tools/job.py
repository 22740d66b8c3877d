"""A fine-tuning job: as asked (`JobArguments`, everything optional) and as resolved (`FineTuneJob`, everything known)."""

from __future__ import annotations

from typing import Any, Self

from pydantic import Field, field_validator, model_validator

from tools.accelerator import Accelerator
from tools.architecture import ModelArchitecture
from tools.base import Value
from tools.errors import InvalidJob
from tools.estimate import Assumption
from tools.terms import (
    ActivationCheckpointing,
    Attention,
    Framework,
    Interconnect,
    Kernel,
    Loss,
    Network,
    Objective,
    Offload,
    Precision,
    Sharding,
)
from tools.units import parse_count

MAX_SEQUENCE_LENGTH = 16_777_216
MAX_ACCELERATORS = 65_536
MAX_PARAMETERS_BILLION = 20_000

RANKED_METHODS = frozenset({"lora", "dora", "qlora", "adalora", "lokr", "loha", "oft", "boft", "vera", "pissa", "rslora"})
"""Methods that may carry a `lora_rank`; other PEFT names may, full and its relatives may not."""

UNRANKED_METHODS = frozenset({"full", "freeze", "bitfit", "ln_tuning", "ia3", "lisa", "llamapro", "controlnet"})
"""Methods for which a rank is a contradiction."""


class JobArguments(Value):
    """What a caller says of a job. Only the model is needed; what is left out is assumed and said."""

    model: str | None = Field(default=None, max_length=200)
    """Name, Hugging Face id, alias, or only a size such as `7B`."""
    model_config_object: dict[str, Any] | None = Field(default=None, alias="model_config")
    """The object of a Hugging Face `config.json`, instead of a name."""
    parameters_billion: float | None = Field(default=None, gt=0, le=MAX_PARAMETERS_BILLION)
    """Total parameters in 1e9, used where the name is unknown."""
    active_parameters_billion: float | None = Field(default=None, gt=0, le=MAX_PARAMETERS_BILLION)
    """Parameters one token uses in 1e9 (MoE), used where the name is unknown."""
    method: str | None = Field(default=None, max_length=40)
    """full, freeze, lora, dora, qlora, adapter, ia3, prefix, prompt, p_tuning, bitfit, or another PEFT type in lower case."""
    objective: Objective | None = None
    """sft, cpt, dpo, orpo, kto, reward, ppo or grpo."""
    weight_precision: Precision | None = None
    """Storage of the base weights."""
    compute_precision: Precision | None = None
    """Precision of the matrix products."""
    master_weights: bool | None = None
    """Whether the optimizer holds fp32 copies of 16-bit weights."""
    optimizer: str | None = Field(default=None, max_length=60)
    """Hugging Face `optim` name (adamw_torch, adamw_bnb_8bit, paged_adamw_8bit, adafactor, ...), lion, muon, lomo."""
    optimizer_state_precision: Precision | None = None
    """Precision of the optimizer states, where not the optimizer's own."""
    optimizer_in_backward: bool | None = None
    """Step fused into the backward pass, so that no full gradient is held."""
    kbit_preparation: bool | None = None
    """PEFT's preparation of a quantised base: embeddings, norms and head cast to fp32."""
    double_quantization: bool | None = None
    """Second quantisation of the 4-bit constants."""
    lora_rank: int | None = Field(default=None, ge=1, le=65_536)
    """Rank of the adapter."""
    lora_target_modules: str | list[str] | None = None
    """`all-linear` or a list of module names."""
    modules_to_save: list[str] | None = None
    """Modules trained in full beside the adapter, e.g. `embed_tokens`, `lm_head`."""
    sequence_length: int | None = Field(default=None, ge=1, le=MAX_SEQUENCE_LENGTH)
    """Longest sample in tokens."""
    micro_batch_size: int | None = Field(default=None, ge=1, le=1_048_576)
    """Samples per data-parallel replica and micro-step."""
    gradient_accumulation_steps: int | None = Field(default=None, ge=1, le=1_048_576)
    """Micro-steps per optimizer step."""
    global_batch_size: int | None = Field(default=None, ge=1, le=100_000_000)
    """Samples per optimizer step over all replicas."""
    activation_checkpointing: ActivationCheckpointing | None = None
    """none, selective or full."""
    attention: Attention | None = None
    """flash, sdpa or eager."""
    loss: Loss | None = None
    """standard, chunked or fused."""
    kernels: list[Kernel] | None = None
    """Optional kernels in use."""
    offload: list[Offload] | None = None
    """What moves to host memory."""
    resolution: str | None = Field(default=None, max_length=40)
    """Pixels: `1024`, `1024x768`, or frames x height x width as `49x480x720`."""
    accelerator: str | None = Field(default=None, max_length=120)
    """Any alias of a card."""
    accelerator_count: int | None = Field(default=None, ge=1, le=MAX_ACCELERATORS)
    """Total over all nodes."""
    nodes: int | None = Field(default=None, ge=1, le=MAX_ACCELERATORS)
    """Machines."""
    interconnect: Interconnect | None = None
    """Link inside a node."""
    network: Network | None = None
    """Network between nodes."""
    network_gbps: float | None = Field(default=None, gt=0, le=1e6)
    """Gbit/s per node."""
    sharding: Sharding | None = None
    """none, ddp, zero1, zero2, zero3, fsdp or hybrid."""
    tensor_parallel: int | None = Field(default=None, ge=1, le=1024)
    """Cards that share each layer."""
    pipeline_parallel: int | None = Field(default=None, ge=1, le=1024)
    """Stages of layers."""
    context_parallel: int | None = Field(default=None, ge=1, le=1024)
    """Cards that share one sequence."""
    expert_parallel: int | None = Field(default=None, ge=1, le=1024)
    """Cards that share the experts."""
    framework: Framework | None = None
    """The training stack."""
    packing: bool | None = None
    """Several samples in one sequence."""
    dataset_tokens: int | None = Field(default=None, ge=1, le=10**16)
    """Tokens of the data set; `5M` is understood."""
    dataset_examples: int | None = Field(default=None, ge=1, le=10**13)
    """Examples of the data set; `20k` is understood."""
    tokens_per_example: float | None = Field(default=None, gt=0, le=MAX_SEQUENCE_LENGTH)
    """Mean tokens per example."""
    epochs: float | None = Field(default=None, gt=0, le=100_000)
    """Passes over the data."""

    @field_validator("dataset_tokens", "dataset_examples", "sequence_length", mode="before")
    @classmethod
    def _with_suffix(cls, value: object, info: Any) -> object:
        return parse_count(value, binary=info.field_name == "sequence_length") if isinstance(value, str) else value

    @field_validator("method", "optimizer")
    @classmethod
    def _lower(cls, value: str | None) -> str | None:
        return value.strip().lower().replace("-", "_") if value is not None else None

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.method in UNRANKED_METHODS and self.lora_rank is not None:
            raise InvalidJob(
                f"'lora_rank' does not go with method '{self.method}': nothing there has a rank.",
                "Leave out lora_rank, or choose method lora, dora or qlora.",
            )
        if self.nodes and self.accelerator_count and self.accelerator_count % self.nodes:
            raise InvalidJob(
                f"{self.accelerator_count} accelerators do not divide over {self.nodes} nodes.",
                "accelerator_count is the total over all nodes; give a multiple of nodes.",
            )
        return self


class FineTuneJob(Value):
    """A job with nothing left open; `assumptions` lists what nobody said."""

    architecture: ModelArchitecture
    """The network that is tuned."""
    method: str
    """Which weights train."""
    objective: Objective
    """What the loss asks for."""
    weight_precision: Precision
    """Storage of the base weights."""
    compute_precision: Precision
    """Precision of the matrix products."""
    master_weights: bool
    """fp32 copies of 16-bit weights in the optimizer."""
    optimizer: str
    """Canonical optimizer name."""
    optimizer_state_precision: Precision | None
    """Precision of the states where not the optimizer's own."""
    optimizer_in_backward: bool
    """Step fused into the backward pass."""
    kbit_preparation: bool
    """PEFT's preparation of a quantised base."""
    double_quantization: bool
    """Second quantisation of the 4-bit constants."""
    lora_rank: int | None
    """Rank of the adapter, none where the method has none."""
    lora_target_modules: tuple[str, ...]
    """Module names, or (`all-linear`,)."""
    modules_to_save: tuple[str, ...]
    """Modules trained in full beside the adapter."""
    sequence_length: int
    """Longest sample in tokens."""
    micro_batch_size: int
    """Samples per replica and micro-step."""
    gradient_accumulation_steps: int
    """Micro-steps per optimizer step."""
    activation_checkpointing: ActivationCheckpointing
    """What is computed again in the backward pass."""
    attention: Attention
    """The attention kernel."""
    loss: Loss
    """How logits are held."""
    kernels: tuple[Kernel, ...]
    """Optional kernels."""
    offload: tuple[Offload, ...]
    """What moves to host memory."""
    resolution: tuple[int, int, int] | None
    """(frames, height, width) in pixels for images and video."""
    accelerator: Accelerator | None
    """The card; none where the question is which."""
    accelerator_count: int
    """Total over all nodes."""
    nodes: int
    """Machines."""
    interconnect: Interconnect
    """Link inside a node."""
    network: Network
    """Network between nodes."""
    network_gbps: float | None
    """Gbit/s per node; none where unknown."""
    sharding: Sharding
    """How replicas share states."""
    tensor_parallel: int
    """Cards that share each layer."""
    pipeline_parallel: int
    """Stages of layers."""
    context_parallel: int
    """Cards that share one sequence."""
    expert_parallel: int
    """Cards that share the experts."""
    framework: Framework | None
    """The training stack; none where unknown."""
    packing: bool
    """Several samples in one sequence."""
    dataset_tokens: int | None
    """Tokens of one epoch; none where nothing was said of the data."""
    epochs: float
    """Passes over the data."""
    stated: frozenset[str]
    """Names of the arguments the caller gave."""
    assumptions: tuple[Assumption, ...]
    """What was filled in."""

    @property
    def replicas(self) -> int:
        """Data-parallel replicas."""
        return max(1, self.accelerator_count // (self.tensor_parallel * self.pipeline_parallel * self.context_parallel))

    @property
    def per_node(self) -> int:
        """Accelerators in one node."""
        return self.accelerator_count // self.nodes

    def states(self, name: str) -> bool:
        """Whether the caller gave this argument."""
        return name in self.stated
