"""The report of an XGBoost training: its figures as frames and charts, and its page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.report import xgboost_figures, xgboost_frames
from tensorwarden.report.figures import show_in_notebook
from tensorwarden.report.page import framed, write_report

if TYPE_CHECKING:
    import pandas as pd

FOLDER = "CreateXgboostReport"
FIGURES = "xgboost_report.json"
PAGE = "xgboost_report.html"


class XgboostReport:
    """What `xgboost_report.json` holds, in `folder` itself or in `CreateXgboostReport` below it."""

    def __init__(self, folder: str | Path):
        self.folder = _report_folder(Path(folder))
        self.results = _read(self.folder / FIGURES)

    @property
    def task(self) -> str:
        """What the training learns: "binary classification", "regression", …"""
        return str(self.results.get("task", "unknown"))

    def section(self, name: str) -> pd.DataFrame:
        """The figures of a section of the page, by its name there: "loss", "confusion", …

        Empty for a section of another kind of training, or of which nothing was saved.
        """
        _check(name)
        return xgboost_frames.SECTIONS[name](self.results)

    def figures(self, name: str) -> list[Any]:
        """The charts of a section for Bokeh; none for a section that has nothing to draw."""
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
        """Has `warden` read the run anew; the report that it writes, in the run's rule-output."""
        return XgboostReport(write_report("xgboost", run).parent)

    def _repr_html_(self) -> str:
        return framed(self.folder / PAGE, "XGBoost training report")


def _check(name: str) -> None:
    if name not in xgboost_frames.SECTIONS:
        raise KeyError(f"no section {name!r}: there are {sorted(xgboost_frames.SECTIONS)}")


def _report_folder(folder: Path) -> Path:
    for candidate in (folder, folder / FOLDER, folder / "rule-output" / FOLDER):
        if (candidate / FIGURES).is_file():
            return candidate.resolve()
    raise FileNotFoundError(
        f"no XGBoost report in {folder}: a folder with {FIGURES}, or with {FOLDER}/, is"
    )


def _read(path: Path) -> dict[str, Any]:
    try:
        results = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from error
    if not isinstance(results, dict):
        raise ValueError(f"{path} has a {type(results).__name__}: an object is taken")
    return results
