"""Names of one quantity across the families of Hugging Face configurations, as of transformers 5.24."""

from __future__ import annotations

NAMES: dict[str, tuple[str, ...]] = {
    "hidden": ("hidden_size", "n_embd", "d_model", "n_embed", "dim"),
    "layers": ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "decoder_layers"),
    "encoder_layers": ("encoder_layers", "num_encoder_layers"),
    "decoder_layers": ("decoder_layers", "num_decoder_layers"),
    "heads": ("num_attention_heads", "n_head", "n_heads", "num_heads", "decoder_attention_heads", "encoder_attention_heads"),
    "kv_heads": ("num_key_value_heads", "num_kv_heads", "multi_query_group_num", "attn_config.kv_n_heads", "n_head_kv"),
    "head_dim": ("head_dim", "d_kv", "kv_channels", "attention_head_dim"),
    "ffn": (
        "intermediate_size_mlp",
        "intermediate_size",
        "n_inner",
        "d_ff",
        "ffn_dim",
        "encoder_ffn_dim",
        "decoder_ffn_dim",
        "ffn_hidden_size",
        "hidden_dim",
        "ffn_config.ffn_hidden_size",
        "block_ff_dim",
    ),
    "vocab": ("vocab_size", "padded_vocab_size"),
    "activation": (
        "hidden_activation",
        "hidden_act",
        "activation_function",
        "activation",
        "ffn_config.ffn_act_fn.name",
        "feed_forward_proj",
    ),
    "experts": ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "ffn_config.moe_num_experts"),
    "top_k": (
        "num_experts_per_tok",
        "experts_per_token",
        "moe_k",
        "moe_topk",
        "top_k_experts",
        "num_experts_per_token",
        "ffn_config.moe_top_k",
    ),
    "expert_width": ("moe_intermediate_size", "expert_ffn_hidden_size"),
    "shared_experts": ("n_shared_experts", "moe_num_shared_experts", "num_shared_experts"),
    "shared_width": ("shared_expert_intermediate_size", "shared_intermediate_size", "moe_shared_expert_intermediate_size"),
    "dense_layers": ("first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"),
    "context": (
        "max_position_embeddings",
        "n_positions",
        "max_seq_len",
        "seq_length",
        "max_sequence_length",
        "model_max_length",
        "max_target_positions",
    ),
    "dtype": ("dtype", "torch_dtype"),
}
"""Names of one quantity across families, the usual one first; a dot descends into a sub-object."""

TEXT_PARTS = ("text_config", "llm_config", "language_config", "thinker_config.text_config", "decoder")
"""Where multimodal models keep the language part."""
VISION_PARTS = ("vision_config", "thinker_config.vision_config", "visual")
"""Where they keep the vision part."""

GATED_ACTIVATIONS = ("silu", "swiglu", "swish", "gated", "geglu", "gelu_pytorch_tanh", "glu")
"""Activations that come with a gate matrix."""
UNGATED_TYPES = frozenset(
    [
        "gpt2",
        "gpt_neo",
        "gpt_neox",
        "gptj",
        "gpt_bigcode",
        "starcoder2",
        "opt",
        "bloom",
        "mpt",
        "falcon",
        "phi",
        "whisper",
        "bart",
        "mbart",
    ]
)
"""Families whose feed-forward block has no gate, whatever the activation is called."""
TIED_BY_DEFAULT = frozenset(
    [
        "gemma",
        "gemma2",
        "gemma3",
        "gemma3_text",
        "cohere",
        "cohere2",
        "falcon",
        "bloom",
        "mpt",
        "opt",
        "gpt2",
        "gpt_bigcode",
        "gpt_neo",
        "mamba",
        "t5",
        "whisper",
        "bart",
        "mbart",
        "starcoder2",
    ]
)
"""Families that share embedding and head where the flag is missing."""
ENCODER_TYPES = frozenset(
    [
        "bert",
        "roberta",
        "xlm-roberta",
        "distilbert",
        "albert",
        "electra",
        "deberta",
        "deberta-v2",
        "modernbert",
        "mpnet",
        "nomic_bert",
        "eurobert",
    ]
)
"""Families of encoders."""
VISION_TYPES = frozenset(["vit", "dinov2", "dinov3_vit", "clip_vision_model", "siglip_vision_model", "beit", "deit"])
"""Families of vision encoders."""
AUDIO_TYPES = frozenset(["whisper", "wav2vec2", "hubert", "wavlm", "speech_to_text", "seamless_m4t"])
"""Families of speech models."""
LINEAR_LAYERS = frozenset(["linear_attention", "conv", "mamba", "mamba2", "recurrent", "lightning_attention"])
"""Layer types without softmax attention."""
WINDOWED_LAYERS = frozenset(["sliding_attention", "chunked_attention", "local_attention", "local"])
"""Layer types with a window."""
