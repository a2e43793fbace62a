"""Shows a report page in a notebook and runs `warden` to write one."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any


def framed_file(path: Path, title: str) -> str:
    """Returns the page as an iframe for a notebook, or a note if the page does not exist."""
    if not path.exists():
        return f"<p>Cannot open {html.escape(str(path))}: no such file.</p>"
    return framed(path.read_text(encoding="utf-8"), title)


def framed(page: str, title: str, height: int = 900, allowed: str = "allow-scripts") -> str:
    """Returns a page as an iframe for a notebook."""
    # Scripts draw the charts; the sandbox keeps the page away from the notebook.
    return (
        f'<iframe srcdoc="{html.escape(page)}" sandbox="{allowed}" title="{html.escape(title)}" '
        f'width="100%" height="{height}" style="border: 0"></iframe>'
    )


def write_report(kind: str, run: str | Path) -> Path:
    """Runs `warden report` and returns the path of the page. Raises RuntimeError on failure."""
    return Path(run_warden("report", kind, str(run), "--json")["report"])


def run_warden(*words: str) -> dict[str, Any]:
    """Runs a command of `warden` and returns its JSON. Raises RuntimeError on failure."""
    command = [_program(), *words]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def _program() -> str:
    """Returns the path of `warden`: on the PATH, in this package (wheels) or in the environment."""
    found = shutil.which("warden")
    if found is not None:
        return found
    packaged = Path(__file__).parents[1] / "bin" / "warden"
    for program in (packaged, Path(sys.prefix) / "bin" / "warden"):
        if program.exists():
            return str(program)
    raise FileNotFoundError(f"cannot find the program 'warden' on the PATH or at {packaged}")
