"""Histograms of the durations of steps and phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tensorwarden.profiler.notebook.chart import Chart, colour, import_bokeh, new_figure
from tensorwarden.profiler.notebook.system_series import FOREVER_US, matches
from tensorwarden.profiler.reading.span_columns import read_spans

BINS = 50
# The original names backward passes "Backward(post-forward)".
SELECT = ("Step:ModeKeys", "Forward-node", r"Backward(\(post-forward\))?-node")


def histogram_of(seconds: np.ndarray | Sequence[float]) -> dict[str, np.ndarray]:
    """Returns the columns of a figure's source.

    Rare long steps would put all others into one bin, so it ends at the median plus two standard
    deviations. The last sample may be cut off and is skipped.
    """
    whole = np.asarray(seconds, dtype=np.float64)
    whole = whole[:-1] if len(whole) > 1 else whole
    if not len(whole):
        return {"top": np.empty(0), "left": np.empty(0), "right": np.empty(0)}
    low, high = float(whole.min()), float(np.median(whole) + 2 * whole.std())
    if high <= low:
        low, high = low - 0.5e-6, low + 0.5e-6
    counts, edges = np.histogram(whole, BINS, (low, high))
    return {"top": counts, "left": edges[:-1], "right": edges[1:]}


class StepHistogram(Chart):
    """A histogram for each selected phase.

    `step_metrics` contains the durations in seconds by phase and node; `sources` what is drawn.
    `last_timestamp` is the end of the newest file until something is plotted, then the start of the
    last span (µs since 1970).
    """

    def __init__(self, metrics_reader: Any, width: int = 500):
        super().__init__()
        self.metrics_reader = metrics_reader
        self.width = width
        self.clear()
        self.last_timestamp = int(metrics_reader.get_timestamp_of_latest_available_file())

    def clear(self) -> None:
        """Removes data and figures."""
        self.step_metrics: dict[str, list[float]] = {}
        self.sources: dict[str, Any] = {}
        self.select_metrics: Sequence[str] = list(SELECT)
        self.show_workers = True
        self.last_timestamp = 0
        self.layout = self._handle = None

    def plot(
        self,
        starttime: float = 0,
        endtime: float | None = None,
        select_metrics: Sequence[str] = SELECT,
        show_workers: bool = True,
    ) -> Any:
        """Draws spans in a time range (µs since 1970; None: everything) and returns the figures.

        `<phase>-nodeid:<node>` of the spans must match a pattern.
        """
        self.clear()
        self.select_metrics, self.show_workers = list(select_metrics), show_workers
        self._read(starttime, FOREVER_US if endtime is None else endtime)
        return self.create_plot(self.step_metrics)

    def _read(self, start_us: float, end_us: float) -> None:
        """Adds the spans that begin in the range, which counts each span once."""
        spans = read_spans(self.metrics_reader, start_us, end_us)
        spans = spans.where(np.flatnonzero(spans.start_us >= start_us))
        spans = spans.where(np.argsort(spans.start_us, kind="stable"))
        phases, nodes = spans.phase, spans.node
        pairs = phases.codes.astype(np.int64) * max(len(nodes.texts), 1) + nodes.codes
        for pair in np.unique(pairs):
            rows = np.flatnonzero(pairs == pair)
            phase, node = phases.texts[phases.codes[rows[0]]], nodes.texts[nodes.codes[rows[0]]]
            key = f"{phase}-nodeid:{node}"
            if matches(key, self.select_metrics):
                seconds = (spans.duration_us[rows] / 1e6).tolist()
                self.step_metrics.setdefault(key if self.show_workers else phase, []).extend(
                    seconds
                )
        if len(spans):
            self.last_timestamp = max(self.last_timestamp, int(spans.start_us.max()))

    def create_plot(self, step_metrics: dict[str, list[float]] | None = None) -> Any:
        """Draws durations by name: those that were read, or the given ones."""
        bokeh = import_bokeh()
        if step_metrics is not None:
            self.step_metrics = step_metrics
        self.sources, figures = {}, []
        for number, (key, seconds) in enumerate(sorted(self.step_metrics.items())):
            self.sources[key] = bokeh.models.ColumnDataSource(histogram_of(seconds))
            figures.append(self._figure(key, colour(number)))
        return self._draw(bokeh.layouts.column(*figures))

    def _figure(self, key: str, fill: str) -> Any:
        figure = new_figure(
            *(self.width, 250),
            title=key,
            tools="pan,wheel_zoom,reset,hover",
            tooltips=[("from", "@left{0.000000} s"), ("to", "@right{0.000000} s"), ("n", "@top")],
            x_axis_label="seconds",
            y_axis_label="occurrences",
        )
        edges = {"left": "left", "right": "right", "top": "top", "bottom": 0}
        source = self.sources[key]
        figure.quad(source=source, fill_color=fill, line_color="white", line_width=0.5, **edges)
        figure.y_range.start = 0
        figure.yaxis.ticker.min_interval = 1
        figure.xaxis.formatter.use_scientific = False
        return figure

    def update_data(self, current_timestamp: float) -> None:
        """Adds new spans up to a time (µs) to the figures shown."""
        if current_timestamp <= self.last_timestamp:
            return
        self._read(self.last_timestamp + 1, current_timestamp)
        for key, source in self.sources.items():
            source.data = histogram_of(self.step_metrics[key])
        self._push()
