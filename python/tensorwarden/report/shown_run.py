"""The page of a run in a notebook."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from tensorwarden.report.page import framed, run_warden


class ShownRun:
    """The dashboard's page of a run as it was when this was made; a notebook shows it in a frame.

    The page has the run's data in it (`warden export`), so it also works where the notebook is
    opened later: in Jupyter, VS Code and Colab, without a server or the run.
    """

    def __init__(self, run: str, page: str, left_out: list[str], height: int = 900):
        self.run = run
        self.page = page
        self.left_out = left_out
        self.height = height

    def save(self, path: str | Path) -> None:
        """Writes the page as an HTML file."""
        Path(path).write_text(self.page, encoding="utf-8")

    def _repr_html_(self) -> str:
        return framed(self.page, f"Run {self.run}", self.height, "allow-scripts allow-downloads")

    def __repr__(self) -> str:
        return f"<page of {self.run}, {len(self.page) / 1e6:.1f} MB>"


def show(run: Any, *, height: int = 900, max_mb: int = 24) -> ShownRun:
    """Returns the page of a run for a notebook: make it the last expression of a cell.

    `run` is the folder of a run, or a trial. `max_mb` limits the data in the page, before
    compression; `left_out` of the result says what is not in it. Raises RuntimeError if the run
    cannot be read.
    """
    folder = os.fspath(run) if isinstance(run, (str, os.PathLike)) else str(run.path)
    with tempfile.TemporaryDirectory(prefix="warden-show-") as place:
        file = Path(place, "run.html")
        told = run_warden("export", folder, "--out", str(file), "--max-mb", str(max_mb), "--json")
        page = file.read_text(encoding="utf-8")
    return ShownRun(folder, page, list(told["left_out"]), height)
