"""The profiling report of a run: its figures as frames and charts, and its page."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.report import figures, frames

if TYPE_CHECKING:
    import pandas as pd

PAGE = "profiler-report.html"
RULES = "profiler-reports"


class ProfilerReport:
    """What `profiler-output` holds, in `folder` itself or below it (`…/ProfilerReport-<time>`)."""

    def __init__(self, folder: str | Path):
        self.folder = _output_folder(Path(folder))
        self.results = {path.stem: _read(path) for path in _rule_files(self.folder)}

    @property
    def rules(self) -> pd.DataFrame:
        """How often each rule was triggered, most often first."""
        return frames.rules_frame(self.results)

    def details(self, rule: str) -> dict[str, Any]:
        """All that a rule has recorded; KeyError names the rules that there are."""
        if rule not in self.results:
            raise KeyError(f"no rule {rule!r} in {self.folder}: there are {sorted(self.results)}")
        details = self.results[rule].get("Details")
        return details if isinstance(details, dict) else {}

    def section(self, name: str) -> pd.DataFrame:
        """The figures of a section of the page, by its name there: "job", "system", "steps", …"""
        if name not in frames.SECTIONS:
            raise KeyError(f"no section {name!r}: there are {sorted(frames.SECTIONS)}")
        return frames.SECTIONS[name](self.results)

    def figures(self, name: str) -> list[Any]:
        """The charts of a section for Bokeh; none for a section that has nothing to draw."""
        if name not in frames.SECTIONS:
            raise KeyError(f"no section {name!r}: there are {sorted(frames.SECTIONS)}")
        draw = figures.SECTIONS.get(name)
        return draw(self.results) if draw else []

    def draw(self, name: str) -> None:
        """Shows the charts of a section in the notebook."""
        figures.show_in_notebook(self.figures(name))

    def show(self) -> None:
        """Shows the page in the notebook."""
        from IPython.display import display

        display(self)

    def write(self, run: str | Path) -> ProfilerReport:
        """Has `warden` judge the recorded metrics of the run; the report that it writes, a new one
        in the run's rule-output."""
        command = [_program(), "report", "profiler", str(run), "--json"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)} failed: {done.stderr.strip()}")
        return ProfilerReport(Path(json.loads(done.stdout)["report"]).parent)

    def _repr_html_(self) -> str:
        path = self.folder / PAGE
        if not path.exists():
            return f"<p>There is no {html.escape(str(path))}.</p>"
        page = html.escape(path.read_text(encoding="utf-8"))
        # Scripts draw the charts; the page gets at nothing of the notebook.
        return (
            f'<iframe srcdoc="{page}" sandbox="allow-scripts" title="Profiling report" '
            'width="100%" height="900" style="border: 0"></iframe>'
        )


def _output_folder(folder: Path) -> Path:
    for candidate in (folder, folder / "profiler-output"):
        if (candidate / RULES).is_dir():
            return candidate.resolve()
    raise FileNotFoundError(
        f"no profiling report in {folder}: a folder with {RULES}/, or with profiler-output/, is"
    )


def _rule_files(folder: Path) -> list[Path]:
    return sorted((folder / RULES).glob("*.json"))


def _read(path: Path) -> dict[str, Any]:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(result, dict):
        raise ValueError(f"{path} has a {type(result).__name__}: an object is taken")
    return result


def _program() -> str:
    """The program `warden`: on the PATH, else beside this interpreter."""
    found = shutil.which("warden")
    beside = Path(sys.prefix) / "bin" / "warden"
    if found is None and not beside.exists():
        raise FileNotFoundError(f"the program warden is neither on the PATH nor at {beside}")
    return found or str(beside)
