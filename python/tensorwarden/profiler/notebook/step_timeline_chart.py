"""The duration of each step over time."""

from __future__ import annotations

from typing import Any

import numpy as np

from tensorwarden.profiler.notebook.chart import Chart, colour, import_bokeh, new_figure
from tensorwarden.profiler.notebook.system_series import FOREVER_US
from tensorwarden.profiler.reading.span_columns import SpanColumns, read_spans

STEP = "Step:ModeKeys"


class StepTimelineChart(Chart):
    """A line per mode and node: the duration of its steps over the run.

    The first step of each is skipped, because it is not typical. `sources` contains the lines by
    name.
    """

    def __init__(self, metrics_reader: Any = None, width: int = 1000):
        super().__init__()
        self.metrics_reader = metrics_reader
        self.width = width
        self.sources: dict[str, Any] = {}
        self.start_us = 0
        self.last_timestamp = 0
        self._seen: set[str] = set()
        if metrics_reader is not None:
            self.plot()

    def plot(self) -> Any:
        """Draws all current steps and returns the figure."""
        bokeh = import_bokeh()
        figure = new_figure(
            *(self.width, 300),
            title="Step duration",
            tools="xpan,xwheel_zoom,xbox_zoom,reset,hover",
            tooltips=[
                ("", "@metric"),
                *(("step", "@step"), ("duration", "@duration_ms{0.000} ms")),
                ("begins", "@seconds{0.000} s"),
            ],
            x_axis_label="seconds since the first step",
            y_axis_label="ms",
        )
        self._seen, self.start_us, self.last_timestamp = set(), 0, 0
        lines = self._lines(0, FOREVER_US)
        self.sources = {}
        for number, (name, data) in enumerate(sorted(lines.items())):
            source = self.sources[name] = bokeh.models.ColumnDataSource(data)
            columns = {"x": "seconds", "y": "duration_ms", "source": source}
            figure.line(line_color=colour(number), legend_label=name, **columns)
            # Circles have a size in pixels up to bokeh 2.x; from 3.4 on, only markers do.
            figure.scatter(size=4, color=colour(number), legend_label=name, **columns)
        if self.sources:
            figure.legend.click_policy = "hide"
            figure.legend.label_text_font_size = "8pt"
            figure.add_layout(figure.legend[0], "below")
        return self._draw(figure)

    def _lines(self, start_us: float, end_us: float) -> dict[str, dict[str, Any]]:
        """Returns the columns of each line, for the steps that begin in a range."""
        spans = read_spans(self.metrics_reader, start_us, end_us)
        spans = spans.where(
            np.flatnonzero(spans.phase.matching(STEP) & (spans.start_us >= start_us))
        )
        spans = spans.where(np.argsort(spans.start_us, kind="stable"))
        if not len(spans):
            return {}
        self.start_us = self.start_us or int(spans.start_us[0])
        self.last_timestamp = max(self.last_timestamp, int(spans.start_us[-1]))
        names = np.array(
            [f"{p}-nodeid:{n}" for p, n in zip(spans.phase.array(), spans.node.array())]
        )
        lines = {}
        for name in sorted(set(names.tolist())):
            rows = np.flatnonzero(names == name)
            first = 0 if name in self._seen else 1
            self._seen.add(name)
            lines[name] = self._line(name, spans.where(rows[first:]))
        return lines

    def _line(self, name: str, spans: SpanColumns) -> dict[str, Any]:
        return {
            "seconds": (spans.start_us - self.start_us) / 1e6,
            "duration_ms": spans.duration_us / 1e3,
            "step": spans.step,
            "metric": [name] * len(spans),
        }

    def update_data(self, current_timestamp: float) -> None:
        """Adds new steps up to a time (µs) to the lines shown."""
        if self.metrics_reader is None or current_timestamp <= self.last_timestamp:
            return
        for name, data in self._lines(self.last_timestamp + 1, current_timestamp).items():
            if name in self.sources:
                self.sources[name].stream(data)
        self._push()
