"""Activations of diffusion models: transformers over latent patches, UNets by stage; text encoders and VAE."""

from __future__ import annotations

from tools.architecture import ModelArchitecture
from tools.job import FineTuneJob
from tools.memory.images import image_tokens, latent_grid
from tools.memory.weights import element_bytes
from tools.parameters import parameter_blocks
from tools.terms import ActivationCheckpointing, Attention
from tools.trainable import trains_base

TEXT_TOKENS = {"t5": 512, "umt5": 512, "qwen": 512, "gemma": 300, "llama": 256, "clip": 77}
"""Prompt positions by the text encoder that makes them, as the pipelines set them."""
DEFAULT_TEXT_TOKENS = 256
RESIDUAL_BLOCK_WIDTHS = 8
"""Feature maps a convolutional residual block keeps: two group norms (input, normalised), two activations, two
convolution inputs, the shortcut and the output."""
TRANSFORMER_BLOCK_WIDTHS = 22
"""Feature maps a UNet transformer block keeps: three norms (input and output), q, k, v, output of self- and
cross-attention, and 8 + 4 widths of the gated feed-forward block."""
LARGE_ENCODERS = 3e9
"""Parameters of encoders that trainers do not keep beside the denoiser (T5-XXL has 4.7e9)."""
BACKWARD_SHARE = 0.15
"""Gradients of feature maps alive beside what is kept, as a share of it, for a network run without checkpointing."""


def text_tokens(a: ModelArchitecture) -> int:
    """Prompt positions the denoiser attends to."""
    names = " ".join(component.name.lower() for component in a.components if component.role.startswith("text"))
    return max((count for word, count in TEXT_TOKENS.items() if word in names), default=DEFAULT_TEXT_TOKENS)


def sequence_positions(job: FineTuneJob) -> int:
    """Positions of one sample in a diffusion transformer: latent patches, and the prompt where both are joined."""
    a = job.architecture
    assert job.resolution is not None
    joint = a.attention_sharing == "joint" or a.num_double_stream_layers > 0 or a.cross_attention_dim is None
    return image_tokens(a, job.resolution) + (text_tokens(a) if joint else 0)


def transformer_shape(a: ModelArchitecture) -> tuple[int, int, int]:
    """(width, layers, feed-forward width) of a diffusion transformer; from its size where no source states them.

    A block has `4 H^2` attention and `8 H^2` feed-forward weights and `6 H^2` of modulation (arXiv:2212.09748), and large
    denoisers have about `H = 96 L`.
    """
    if a.hidden_size and a.num_hidden_layers:
        return a.hidden_size, a.num_hidden_layers, a.intermediate_size or 4 * a.hidden_size
    total = a.published_parameters or parameter_blocks(a).total
    layers = max(8, round((total / (18 * 96**2)) ** (1 / 3)))
    return 96 * layers, layers, 4 * 96 * layers


def transformer_activations(job: FineTuneJob) -> tuple[float, float, float]:
    """(boundary, saved, transient) bytes per block and sample of a diffusion transformer."""
    hidden, _, wide = transformer_shape(job.architecture)
    e = element_bytes(job.compute_precision)
    positions = sequence_positions(job)
    full = trains_base(job)
    # two norms with modulation keep input and normalised output, attention q, k, v, output and their normalised forms,
    # the feed-forward block the input of its activation, and its output where the second matrix or its adapter needs it
    widths = 4 * hidden + 6 * hidden + (2 if full else 0) * hidden + wide * (2 if full or job.lora_rank else 1)
    if job.architecture.cross_attention:  # its query, output and their inputs
        widths += 4 * hidden
    return positions * hidden * e, positions * widths * e, positions * (wide + 3 * hidden) * e


def unet_activations(job: FineTuneJob) -> tuple[float, float]:
    """(kept, largest block) bytes per sample of a UNet, summed over its resolutions."""
    a = job.architecture
    assert job.resolution is not None
    e = element_bytes(job.compute_precision)
    _, height, width = latent_grid(a, job.resolution)
    kept = largest = 0.0
    for index, (depth, channels) in enumerate(a.stages):
        cells = max(1, height >> index) * max(1, width >> index)
        each = a.stage_transformer_layers[index] if index < len(a.stage_transformer_layers) else 0
        blocks = 2 * depth + 1
        residual = RESIDUAL_BLOCK_WIDTHS * cells * channels * e
        transformer = TRANSFORMER_BLOCK_WIDTHS * cells * channels * e * each
        if job.attention is Attention.EAGER and each:
            transformer += each * cells * cells * max(1, channels // 64) * e * 2
        kept += blocks * (residual + transformer)
        largest = max(largest, residual + transformer)
    return kept, largest


def diffusion_activations(job: FineTuneJob) -> tuple[float, float]:
    """Bytes held for the whole micro-batch while the last and while the first block runs backward."""
    a, batch = job.architecture, job.micro_batch_size
    checkpointed = job.activation_checkpointing is not ActivationCheckpointing.NONE
    if a.stages:
        kept, largest = unet_activations(job)
        if checkpointed:
            return batch * (kept / RESIDUAL_BLOCK_WIDTHS * 2 + largest * 1.5), batch * largest * 1.5
        return batch * kept * (1 + BACKWARD_SHARE), batch * largest * 1.5
    boundary, saved, transient = transformer_activations(job)
    layers = transformer_shape(a)[1]
    first = batch * (2 * boundary + saved + transient)
    if checkpointed:
        return batch * (layers * boundary + saved + transient), first
    return batch * (layers * saved + transient), first


def resident_encoders(job: FineTuneJob) -> float:
    """Bytes of text encoders and VAE where they stay on the card.

    Scripts that train a small network in full encode in the loop; adapter trainers, and those of large pipelines, cache
    the outputs and free the encoders, which alone would fill the card.
    """
    a = job.architecture
    encoders = sum(part.parameters or 0 for part in a.components if not part.role.startswith("denoiser"))
    if not a.stages or not trains_base(job) or encoders > LARGE_ENCODERS:
        return 0.0
    return float(encoders * element_bytes(job.compute_precision))
