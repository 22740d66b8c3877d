"""From arguments to a job: every default of the product in one place, each recorded as an assumption."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tools.accelerator import Accelerator
from tools.architecture import ModelArchitecture
from tools.context import Context
from tools.errors import InvalidJob
from tools.estimate import Assumption
from tools.job import UNRANKED_METHODS, FineTuneJob, JobArguments
from tools.job_facts import accumulation_assumed, accumulation_of, dataset_tokens_of, interconnect_of
from tools.memory.framework_facts import facts_of
from tools.memory.images import native_resolution, parse_resolution
from tools.memory.optimizers import canonical_optimizer
from tools.parameters import parameter_blocks
from tools.terms import (
    ActivationCheckpointing,
    Attention,
    Framework,
    Kernel,
    Loss,
    ModelKind,
    Network,
    Objective,
    Precision,
    Sharding,
)

TRAINS_BASE = frozenset({"full", "freeze", "llamapro", "lisa", "controlnet"})
DEFAULT_RANK = 16
DEFAULT_SEQUENCE = 2048
LONGEST_SANE_FACTOR = 128
"""A context more than this many times what a model was released with is a slip of the pen, not a plan."""
LONGEST_SANE_TOKENS = 4_194_304
QUANTISED = frozenset({Precision.NF4, Precision.INT4, Precision.INT8, Precision.FP8, Precision.MXFP4, Precision.NVFP4})
SMALL_KINDS = frozenset({ModelKind.ENCODER, ModelKind.EMBEDDING, ModelKind.VISION})
OWN_KBIT_LOADING = frozenset({Framework.LITGPT, Framework.TORCHTUNE, Framework.UNSLOTH, Framework.NEMO, Framework.MEGATRON})
"""Stacks that load a quantised base without PEFT's preparation (their own code; Unsloth replaces it)."""
UNRANKED_PEFT = frozenset({"adapter", "adapter_v2", "prefix", "prompt", "p_tuning", "adaption_prompt", "tinylora", "fourierft", "frod"})
"""PEFT types whose size does not follow from a rank."""
LONGEST_AUDIO_SEQUENCE = 448
"""Decoder positions of Whisper (arXiv:2212.04356)."""


@dataclass(slots=True)
class Resolver:
    """Collects assumptions while it fills in what was left out."""

    arguments: JobArguments
    assumptions: list[Assumption] = field(default_factory=list)

    def take(self, name: str, default: Any, reason: str, *, decisive: bool = False) -> Any:
        """The argument, or the default with a note."""
        given = getattr(self.arguments, name)
        if given is not None:
            return given
        value = list(default) if isinstance(default, tuple) else getattr(default, "value", default)
        self.assumptions.append(Assumption(name=name, value=value, reason=reason, decisive=decisive))
        return default

    def note(self, name: str, value: Any, reason: str) -> None:
        """An assumption that follows from others."""
        self.assumptions.append(Assumption(name=name, value=value, reason=reason))


def resolve_job(ctx: Context, arguments: JobArguments, *, default_accelerator: Accelerator | None = None) -> FineTuneJob:
    """The job with nothing left open. Raises UnknownName, AmbiguousName, MissingFact, InvalidJob."""
    from tools.model_lookup import find_model

    architecture, looked_up = find_model(
        ctx,
        model=arguments.model,
        config=arguments.model_config_object,
        parameters_billion=arguments.parameters_billion,
        active_parameters_billion=arguments.active_parameters_billion,
    )
    resolver = Resolver(arguments, list(looked_up))
    accelerator = default_accelerator
    if arguments.accelerator:
        accelerator = _one_form(resolver, ctx.catalog.accelerator_candidates(arguments.accelerator))
    return job_for(resolver, architecture, accelerator)


def job_for(resolver: Resolver, architecture: ModelArchitecture, accelerator: Accelerator | None) -> FineTuneJob:
    """The job on a known network and card. Raises InvalidJob."""
    arguments, take = resolver.arguments, resolver.take
    method = _method(resolver, architecture)
    compute = _compute_precision(resolver, architecture, accelerator)
    weights = _weight_precision(resolver, architecture, method, compute)
    count = arguments.accelerator_count or (arguments.nodes or 1)
    if arguments.accelerator_count is None and accelerator is not None:
        resolver.assumptions.append(Assumption(name="accelerator_count", value=count, reason="one card a node unless said otherwise"))
    sharding = _sharding(resolver, architecture, method, weights, count, accelerator)
    master = _master_weights(resolver, method, weights, sharding)
    bare = method in UNRANKED_METHODS or method in UNRANKED_PEFT
    rank = None if bare else take("lora_rank", DEFAULT_RANK, "a usual rank")
    targets = arguments.lora_target_modules
    if not bare and targets is None:
        targets = take("lora_target_modules", "all-linear", "adapters on every linear layer (arXiv:2305.14314)")
    bnb = weights in (Precision.NF4, Precision.INT8, Precision.INT4)
    own_loading = arguments.framework in OWN_KBIT_LOADING
    twice = facts_of(arguments.framework).own_double_quantization
    sequence, micro = _shape(resolver, architecture)
    default_attention = Attention.SDPA if accelerator is not None and (accelerator.capability or (8, 0)) < (8, 0) else Attention.FLASH
    kernels = tuple(arguments.kernels or ())
    checkpointing = ActivationCheckpointing.FULL
    if architecture.kind in SMALL_KINDS or _size(architecture) < 1e9:
        checkpointing = ActivationCheckpointing.NONE
    resolution = None
    if architecture.kind in (ModelKind.DIFFUSION, ModelKind.VISION):
        resolution = parse_resolution(take("resolution", native_resolution(architecture), "the side it was trained at"))
    replicas = max(1, count // ((arguments.tensor_parallel or 1) * (arguments.pipeline_parallel or 1) * (arguments.context_parallel or 1)))
    accumulation = accumulation_of(arguments, micro, replicas)
    resolver.assumptions += accumulation_assumed(arguments, accumulation, heavy=method in TRAINS_BASE)
    if accumulation > 1 and arguments.gradient_accumulation_steps is None and arguments.global_batch_size is None:
        resolver.note("gradient_accumulation_steps", accumulation, "the stack's usual global batch")
    return FineTuneJob(
        architecture=architecture,
        method=method,
        objective=arguments.objective or Objective.SFT,
        weight_precision=weights,
        compute_precision=compute,
        master_weights=master,
        optimizer=canonical_optimizer(take("optimizer", "adamw_torch", "the usual optimizer")),
        optimizer_state_precision=arguments.optimizer_state_precision,
        optimizer_in_backward=bool(arguments.optimizer_in_backward),
        kbit_preparation=bnb
        and bool(take("kbit_preparation", not own_loading, "what PEFT's preparation of a quantised base does") if bnb else False),
        double_quantization=weights is Precision.NF4 and bool(take("double_quantization", twice, "the library's default")),
        lora_rank=rank,
        lora_target_modules=(targets,) if isinstance(targets, str) else tuple(targets or ()),
        modules_to_save=tuple(arguments.modules_to_save or ()),
        sequence_length=sequence,
        micro_batch_size=micro,
        gradient_accumulation_steps=accumulation,
        activation_checkpointing=take("activation_checkpointing", checkpointing, "usual for a model of this size"),
        attention=take("attention", default_attention, "the fastest kernel the card runs"),
        loss=Loss.FUSED
        if arguments.loss is None and Kernel.FUSED_LOSS in kernels
        else take("loss", Loss.STANDARD, "the plain loss of most trainers"),
        kernels=kernels,
        offload=tuple(arguments.offload or ()),
        resolution=resolution,
        accelerator=accelerator,
        accelerator_count=count,
        nodes=arguments.nodes or 1,
        interconnect=interconnect_of(arguments, accelerator, count),
        network=arguments.network or Network.UNKNOWN,
        network_gbps=arguments.network_gbps,
        sharding=sharding,
        tensor_parallel=arguments.tensor_parallel or 1,
        pipeline_parallel=arguments.pipeline_parallel or 1,
        context_parallel=arguments.context_parallel or 1,
        expert_parallel=arguments.expert_parallel or 1,
        framework=arguments.framework,
        packing=bool(arguments.packing),
        dataset_tokens=dataset_tokens_of(arguments),
        epochs=arguments.epochs if arguments.epochs is not None else 1.0,
        stated=frozenset(name for name in type(arguments).model_fields if getattr(arguments, name) is not None),
        assumptions=tuple(resolver.assumptions),
    )


def _one_form(resolver: Resolver, forms: Sequence[Accelerator]) -> Accelerator:
    """One of the forms a name may mean: the one whose record leaves the form open, else the one with the least memory."""
    if len(forms) == 1:
        return forms[0]
    chosen = min(forms, key=lambda form: (form.form_stated, -form.usable_bytes if not form.form_stated else form.usable_bytes))
    if len({round(form.usable_bytes / 2**30) for form in forms}) > 1 or len({form.memory_bandwidth_gb_per_s for form in forms}) > 1:
        others = ", ".join(form.id for form in forms[:6] if form is not chosen)
        resolver.assumptions.append(
            Assumption(name="accelerator", value=chosen.id, reason=f"the name also means {others}", decisive=len(forms) > 1)
        )
    return chosen


def _size(architecture: ModelArchitecture) -> int:
    return architecture.published_parameters or parameter_blocks(architecture).total


def _method(resolver: Resolver, architecture: ModelArchitecture) -> str:
    arguments = resolver.arguments
    default = "qlora" if arguments.weight_precision in (Precision.NF4, Precision.INT4) else "lora"
    if architecture.kind in SMALL_KINDS:
        default = "full"
    return str(resolver.take("method", default, "the usual way to tune a model of this kind on rented cards", decisive=True))


def _compute_precision(resolver: Resolver, architecture: ModelArchitecture, accelerator: Accelerator | None) -> Precision:
    lacks_bf16 = accelerator is not None and accelerator.supports_bf16 is False
    given = resolver.arguments.compute_precision
    if accelerator is not None and given is Precision.FP8 and accelerator.supports_fp8 is False:
        raise InvalidJob(f"{accelerator.id} has no fp8 matrix units.", "Use bf16, or a card from the Ada or Hopper generation on.")
    del architecture
    if lacks_bf16:
        return Precision(resolver.take("compute_precision", Precision.FP16, "the card has no bf16 units"))
    return Precision(resolver.take("compute_precision", Precision.BF16, "what current cards and recipes use"))


def _weight_precision(resolver: Resolver, architecture: ModelArchitecture, method: str, compute: Precision) -> Precision:
    arguments = resolver.arguments
    given = arguments.weight_precision
    if given is not None:
        if method == "full" and given in (Precision.NF4, Precision.INT4, Precision.MXFP4):
            raise InvalidJob(f"Weights in {given.value} cannot be trained in full.", "Choose method qlora, or weights in bf16.")
        if method == "qlora" and given not in QUANTISED:
            raise InvalidJob(f"QLoRA holds the base quantised, not in {given.value}.", "Choose method lora, or weight_precision nf4.")
        if given is Precision.FP16 and compute is Precision.FP16 and method in TRAINS_BASE and not _keeps_masters(arguments):
            reason = "loss scaling refuses fp16 gradients: trained weights are cast to fp32"
            resolver.assumptions.append(Assumption(name="weight_precision", value="fp32", reason=reason))
            return Precision.FP32
        return given
    if method == "qlora":
        return Precision(resolver.take("weight_precision", Precision.NF4, "QLoRA's format (arXiv:2305.14314)"))
    if method in ("full", "freeze", "llamapro", "lisa", "bitfit", "ln_tuning", "controlnet"):
        plain = arguments.optimizer_state_precision is Precision.BF16 or compute in (Precision.FP32, Precision.TF32)
        if arguments.master_weights is False or (plain and compute is Precision.BF16):
            return Precision(resolver.take("weight_precision", compute, "states and weights in one precision"))
        if architecture.kind in SMALL_KINDS or architecture.kind is ModelKind.DIFFUSION or compute in (Precision.FP32, Precision.TF32):
            return Precision(resolver.take("weight_precision", Precision.FP32, "trained weights stay fp32 under mixed precision"))
        return Precision(resolver.take("weight_precision", _sixteen(compute), "mixed precision with fp32 states", decisive=True))
    return Precision(resolver.take("weight_precision", _sixteen(compute), "a frozen base is held in 16 bit"))


def _keeps_masters(arguments: JobArguments) -> bool:
    """Whether fp32 copies live elsewhere, so that 16-bit weights can train under loss scaling."""
    engines = (Framework.DEEPSPEED, Framework.MEGATRON, Framework.NEMO)
    zero = arguments.sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3)
    return bool(arguments.master_weights) or zero or arguments.framework in engines


def _sixteen(compute: Precision) -> Precision:
    if compute in (Precision.FP32, Precision.TF32):
        return Precision.FP32
    return Precision.FP16 if compute is Precision.FP16 else Precision.BF16


def _master_weights(resolver: Resolver, method: str, weights: Precision, sharding: Sharding) -> bool:
    """Whether the optimizer keeps fp32 copies: DeepSpeed always does for 16-bit weights, plain PyTorch only where it was set up so."""
    arguments = resolver.arguments
    if arguments.master_weights is not None:
        return arguments.master_weights
    if weights not in (Precision.BF16, Precision.FP16) or method not in ("full", "freeze", "llamapro", "lisa"):
        return False
    if arguments.optimizer_state_precision is Precision.BF16:
        return False
    if sharding in (Sharding.ZERO1, Sharding.ZERO2, Sharding.ZERO3) or arguments.framework in (
        Framework.DEEPSPEED,
        Framework.MEGATRON,
        Framework.NEMO,
    ):
        return True
    if arguments.weight_precision is not None:
        return False  # PyTorch's AdamW keeps its states in the precision of the weights it was given
    return bool(resolver.take("master_weights", True, "fp32 states and copies, 16 bytes a parameter"))


def _sharding(
    resolver: Resolver, architecture: ModelArchitecture, method: str, weights: Precision, count: int, accelerator: Accelerator | None
) -> Sharding:
    arguments = resolver.arguments
    split = (arguments.tensor_parallel or 1) * (arguments.pipeline_parallel or 1) * (arguments.context_parallel or 1)
    if arguments.sharding is not None:
        return arguments.sharding
    if count <= 1 or split >= count:
        return Sharding.NONE
    if method in ("full", "freeze", "llamapro", "lisa"):
        default = Sharding.ZERO3 if arguments.framework is Framework.DEEPSPEED else Sharding.FSDP
        return Sharding(resolver.take("sharding", default, "weights, gradients and states split over the cards"))
    width = {Precision.NF4: 0.56, Precision.INT4: 0.56, Precision.MXFP4: 0.56, Precision.INT8: 1.0, Precision.FP8: 1.0, Precision.FP32: 4.0}
    base = _size(architecture) * width.get(weights, 2.0) / split
    if accelerator is not None and base > 0.7 * accelerator.usable_bytes:
        return Sharding(resolver.take("sharding", Sharding.FSDP, "the base does not fit one card"))
    return Sharding(resolver.take("sharding", Sharding.DDP, "the base fits each card"))


def _shape(resolver: Resolver, architecture: ModelArchitecture) -> tuple[int, int]:
    """(sequence length, micro batch). Raises InvalidJob for a context beyond all bounds."""
    longest = architecture.max_position_embeddings
    default = min(DEFAULT_SEQUENCE, longest) if longest else DEFAULT_SEQUENCE
    if architecture.kind is ModelKind.AUDIO:
        default = LONGEST_AUDIO_SEQUENCE
    elif architecture.kind in (ModelKind.ENCODER, ModelKind.EMBEDDING):
        default = min(default, 512)
    imaged = architecture.kind in (ModelKind.DIFFUSION, ModelKind.VISION)
    sequence = int(
        default if imaged else resolver.take("sequence_length", default, "a usual length; the longest sample decides", decisive=True)
    )
    bound = max(LONGEST_SANE_TOKENS, LONGEST_SANE_FACTOR * (longest or 0))
    if sequence > bound:
        raise InvalidJob(
            f"A context of {sequence:,} tokens is beyond what any model trains on.",
            f"{architecture.id} was released with {longest:,} tokens." if longest else "Give the longest sample in tokens.",
        )
    micro = int(resolver.take("micro_batch_size", 1, "accumulation replaces a larger batch per card"))
    return sequence, micro
