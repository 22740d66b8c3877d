"""Settings: environment variables `ADVISOR_*`, each with a default that needs no account and no network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from advisor.data_dir import default_data_dir
from tools.errors import InvalidArguments


class Settings(BaseSettings):
    """Read once at start; `advisor serve --help` lists them."""

    model_config = SettingsConfigDict(env_prefix="ADVISOR_", extra="ignore", frozen=True, use_attribute_docstrings=True)

    host: str = "127.0.0.1"
    """Address the server listens on."""
    port: int = Field(default=7860, ge=0, le=65_535)
    """Port the server listens on; 0 takes a free one."""
    data_dir: Path = Field(default_factory=default_data_dir)
    """Folder of conversations and of the index."""
    chroma_url: str | None = None
    """A Chroma server instead of the embedded one, e.g. http://127.0.0.1:8000."""
    embedding_model: str | None = None
    """A sentence-transformers model instead of the packaged all-MiniLM-L6-v2."""
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    """Currency of costs where the question names none."""
    log_level: str = Field(default="INFO", pattern=r"^(DEBUG|INFO|WARNING|ERROR)$")
    """How much the log says; questions and answers never appear in it."""


def load_settings(**given: Any) -> Settings:
    """Settings of the environment, overridden by what is given. Raises InvalidArguments naming the variable."""
    try:
        return Settings(**given)
    except ValidationError as error:
        faults = "; ".join(f"ADVISOR_{str(fault['loc'][0]).upper()}: {fault['msg']}" for fault in error.errors())
        raise InvalidArguments(faults, "`advisor serve --help` lists the settings.") from error


def settings_table() -> list[tuple[str, str, str]]:
    """(environment variable, default, what it does) of every setting, for help texts and documentation."""
    rows = []
    for name, field in Settings.model_fields.items():
        default = "~/.local/share/finetune-advisor" if name == "data_dir" else field.default
        rows.append((f"ADVISOR_{name.upper()}", "" if default is None else str(default), field.description or ""))
    return rows
