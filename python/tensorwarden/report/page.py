"""What every report in a notebook needs: its page in a frame, and the program that writes it."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
from pathlib import Path


def framed(path: Path, title: str) -> str:
    """The page as a frame of the notebook; a line that says so where there is none."""
    if not path.exists():
        return f"<p>There is no {html.escape(str(path))}.</p>"
    page = html.escape(path.read_text(encoding="utf-8"))
    # Scripts draw the charts; the page gets at nothing of the notebook.
    return (
        f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="{html.escape(title)}" '
        'width="100%" height="900" style="border: 0"></iframe>'
    )


def write_report(kind: str, run: str | Path) -> Path:
    """Has `warden` write the report of the kind; the path of its page."""
    command = [_program(), "report", kind, str(run), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()}")
    return Path(json.loads(done.stdout)["report"])


def _program() -> str:
    """The program `warden`: on the PATH, else beside this interpreter."""
    found = shutil.which("warden")
    beside = Path(sys.prefix) / "bin" / "warden"
    if found is None and not beside.exists():
        raise FileNotFoundError(f"the program warden is neither on the PATH nor at {beside}")
    return found or str(beside)
