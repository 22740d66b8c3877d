"""Find the Chromium that browser tests drive, and install it where that is in order."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def find_chromium() -> str | None:
    """Path of an installed Chromium or Chrome; CHROMIUM in the environment goes first."""
    named = os.environ.get("CHROMIUM")
    if named:
        return named if Path(named).exists() else None
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    return found or (str(MAC) if MAC.exists() else None)


def ci() -> bool:
    """Whether this is a run of continuous integration."""
    return os.environ.get("CI", "").lower() in ("true", "1", "yes")


def may_install() -> bool:
    """Root with apt, in a container or under CI: a machine that nobody works on."""
    container = any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")) or "container" in os.environ
    return hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get") is not None and (container or ci())


def install_chromium() -> None:
    """Debian's package; the caller looks whether it is there afterwards."""
    print("Installing chromium with apt (about 100 MB)", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-q", "-y", "--no-install-recommends", "chromium"]):
        if subprocess.run(command, env=environment, check=False).returncode:
            print(f"`{' '.join(command)}` failed.", file=sys.stderr)


def ensure_chromium() -> int:
    """Exit code: 0 where a Chromium is there, or missing where that is no failure; 1 where one is missing under CI."""
    if find_chromium() is None and may_install():
        install_chromium()
    if find_chromium() is not None:
        return 0
    print("No Chromium found: install `chromium` (or set CHROMIUM to its path) to run the browser tests.", file=sys.stderr)
    return 1 if ci() else 0
