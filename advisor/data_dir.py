"""The folder of conversations, index and own data; known without reading the other settings."""

from __future__ import annotations

import os
from pathlib import Path


def default_data_dir() -> Path:
    """The user's data folder."""
    return Path.home() / ".local" / "share" / "finetune-advisor"


def data_dir() -> Path:
    """ADVISOR_DATA_DIR, or the default. The command line of the tools asks here: reading all settings takes 100 ms."""
    named = os.environ.get("ADVISOR_DATA_DIR")
    return Path(named) if named else default_data_dir()
