"""Histograms of system metrics."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import numpy as np

from tensorwarden.profiler.notebook.chart import Chart, colour, import_bokeh, new_figure
from tensorwarden.profiler.notebook.system_series import (
    end_of_range,
    gather,
    select,
    title_of,
)
from tensorwarden.profiler.reading.system_columns import SystemColumns, read_columns
from tensorwarden.profiler.reading.system_events import ProfilerSystemEvent

BINS = 50
COLUMNS = 4


def edges_of(values: np.ndarray) -> np.ndarray:
    """Returns bins of 2 % up to 100, or the same number of bins up to a larger maximum."""
    finite = values[np.isfinite(values)]
    largest = float(finite.max()) if len(finite) else 0.0
    return np.linspace(0, largest if largest > 100 else 100, BINS + 1)


def histogram_of(values: np.ndarray) -> dict[str, np.ndarray]:
    """Returns the columns of a figure's source."""
    edges = edges_of(values)
    counts, _ = np.histogram(values[np.isfinite(values)], edges)
    return {"top": counts, "left": edges[:-1], "right": edges[1:]}


class MetricsHistogram(Chart):
    """Histograms of system metrics, one per event.

    `system_metrics` contains the values by key (dimension and node) and event; `sources` what is
    drawn.
    """

    def __init__(self, metrics_reader: Any):
        super().__init__()
        self.metrics_reader = metrics_reader
        self.clear()

    def clear(self) -> None:
        """Removes data and figures."""
        self.system_metrics: dict[str, dict[str, np.ndarray]] = {}
        self.sources: dict[str, dict[str, Any]] = {}
        self.select_dimensions: Sequence[str] = [".*"]
        self.select_events: Sequence[str] = [".*"]
        self.show_workers = True
        self.last_timestamp = 0
        self.layout = self._handle = None

    def plot(
        self,
        starttime: float = 0,
        endtime: float | None = None,
        select_dimensions: Sequence[str] = (".*",),
        select_events: Sequence[str] = (".*",),
        show_workers: bool = True,
    ) -> Any:
        """Draws metrics in a time range (µs since 1970; None: everything) and returns the figures.

        The time of the newest file means everything, too. Dimension and name of the events must
        match the patterns.
        """
        self.clear()
        self.select_dimensions, self.select_events = list(select_dimensions), list(select_events)
        self.show_workers = show_workers
        self._read(starttime, end_of_range(self.metrics_reader, endtime))
        return self.create_plot()

    def preprocess_system_metrics(
        self,
        all_events: Sequence[ProfilerSystemEvent] = (),
        system_metrics: dict[str, dict[str, np.ndarray]] | None = None,
    ) -> dict[str, dict[str, np.ndarray]]:
        """Adds the values of selected events to the given ones and returns them."""
        found = dict(system_metrics or {})
        self._add(found, SystemColumns.of_events(all_events))
        return found

    def _add(self, known: dict[str, dict[str, np.ndarray]], columns: SystemColumns) -> None:
        found = gather(columns, self.select_dimensions, self.show_workers)
        for key, events in select(found, self.select_events).items():
            into = known.setdefault(key, {})
            for event, series in events.items():
                into[event] = np.concatenate([into.get(event, np.empty(0)), series.value])

    def _read(self, start_us: float, end_us: float) -> None:
        columns = read_columns(self.metrics_reader, start_us, end_us)
        self._add(self.system_metrics, columns)
        if len(columns):
            self.last_timestamp = max(self.last_timestamp, int(columns.time_us.max()))

    def create_plot(self) -> Any:
        """Draws the data that was read."""
        bokeh = import_bokeh()
        self.sources, rows = {}, []
        for number, (key, events) in enumerate(self.system_metrics.items()):
            figures = []
            for event, values in events.items():
                source = bokeh.models.ColumnDataSource(histogram_of(values))
                self.sources.setdefault(key, {})[event] = source
                figures.append(self._figure(event, source, colour(number)))
            rows.append(bokeh.models.Div(text=f"<b>{escape(title_of(key))}</b>"))
            rows.append(bokeh.layouts.gridplot(figures, ncols=COLUMNS, toolbar_location=None))
        return self._draw(bokeh.layouts.column(*rows))

    @staticmethod
    def _figure(title: str, source: Any, fill: str) -> Any:
        figure = new_figure(
            *(260, 200),
            title=title,
            tools="pan,wheel_zoom,reset,hover",
            tooltips=[("from", "@left{0.0}"), ("to", "@right{0.0}"), ("samples", "@top")],
            x_axis_label="value",
            y_axis_label="samples",
        )
        edges = {"left": "left", "right": "right", "top": "top", "bottom": 0}
        figure.quad(source=source, fill_color=fill, line_color="white", line_width=0.5, **edges)
        figure.y_range.start = 0
        figure.yaxis.ticker.min_interval = 1
        return figure

    def update_data(self, current_timestamp: float) -> None:
        """Adds new metrics up to a time (µs) to the figures shown."""
        if current_timestamp <= self.last_timestamp:
            return
        self._read(self.last_timestamp + 1, current_timestamp)
        for key, events in self.sources.items():
            for event, source in events.items():
                source.data = histogram_of(self.system_metrics[key][event])
        self._push()
