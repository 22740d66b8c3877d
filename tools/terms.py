"""The field's words as enumerations: one word per thing, spelled as the contract spells them."""

from __future__ import annotations

from enum import StrEnum


class Method(StrEnum):
    """Which weights train. Further PEFT types go by their own name (see `is_known_method`)."""

    FULL = "full"
    FREEZE = "freeze"
    LORA = "lora"
    DORA = "dora"
    QLORA = "qlora"
    ADAPTER = "adapter"
    ADAPTER_V2 = "adapter_v2"
    IA3 = "ia3"
    PREFIX = "prefix"
    PROMPT = "prompt"
    P_TUNING = "p_tuning"
    BITFIT = "bitfit"
    LN_TUNING = "ln_tuning"
    LISA = "lisa"
    LLAMAPRO = "llamapro"
    CONTROLNET = "controlnet"


class Objective(StrEnum):
    """What the loss asks for."""

    SFT = "sft"
    CPT = "cpt"
    DPO = "dpo"
    ORPO = "orpo"
    KTO = "kto"
    REWARD = "reward"
    PPO = "ppo"
    GRPO = "grpo"


class Precision(StrEnum):
    """A storage or compute format."""

    FP32 = "fp32"
    TF32 = "tf32"
    BF16 = "bf16"
    FP16 = "fp16"
    FP8 = "fp8"
    NVFP4 = "nvfp4"
    INT8 = "int8"
    INT4 = "int4"
    NF4 = "nf4"
    MXFP4 = "mxfp4"


class ActivationCheckpointing(StrEnum):
    """What the forward pass throws away and the backward pass computes again."""

    NONE = "none"
    SELECTIVE = "selective"
    FULL = "full"


class Attention(StrEnum):
    """The attention kernel: `eager` holds the score matrix, the others do not."""

    FLASH = "flash"
    SDPA = "sdpa"
    EAGER = "eager"


class Loss(StrEnum):
    """How logits are held: whole (`standard`), in pieces (`chunked`), never (`fused`)."""

    STANDARD = "standard"
    CHUNKED = "chunked"
    FUSED = "fused"


class Sharding(StrEnum):
    """How data-parallel replicas share states."""

    NONE = "none"
    DDP = "ddp"
    ZERO1 = "zero1"
    ZERO2 = "zero2"
    ZERO3 = "zero3"
    FSDP = "fsdp"
    HYBRID = "hybrid"


class Offload(StrEnum):
    """What moves to host memory."""

    OPTIMIZER = "optimizer"
    PARAMETERS = "parameters"
    ACTIVATIONS = "activations"


class Interconnect(StrEnum):
    """The link between accelerators inside a node."""

    NVLINK = "nvlink"
    NVLINK_BRIDGE = "nvlink_bridge"
    XGMI = "xgmi"
    PCIE = "pcie"
    NONE = "none"
    UNKNOWN = "unknown"


class Network(StrEnum):
    """The network between nodes."""

    INFINIBAND = "infiniband"
    ROCE = "roce"
    EFA = "efa"
    ETHERNET = "ethernet"
    NVLINK = "nvlink"
    UNKNOWN = "unknown"


class Framework(StrEnum):
    """The training stack; `deepspeed` is Transformers with DeepSpeed, `vendor` a hardware maker's tuned submission."""

    HUGGINGFACE = "huggingface"
    DEEPSPEED = "deepspeed"
    UNSLOTH = "unsloth"
    TORCHTUNE = "torchtune"
    TORCHTITAN = "torchtitan"
    LITGPT = "litgpt"
    MEGATRON = "megatron"
    NEMO = "nemo"
    COMPOSER = "composer"
    AXOLOTL = "axolotl"
    LLAMAFACTORY = "llamafactory"
    MS_SWIFT = "ms-swift"
    VENDOR = "vendor"
    OTHER = "other"


class Kernel(StrEnum):
    """Optional kernels that change time, memory or both."""

    FLASH_ATTENTION = "flash_attention"
    FUSED_LOSS = "fused_loss"
    FUSED_LORA = "fused_lora"
    COMPILE = "compile"
    TRANSFORMER_ENGINE = "transformer_engine"


class PricingTerm(StrEnum):
    """How an offer is rented."""

    ON_DEMAND = "on_demand"
    SPOT = "spot"
    RESERVED = "reserved"


class Availability(StrEnum):
    """Whether an offer can be had; price lists seldom say."""

    AVAILABLE = "available"
    LIMITED = "limited"
    UNKNOWN = "unknown"


class ModelKind(StrEnum):
    """The shape of a network, which decides the formulas that apply."""

    DECODER = "decoder"
    MOE = "moe"
    VLM = "vlm"
    ENCODER = "encoder"
    EMBEDDING = "embedding"
    ENCODER_DECODER = "encoder_decoder"
    DIFFUSION = "diffusion"
    AUDIO = "audio"
    VISION = "vision"
