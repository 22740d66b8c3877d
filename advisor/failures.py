"""What leaves the product when something goes wrong: the text of an AdvisorError, or the id of a logged bug."""

from __future__ import annotations

import logging
import os

from tools.errors import AdvisorError

log = logging.getLogger("advisor")


def error_record(error: Exception) -> dict[str, str]:
    """Any exception as the contract's `{"code", "message", "hint"}`.

    The text of an AdvisorError is meant for people. Anything else is a bug: it is logged in full under a fresh id, and
    only that id is told.
    """
    if isinstance(error, AdvisorError):
        return error.as_dict()
    incident = os.urandom(4).hex()
    log.error("internal error %s", incident, exc_info=error)
    return {
        "code": "internal",
        "message": f"Internal error {incident}: this is a fault of the program, not of the input.",
        "hint": f"Report it with the lines that the log holds under {incident}.",
    }
