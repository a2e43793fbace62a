"""The profiling report of a run: its figures as frames and charts, and its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.report import figures, frames
from tensorwarden.report.page import framed, write_report

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
        return ProfilerReport(write_report("profiler", run).parent)

    def _repr_html_(self) -> str:
        return framed(self.folder / PAGE, "Profiling report")


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
