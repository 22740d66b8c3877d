"""Errors a user may see.

AdvisorError
├── UnknownName        a model, accelerator, provider, ... nobody has heard of
├── AmbiguousName      one name, several things ("RTX 6000")
├── InvalidJob         a job that cannot exist (a rank on a full fine-tune, 0 accelerators)
├── InvalidArguments   arguments of the wrong type or name
├── MissingFact        the question can not be computed without it
├── NoPlanFound        no offer runs the job under the given constraints
├── BrokenData         a row of a data file that does not hold what it must
├── StaleCatalog       prices older than their kind stays true, where that was made a condition
├── BusyConversation   another process answers in this conversation and does not finish
└── NotReady           a part of the service that is still starting, or broken

Only the text of these reaches a user or a chat model; any other exception is a bug, logged with an id that is shown.
"""

from __future__ import annotations

from collections.abc import Sequence


class AdvisorError(Exception):
    """Something the user can mend: `message` says what is wrong, `hint` what to do."""

    code = "error"

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()

    def as_dict(self) -> dict[str, str]:
        """The error as the contract's `{"code", "message", "hint"}`."""
        return {"code": self.code, "message": self.message, "hint": self.hint}


class UnknownName(AdvisorError):
    """A name that no alias resolves; carries the nearest known ones."""

    code = "unknown_name"

    def __init__(self, kind: str, name: str, suggestions: Sequence[str] = ()) -> None:
        did_you_mean = f"Did you mean {', '.join(suggestions)}?" if suggestions else ""
        super().__init__(f"Unknown {kind} '{name[:80]}'.", did_you_mean or f"Name a known {kind}.")
        self.kind = kind
        self.name = name
        self.suggestions = tuple(suggestions)


class AmbiguousName(AdvisorError):
    """A name that means several things; carries all of them."""

    code = "ambiguous_name"

    def __init__(self, kind: str, name: str, candidates: Sequence[str]) -> None:
        super().__init__(f"'{name[:80]}' names more than one {kind}.", f"Say which: {', '.join(candidates)}.")
        self.kind = kind
        self.name = name
        self.candidates = tuple(candidates)


class InvalidJob(AdvisorError):
    """A fine-tuning job that cannot exist."""

    code = "invalid_job"


class InvalidArguments(AdvisorError):
    """Arguments of the wrong type, range or name."""

    code = "invalid_arguments"


class MissingFact(AdvisorError):
    """Nothing useful can be computed without the named fact."""

    code = "missing_fact"

    def __init__(self, slot: str, message: str, hint: str = "") -> None:
        super().__init__(message, hint)
        self.slot = slot


class NoPlanFound(AdvisorError):
    """No offer runs the job under the given constraints."""

    code = "no_plan_found"


class BrokenData(AdvisorError):
    """A row of a data file that does not hold what it must; `where` names file and line."""

    code = "broken_data"

    def __init__(self, where: str, reason: str) -> None:
        super().__init__(f"{where}: {reason}", "Mend the row, or restore the file.")
        self.where = where


class StaleCatalog(AdvisorError):
    """Prices older than their kind stays true, where freshness was made a condition."""

    code = "stale_catalog"


class BusyConversation(AdvisorError):
    """Another process is answering in this conversation and did not finish in time."""

    code = "busy_conversation"


class NotReady(AdvisorError):
    """A part of the service that is still starting, or is broken."""

    code = "not_ready"
