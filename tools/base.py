"""What every value of the domain shares."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value that rejects unknown fields; attribute docstrings reach the JSON schema."""

    # validators are built at first use: one command needs a few of the seventy values, and the start pays for each
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, protected_namespaces=(), defer_build=True)
