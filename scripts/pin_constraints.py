"""Write `constraints.txt`: the version of every package that the application and its tests rest on, as installed here.

Run it in an environment that passes the tests (`make constraints`). torch and what belongs to it is left out: which build
serves depends on the machine, and the set-up chooses it first.
"""

from __future__ import annotations

import sys
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

APPLICATION = "finetune-advisor"
OF_THE_MACHINE = ("torch", "triton", "nvidia-", "cuda-")
HEADER = f"""\
# Versions that the tests passed with, on Linux x86-64 with Python {sys.version_info.major}.{sys.version_info.minor}.
# Made by `make constraints`. torch is chosen by the set-up (scripts/setup_env.py).
"""


def installed(name: str) -> Distribution | None:
    """A distribution of this environment, None where a marker of another platform asks for it."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def closure(root: str, extras: frozenset[str]) -> dict[str, str]:
    """Name -> version of everything `root` requires here, itself left out."""
    found: dict[str, str] = {}
    seen: set[tuple[str, frozenset[str]]] = set()
    waiting = [(root, extras)]
    while waiting:
        name, wanted = waiting.pop()
        if (name, wanted) in seen:
            continue
        seen.add((name, wanted))
        package = installed(name)
        if package is None or name.startswith(OF_THE_MACHINE):
            continue
        found[name] = package.version.partition("+")[0]
        for text in package.requires or ():
            requirement = Requirement(text)
            if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in (wanted or {""}) | {""}):
                waiting.append((canonicalize_name(requirement.name), frozenset(requirement.extras)))
    del found[root]
    return found


def main() -> None:
    """Write the file beside pyproject.toml."""
    pins = closure(APPLICATION, frozenset({"dev"}))
    lines = [f"{name}=={version}\n" for name, version in sorted(pins.items())]
    Path(__file__).parent.parent.joinpath("constraints.txt").write_text(HEADER + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
