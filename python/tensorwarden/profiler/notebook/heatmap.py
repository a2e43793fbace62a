"""All system metrics of a run at a glance: one row per metric, one color per point in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tensorwarden.profiler.notebook.chart import Chart, import_bokeh, new_figure
from tensorwarden.profiler.notebook.system_series import (
    TOTAL,
    Series,
    end_of_range,
    gather,
    matches,
    mean_of,
    select,
)
from tensorwarden.profiler.reading.system_columns import SystemColumns, read_columns

# Dimensions without percentages; shown relative to their largest value.
ABSOLUTE = ("Algorithm", "Platform", "")
# The mean over all nodes, shown as an extra node.
ALL_NODES = "node_total"
MOST_MOMENTS = 1000
ROW_PIXELS = 14
PALETTE = "Viridis256"


def _as_percentages(columns: SystemColumns) -> SystemColumns:
    """Scales every event to percent of its largest value on any node."""
    largest = np.zeros(len(columns.name.texts))
    np.fmax.at(largest, columns.name.codes, columns.value)
    scale = 100 / np.where(largest > 0, largest, 100)
    return replace(columns, value=columns.value * scale[columns.name.codes])


class Heatmap(Chart):
    """A heat map of system metrics, drawn by the constructor.

    `rows` are the names from top to bottom. `values` are the percentages, one line per row and one
    column per point in time; NaN means not measured. `edges_us` are the limits of the columns.
    `select_metrics` are patterns of row names; a reader of timelines, which scripts pass in its
    place, selects all rows.
    """

    def __init__(
        self,
        metrics_reader: Any,
        select_metrics: Any = (),
        starttime: float = 0,
        endtime: float | None = None,
        select_dimensions: Sequence[str] = (".*CPU", ".*GPU"),
        select_events: Sequence[str] = (".*",),
        plot_height: int = 350,
        show_workers: bool = True,
    ):
        super().__init__()
        self.metrics_reader = metrics_reader
        is_reader = hasattr(select_metrics, "get_events")
        self.select_metrics: list[str] = [] if is_reader else list(select_metrics)
        self.select_dimensions, self.select_events = list(select_dimensions), list(select_events)
        self.plot_height = plot_height
        self.show_workers = show_workers
        end = end_of_range(metrics_reader, endtime)
        self._set(read_columns(metrics_reader, starttime, end))
        self._draw(self._figure())

    def _set(self, columns: SystemColumns) -> None:
        named = self._named(columns)
        self.rows = list(named)
        times = np.concatenate([[0], *(series.time_us for series in named.values())])[1:]
        first, last = (int(times.min()), int(times.max())) if len(times) else (0, 0)
        moments = max(1, min(MOST_MOMENTS, max((len(s.value) for s in named.values()), default=0)))
        # One column per sample; the last sample is in the middle of the last column.
        part = max((last - first) / max(moments - 1, 1), 1.0)
        self.edges_us = first - part / 2 + part * np.arange(moments + 1)
        lines = [self._line(series) for series in named.values()]
        self.values = np.array(lines).reshape(len(lines), moments)

    def _named(self, columns: SystemColumns) -> dict[str, Series]:
        """Returns the rows by name: the mean over the nodes for each dimension, then every
        event."""
        named: dict[str, Series] = {}
        texts = columns.dimension.texts
        for code in sorted(columns.dimension.present(), key=texts.__getitem__):
            dimension = texts[code]
            part = columns.where(np.flatnonzero(columns.dimension.codes == code))
            if dimension in ABSOLUTE:
                part = _as_percentages(part)
            found = gather(part, self.select_dimensions, self.show_workers)
            if found and self.show_workers:
                every = mean_of([events[TOTAL] for events in found.values()])
                found = {f"{dimension}-nodeid:{ALL_NODES}": {TOTAL: every}, **found}
            for key, events in select(found, self.select_events).items():
                for event, series in events.items():
                    name = f"{event}_{key}"
                    if not self.select_metrics or matches(name, self.select_metrics):
                        named[name] = series
        return named

    def _line(self, series: Series) -> np.ndarray:
        """Returns the mean of each column."""
        moments = len(self.edges_us) - 1
        place = np.searchsorted(self.edges_us, series.time_us, side="right") - 1
        place = np.clip(place, 0, moments - 1)
        sums = np.bincount(place, weights=series.value, minlength=moments)
        counts = np.bincount(place, minlength=moments)
        with np.errstate(invalid="ignore"):
            return sums / np.where(counts > 0, counts, np.nan)

    def _figure(self) -> Any:
        bokeh = import_bokeh()
        count = max(len(self.rows), 1)
        seconds = (self.edges_us - self.edges_us[0]) / 1e6
        figure = new_figure(
            *(1000, max(self.plot_height, ROW_PIXELS * count + 80)),
            title="Utilization (%)",
            tools="xpan,xwheel_zoom,reset,hover",
            tooltips=[("at", "$x{0.0} s"), ("percent", "@image{0.0}")],
            x_axis_label="seconds since the first sample",
            x_range=(0, float(seconds[-1])),
            y_range=(0, count),
        )
        colours = bokeh.models.LinearColorMapper(
            palette=PALETTE, low=0, high=100, nan_color="#e5e7eb"
        )
        if self.rows:
            figure.image(
                # The first line of an image is the lowest.
                image=[self.values[::-1].copy()],
                color_mapper=colours,
                **{"x": 0, "y": 0, "dw": float(seconds[-1]), "dh": count},
            )
        labels = {place + 0.5: name for place, name in enumerate(reversed(self.rows))}
        figure.yaxis.ticker = list(labels)
        figure.yaxis.major_label_overrides = labels
        figure.yaxis.major_label_text_font_size = "7pt"
        figure.grid.visible = False
        figure.add_layout(bokeh.models.ColorBar(color_mapper=colours, width=10), "right")
        return figure
