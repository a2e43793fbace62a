"""The profiling report of a run as data frames, charts and a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.report import figures, frames
from tensorwarden.report.page import framed_file, write_report

if TYPE_CHECKING:
    import pandas as pd

PAGE = "profiler-report.html"
RULES = "profiler-reports"


class ProfilerReport:
    """A profiling report, in `folder` or in `profiler-output` below it.

    Raises FileNotFoundError if there is none.
    """

    def __init__(self, folder: str | Path):
        self.folder = _output_folder(Path(folder))
        self.results = {path.stem: _read(path) for path in _rule_files(self.folder)}

    @property
    def rules(self) -> pd.DataFrame:
        """How often each rule found a problem, most often first."""
        return frames.rules_frame(self.results)

    def details(self, rule: str) -> dict[str, Any]:
        """Returns everything a rule recorded. Raises KeyError for an unknown rule."""
        if rule not in self.results:
            raise KeyError(
                f"unknown rule {rule!r} in {self.folder}; expected one of: "
                f"{sorted(self.results)}"
            )
        details = self.results[rule].get("Details")
        return details if isinstance(details, dict) else {}

    def section(self, name: str) -> pd.DataFrame:
        """Returns the values of a section of the page: "job", "system", "steps", …

        Raises KeyError for an unknown section.
        """
        if name not in frames.SECTIONS:
            raise KeyError(f"unknown section {name!r}; expected one of: {sorted(frames.SECTIONS)}")
        return frames.SECTIONS[name](self.results)

    def figures(self, name: str) -> list[Any]:
        """Returns the Bokeh charts of a section; empty if it has none.

        Raises KeyError for an unknown section.
        """
        if name not in frames.SECTIONS:
            raise KeyError(f"unknown section {name!r}; expected one of: {sorted(frames.SECTIONS)}")
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
        """Runs `warden` to evaluate the recorded metrics of the run.

        Returns the new report, which is in the run's rule-output. Raises RuntimeError on failure.
        """
        return ProfilerReport(write_report("profiler", run).parent)

    def _repr_html_(self) -> str:
        return framed_file(self.folder / PAGE, "Profiling report")


def _output_folder(folder: Path) -> Path:
    for candidate in (folder, folder / "profiler-output"):
        if (candidate / RULES).is_dir():
            return candidate.resolve()
    raise FileNotFoundError(
        f"no profiling report in {folder}; expected a folder that contains {RULES}/ or "
        "profiler-output/"
    )


def _rule_files(folder: Path) -> list[Path]:
    return sorted((folder / RULES).glob("*.json"))


def _read(path: Path) -> dict[str, Any]:
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(result, dict):
        raise ValueError(f"{path} contains a {type(result).__name__}; expected a JSON object")
    return result
