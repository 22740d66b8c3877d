"""The object of a Hugging Face `config.json` as a ModelArchitecture.

Names differ by family; `config_names` lists them in the order they are tried.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from tools.architecture import LatentAttention, ModelArchitecture
from tools.config_names import (
    AUDIO_TYPES,
    ENCODER_TYPES,
    GATED_ACTIVATIONS,
    LINEAR_LAYERS,
    NAMES,
    TEXT_PARTS,
    TIED_BY_DEFAULT,
    UNGATED_TYPES,
    VISION_PARTS,
    VISION_TYPES,
    WINDOWED_LAYERS,
)
from tools.errors import InvalidArguments
from tools.terms import ModelKind

Config = Mapping[str, Any]

MAX_NUMBER = 10**9
"""No dimension of a network is as large; what is larger is not read."""
MAX_LAYERS = 100_000
"""Deeper than any network."""


def architecture_of(config: Config) -> ModelArchitecture:
    """Read a configuration. Raises InvalidArguments where width or depth cannot be found or make no sense."""
    text = _part(config, TEXT_PARTS) or config
    model_type = str(_get(text, ("model_type",)) or _get(config, ("model_type",)) or "unknown").lower()
    hidden = _count(text, config, "hidden")
    layers, encoder_layers = _depth(text, config)
    if hidden is None or layers is None:
        missing = "hidden_size" if hidden is None else "num_hidden_layers"
        raise InvalidArguments(
            f"The configuration of type '{model_type[:40]}' states no {missing}.",
            "Give the whole object of a config.json, or parameters_billion instead.",
        )
    if layers > MAX_LAYERS:
        raise InvalidArguments(f"The configuration states {layers} layers.", "Check num_hidden_layers in the config.json.")
    heads = _count(text, config, "heads")
    experts = _experts(text, config)
    width = _width(text, config, model_type, hidden, bool(experts))
    vision = _part(config, VISION_PARTS)
    values: dict[str, Any] = {
        "id": str(config.get("_name_or_path") or f"{model_type} configuration"),
        "family": model_type,
        "kind": _kind(model_type, config, vision, encoder_layers, bool(experts)),
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_encoder_layers": encoder_layers,
        "num_attention_heads": heads,
        "num_key_value_heads": _kv_heads(text, config, heads),
        "head_dim": _count(text, config, "head_dim") or (hidden // heads if heads else None),
        "intermediate_size": width,
        "vocab_size": _count(text, config, "vocab"),
        "tie_word_embeddings": _tied(text, config, model_type),
        **_activation(text, config, model_type),
        **experts,
        **_layer_mix(text, layers),
        "latent_attention": _latent(text),
        "max_position_embeddings": _count(text, config, "context"),
        "dtype": str(_get(text, NAMES["dtype"]) or _get(config, NAMES["dtype"]) or "unknown").removeprefix("torch."),
        "image_tower_parameters": _tower(vision) if vision else None,
        "count_status": "size_only",
        "notes": "read from a configuration object; the count is derived from its dimensions",
        "source": "the caller's configuration object",
    }
    try:
        return ModelArchitecture.model_validate(values | {"attention_sharing": _sharing(values)})
    except ValidationError as error:
        fields = ", ".join(str(fault["loc"][0]) for fault in error.errors())
        raise InvalidArguments(
            f"The configuration holds impossible values for {fields}.", "Check the object of the config.json."
        ) from error


def _get(config: Config, names: Sequence[str]) -> Any:
    for name in names:
        value: Any = config
        for key in name.split("."):
            value = value.get(key) if isinstance(value, Mapping) else None
        if value is not None:
            return value
    return None


def _part(config: Config, names: Sequence[str]) -> Config | None:
    found = _get(config, names)
    return found if isinstance(found, Mapping) and found else None


def _number(value: Any) -> int | None:
    if isinstance(value, list | tuple) and value:
        value = max((item for item in value if isinstance(item, int | float)), default=None)
    ratio = _ratio(value)
    return int(ratio) if ratio is not None and ratio >= 1 else None


def _ratio(value: Any) -> float | None:
    """A positive finite number, else None; `true` is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return value if 0 < value < MAX_NUMBER else None


def _count(text: Config, config: Config, quantity: str) -> int | None:
    return _number(_get(text, NAMES[quantity])) or _number(_get(config, NAMES[quantity]))


def _depth(text: Config, config: Config) -> tuple[int | None, int | None]:
    """(all blocks, encoder blocks); a pattern's length stands in for a missing count."""
    encoder, decoder = _count(text, config, "encoder_layers"), _count(text, config, "decoder_layers")
    single = _number(_get(text, NAMES["layers"]))
    if encoder and decoder:
        return encoder + decoder, encoder
    if decoder and single and str(_get(text, ("model_type",))) not in {"whisper", "bart"} and _get(text, ("num_decoder_layers",)):
        return single + decoder, single
    if single is None:
        pattern = _get(text, ("layers_block_type", "hybrid_override_pattern", "layer_types"))
        single = len(pattern) if isinstance(pattern, str | list) else None
    return single, encoder


def _kv_heads(text: Config, config: Config, heads: int | None) -> int | None:
    if text.get("multi_query") is True and not text.get("new_decoder_architecture"):
        return 1
    return _count(text, config, "kv_heads") or heads


def _width(text: Config, config: Config, model_type: str, hidden: int, has_experts: bool) -> int | None:
    width = _count(text, config, "ffn")
    if width is None:
        ratio = _ratio(text.get("expansion_ratio")) or _ratio(text.get("mlp_ratio")) or 4
        width = None if has_experts else int(hidden * ratio)
    elif model_type in {"qwen", "molmo"}:
        width //= 2  # these two store gate and up together
    elif text.get("block_auto_adjust_ff_dim"):
        width = 256 * -(-int(2 * width / 3) // 256)
    return width


def _activation(text: Config, config: Config, model_type: str) -> dict[str, Any]:
    name = str(_get(text, NAMES["activation"]) or _get(config, NAMES["activation"]) or "unknown").lower()
    gated = model_type not in UNGATED_TYPES and any(word in name for word in GATED_ACTIVATIONS)
    if name == "unknown" and model_type not in UNGATED_TYPES:
        gated = model_type not in ENCODER_TYPES | VISION_TYPES | AUDIO_TYPES
    if model_type in ENCODER_TYPES | VISION_TYPES and model_type not in {"modernbert", "nomic_bert", "eurobert"}:
        gated = False
    return {"activation": name, "gated_mlp": gated or bool(text.get("use_gated_ffn")) or bool(text.get("is_gated_act"))}


def _tied(text: Config, config: Config, model_type: str) -> bool:
    flag = text.get("tie_word_embeddings", config.get("tie_word_embeddings"))
    return bool(flag) if flag is not None else model_type in TIED_BY_DEFAULT


def _experts(text: Config, config: Config) -> dict[str, Any]:
    experts = _count(text, config, "experts") or 0
    if experts <= 1:
        return {}
    layers = _depth(text, config)[0] or 0
    shared_width = _count(text, config, "shared_width")
    return {
        "num_experts": experts,
        "num_experts_per_tok": _count(text, config, "top_k") or 1,
        "moe_intermediate_size": _count(text, config, "expert_width")
        or _number(_get(text, ("intermediate_size", "ffn_config.ffn_hidden_size"))),
        "n_shared_experts": _count(text, config, "shared_experts") or (1 if shared_width else 0),
        "shared_expert_intermediate_size": shared_width or 0,
        "first_k_dense_replace": _count(text, config, "dense_layers") or 0,
        "num_moe_layers": _moe_layers(text, layers),
    }


def _moe_layers(text: Config, layers: int) -> int | None:
    """Layers with routed experts where a pattern says so; None leaves it to the leading dense layers."""
    if isinstance(kinds := text.get("mlp_layer_types"), list):
        return sum(str(kind) != "dense" for kind in kinds)
    if isinstance(frequency := text.get("moe_layer_freq"), list):
        return sum(bool(item) for item in frequency)
    if step := _number(text.get("interleave_moe_layer_step")):
        return layers // step
    if period := _number(text.get("expert_layer_period")):
        return len(range(_number(text.get("expert_layer_offset")) or 0, layers, period))
    if step := _number(text.get("decoder_sparse_step")):
        listed = text.get("mlp_only_layers")
        dense = listed if isinstance(listed, list) else []
        return sum((index + 1) % step == 0 and index not in dense for index in range(layers))
    return None


def _layer_mix(text: Config, layers: int) -> dict[str, Any]:
    kinds = _get(text, ("layer_types", "layers_block_type"))
    window = _number(text.get("sliding_window")) or _number(text.get("attention_chunk_size"))
    if text.get("use_sliding_window") is False:
        window = None
    if isinstance(kinds, list):
        sliding = sum(str(kind) in WINDOWED_LAYERS for kind in kinds)
        return {
            "num_linear_layers": sum(str(kind) in LINEAR_LAYERS for kind in kinds),
            "num_sliding_layers": sliding if window else 0,
            "sliding_window": window if sliding else None,
        }
    if isinstance(pattern := text.get("hybrid_override_pattern"), str):
        return {
            "num_linear_layers": pattern.count("M"),
            "num_softmax_layers": pattern.count("*"),
            "num_feed_forward_layers": pattern.count("-"),
        }
    if interval := _number(text.get("full_attention_interval")):
        return {"num_linear_layers": layers - layers // interval}
    if period := _number(text.get("attn_layer_period")):
        return {"num_linear_layers": layers - layers // period}
    if window is None:
        return {}
    every = _number(text.get("sliding_window_pattern"))
    return {"sliding_window": window, "num_sliding_layers": layers - layers // every if every else layers}


def _latent(text: Config) -> LatentAttention | None:
    rank, nope = _number(text.get("kv_lora_rank")), _number(text.get("qk_nope_head_dim"))
    if rank is None or nope is None:
        return None
    return LatentAttention(
        q_lora_rank=_number(text.get("q_lora_rank")),
        kv_lora_rank=rank,
        qk_nope_head_dim=nope,
        qk_rope_head_dim=_number(text.get("qk_rope_head_dim")) or 0,
        v_head_dim=_number(text.get("v_head_dim")) or nope,
    )


def _sharing(values: Mapping[str, Any]) -> str:
    if values["latent_attention"]:
        return "mla"
    heads, kv_heads = values["num_attention_heads"], values["num_key_value_heads"]
    if not heads:
        return "unknown"
    return "mha" if kv_heads == heads else "mqa" if kv_heads == 1 else "gqa"


def _kind(model_type: str, config: Config, vision: Config | None, encoder_layers: int | None, has_experts: bool) -> ModelKind:
    if vision and model_type not in VISION_TYPES:
        return ModelKind.VLM
    for kind, types in ((ModelKind.AUDIO, AUDIO_TYPES), (ModelKind.VISION, VISION_TYPES), (ModelKind.ENCODER, ENCODER_TYPES)):
        if model_type in types:
            return kind
    if encoder_layers or config.get("is_encoder_decoder"):
        return ModelKind.ENCODER_DECODER
    return ModelKind.MOE if has_experts else ModelKind.DECODER


def _tower(vision: Config) -> int | None:
    """Weights of the vision blocks: attention `4 H^2` and feed-forward `2 H I` a layer."""
    hidden = _number(_get(vision, ("embed_dim", "hidden_size", "width")))
    layers = _number(_get(vision, ("num_hidden_layers", "depth", "layers")))
    if not hidden or not layers:
        return None
    width = _number(vision.get("intermediate_size")) or int(hidden * (_ratio(vision.get("mlp_ratio")) or 4))
    return layers * (4 * hidden * hidden + 2 * hidden * width)
