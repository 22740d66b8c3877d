"""Pixels: resolution strings, latent grids, patches."""

from __future__ import annotations

import re

from tools.architecture import ModelArchitecture
from tools.errors import InvalidArguments
from tools.terms import ModelKind

MAX_SIDE, MAX_FRAMES = 16_384, 4_096
PATCH = 2
"""Latent cells a diffusion transformer joins along one side (arXiv:2212.09748, DiT-XL/2)."""
VISION_PATCH = 16
"""Pixels a vision transformer joins along one side where no source states it (arXiv:2010.11929)."""


def parse_resolution(text: str) -> tuple[int, int, int]:
    """`1024` -> (1, 1024, 1024); `1024x768` -> (1, 1024, 768); `49x480x720` -> (49, 480, 720). Raises InvalidArguments."""
    numbers = [int(part) for part in re.findall(r"\d{1,6}", text)]
    if not 1 <= len(numbers) <= 3 or not re.fullmatch(r"[\d\sx×*px]+", text.lower()):
        raise InvalidArguments(f"'{text[:40]}' is not a resolution.", "Write 1024, 1024x768, or frames x height x width as 49x480x720.")
    if len(numbers) == 1:
        numbers = [numbers[0], numbers[0]]
    frames = numbers[0] if len(numbers) == 3 else 1
    height, width = numbers[-2:]
    if not (1 <= frames <= MAX_FRAMES and 1 <= height <= MAX_SIDE and 1 <= width <= MAX_SIDE):
        raise InvalidArguments(f"'{text[:40]}' is out of range.", f"At most {MAX_FRAMES} frames of {MAX_SIDE} pixels a side.")
    return frames, height, width


def native_resolution(architecture: ModelArchitecture) -> str:
    """The side a model was trained at, 1024 for a diffusion model and 224 for a vision model where no source states it."""
    if architecture.native_resolution:
        return str(architecture.native_resolution)
    return "224" if architecture.kind is ModelKind.VISION else "1024"


def latent_grid(architecture: ModelArchitecture, resolution: tuple[int, int, int]) -> tuple[int, int, int]:
    """(frames, height, width) of the latent; a causal video VAE keeps the first frame and joins the rest."""
    frames, height, width = resolution
    down = architecture.vae_spatial_downscale or 8
    through_time = architecture.vae_temporal_downscale or (4 if frames > 1 else 1)
    return 1 + (frames - 1) // through_time, max(1, height // down), max(1, width // down)


def image_tokens(architecture: ModelArchitecture, resolution: tuple[int, int, int]) -> int:
    """Positions the transformer sees for one sample."""
    if architecture.kind is ModelKind.VISION:
        side = VISION_PATCH
        found = re.search(r"patch(\d+)", architecture.id)
        if found:
            side = int(found.group(1))
        return resolution[0] * max(1, resolution[1] // side) * max(1, resolution[2] // side) + 1
    frames, height, width = latent_grid(architecture, resolution)
    joined = PATCH if (architecture.vae_spatial_downscale or 8) < 16 else 1  # deep-compression VAEs already join what a patch would
    return frames * max(1, height // joined) * max(1, width // joined)
