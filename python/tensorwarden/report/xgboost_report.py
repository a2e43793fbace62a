"""The report of an XGBoost training as data frames, charts and a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.report import xgboost_figures, xgboost_frames
from tensorwarden.report.figures import show_in_notebook
from tensorwarden.report.page import framed_file, write_report

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "CreateXgboostReport"
FIGURES = "xgboost_report.json"
PAGE = "xgboost_report.html"


class XgboostReport:
    """An XGBoost report, in `folder` or in `CreateXgboostReport` below it.

    Raises FileNotFoundError if there is none.
    """

    def __init__(self, folder: str | Path):
        self.folder = _report_folder(Path(folder))
        self.results = _read(self.folder / FIGURES)

    @property
    def task(self) -> str:
        """The task of the training: "binary classification", "regression", …"""
        return str(self.results.get("task", "unknown"))

    def section(self, name: str) -> pd.DataFrame:
        """Returns the values of a section of the page: "loss", "confusion", …

        Empty for a section of another task or without saved data. Raises KeyError for an unknown
        section.
        """
        _check(name)
        return xgboost_frames.SECTIONS[name](self.results)

    def figures(self, name: str) -> list[Any]:
        """Returns the Bokeh charts of a section; empty if it has none.

        Raises KeyError for an unknown section.
        """
        _check(name)
        draw = xgboost_figures.SECTIONS.get(name)
        return draw(self.results) if draw else []

    def draw(self, name: str) -> None:
        """Shows the charts of a section in the notebook."""
        show_in_notebook(self.figures(name))

    def show(self) -> None:
        """Shows the page in the notebook."""
        from IPython.display import display

        display(self)

    def write(self, run: str | Path) -> XgboostReport:
        """Runs `warden` to read the run again.

        Returns the new report, which is in the run's rule-output. Raises RuntimeError on failure.
        """
        return XgboostReport(write_report("xgboost", run).parent)

    def _repr_html_(self) -> str:
        return framed_file(self.folder / PAGE, "XGBoost training report")


def _check(name: str) -> None:
    if name not in xgboost_frames.SECTIONS:
        raise KeyError(
            f"unknown section {name!r}; expected one of: {sorted(xgboost_frames.SECTIONS)}"
        )


def _report_folder(folder: Path) -> Path:
    for candidate in (folder, folder / FOLDER, folder / "rule-output" / FOLDER):
        if (candidate / FIGURES).is_file():
            return candidate.resolve()
    raise FileNotFoundError(
        f"no XGBoost report in {folder}; expected a folder that contains {FIGURES} or {FOLDER}/"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(results, dict):
        raise ValueError(f"{path} contains a {type(results).__name__}; expected a JSON object")
    return results
