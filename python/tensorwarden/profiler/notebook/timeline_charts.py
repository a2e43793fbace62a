"""System metrics over time, and what the training did at the same time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tensorwarden.profiler.notebook.chart import Chart, import_bokeh
from tensorwarden.profiler.notebook.metric_figure import metric_figure
from tensorwarden.profiler.notebook.span_charts import loader_figure, span_figure
from tensorwarden.profiler.notebook.system_series import (
    FOREVER_US,
    TOTAL,
    Series,
    SeriesByKey,
    append,
    end_of_range,
    gather,
    select,
)
from tensorwarden.profiler.reading.span_columns import SpanColumns, read_spans
from tensorwarden.profiler.reading.system_columns import read_columns

CPU = "CPUUtilization"
# More spans are not distinguishable in a figure.
MOST_SPANS = 500
DATA_LOADER = "DataLoader|DataIterator|Dataset"


class TimelineCharts(Chart):
    """One figure per dimension and node, drawn by the constructor, with the last `x` samples.

    Earlier samples can be reached by panning. `system_metrics` contains the series. The index of a
    sample, which the tooltips show, counts the samples of the mean CPU utilization.
    """

    def __init__(
        self,
        system_metrics_reader: Any,
        framework_metrics_reader: Any,
        starttime: float = 0,
        endtime: float | None = None,
        select_dimensions: Sequence[str] = (".*",),
        select_events: Sequence[str] = (".*",),
        x: int = 1000,
        show_workers: bool = True,
    ):
        super().__init__()
        self.system_metrics_reader = system_metrics_reader
        self.framework_metrics_reader = framework_metrics_reader
        self.select_dimensions, self.select_events = list(select_dimensions), list(select_events)
        self.x = x
        self.show_workers = show_workers
        self.system_metrics: SeriesByKey = {}
        self.sources: dict[str, dict[str, Any]] = {}
        self._cpu = Series(np.empty(0, np.int64), np.empty(0))
        self.start_us = self.last_timestamp = 0
        self._read(starttime, end_of_range(system_metrics_reader, endtime))
        self.plot_system_metrics()

    def _read(self, start_us: float, end_us: float) -> SeriesByKey:
        """Adds the measurements of a range and returns the new ones."""
        columns = read_columns(self.system_metrics_reader, start_us, end_us)
        found = gather(columns, self.select_dimensions, self.show_workers)
        new = select(found, self.select_events)
        append(self.system_metrics, new)
        # Indexes count CPU samples, whatever is selected for display.
        counted = {CPU: {TOTAL: self._cpu}}
        append(counted, select(gather(columns, [f"^{CPU}$"], show_workers=False), [f"^{TOTAL}$"]))
        self._cpu = counted[CPU][TOTAL]
        if len(columns):
            times = columns.time_us
            self.start_us = self.start_us or int(times.min())
            self.last_timestamp = max(self.last_timestamp, int(times.max()))
        return new

    def _columns(self, series: Series) -> dict[str, Any]:
        return {
            "seconds": (series.time_us - self.start_us) / 1e6,
            "value": series.value,
            "index": np.maximum(
                np.searchsorted(self._cpu.time_us, series.time_us, side="right") - 1, 0
            ),
        }

    def plot_system_metrics(self) -> Any:
        """Draws the system metrics and returns the figures."""
        bokeh = import_bokeh()
        self.sources, figures = {}, []
        shared: Any = self._range()
        for key, events in self.system_metrics.items():
            sources = {
                event: bokeh.models.ColumnDataSource(self._columns(series))
                for event, series in events.items()
            }
            self.sources[key] = sources
            figures.append(metric_figure(key, sources, shared))
            # All figures pan and zoom together.
            shared = figures[0].x_range
        return self._draw(bokeh.layouts.column(*figures))

    def _range(self) -> tuple[float, float]:
        times = [s.time_us for events in self.system_metrics.values() for s in events.values()]
        last = max((int(one[-1]) for one in times if len(one)), default=0)
        first = min((int(one[-self.x :][0]) for one in times if len(one)), default=0)
        start, end = (first - self.start_us) / 1e6, (last - self.start_us) / 1e6
        return start, max(end, start + 1e-3)

    def _moments(self, indexes: Sequence[int]) -> tuple[int, int]:
        """Returns the time from the first of some samples to the end of the last."""
        times = self._cpu.time_us
        if not len(times):
            raise ValueError(f"no samples of {CPU}; indexes count these samples")
        wrong = [i for i in indexes if not 0 <= i < len(times)]
        if wrong or not len(indexes):
            raise ValueError(f"indexes is {indexes!r}; expected numbers from 0 to {len(times) - 1}")
        first, last = min(indexes), max(indexes)
        end = times[last + 1] if last + 1 < len(times) else times[last]
        return int(times[first]), int(end)

    def _spans(self, begin_us: float, end_us: float) -> SpanColumns:
        if self.framework_metrics_reader is None:
            raise ValueError("framework_metrics_reader is None; timelines are required")
        return read_spans(self.framework_metrics_reader, begin_us, end_us)

    def find_time_annotations(self, indexes: Sequence[int]) -> dict[str, int]:
        """Prints and returns the µs in each phase during some samples, longest first."""
        begin, end = self._moments(indexes)
        spans = self._spans(begin, end)
        inside = np.minimum(spans.end_us, end) - np.maximum(spans.start_us, begin)
        found = spans.phase.sums(np.maximum(inside, 0))
        found = dict(sorted(found.items(), key=lambda pair: -pair[1]))
        print(f"From {begin} to {end} µs since 1970:")
        for phase, us in found.items():
            print(f"  {us / 1000:.3f} ms in {phase}")
        return found

    def plot_detailed_profiler_data(self, indexes: Sequence[int]) -> Any:
        """Draws the spans and the data loading at some samples; returns the figures."""
        begin, end = self._moments(indexes)
        spans = self._spans(begin, end)
        figures = [self._framework_figure(spans, begin, end)]
        if spans.phase.matching(DATA_LOADER).any():
            figures.append(self._loader_figure(spans, begin, end))
        return self._draw(import_bokeh().layouts.column(*figures))

    def plot_framework_events(
        self, events: Any = None, begin_timestamp: float = 0, end_timestamp: float = FOREVER_US
    ) -> Any:
        """Draws spans (the given ones, or those of a range) as bars over time; returns the
        figure."""
        spans = self._given(events, begin_timestamp, end_timestamp)
        return self._draw(self._framework_figure(spans, begin_timestamp, end_timestamp))

    def plot_dataloaders(
        self, events: Any = None, begin_timestamp: float = 0, end_timestamp: float = FOREVER_US
    ) -> Any:
        """Draws data loading, one row per worker; returns the figure."""
        spans = self._given(events, begin_timestamp, end_timestamp)
        return self._draw(self._loader_figure(spans, begin_timestamp, end_timestamp))

    def _given(self, events: Any, begin_us: float, end_us: float) -> SpanColumns:
        return self._spans(begin_us, end_us) if events is None else SpanColumns.of_events(events)

    def _first(self, spans: SpanColumns) -> tuple[SpanColumns, str]:
        """Returns the first spans, and a note if there are more."""
        order = np.argsort(spans.start_us, kind="stable")
        note = f" (first {MOST_SPANS} of {len(spans)})" if len(spans) > MOST_SPANS else ""
        return spans.where(order[:MOST_SPANS]), note

    def _framework_figure(self, spans: SpanColumns, begin_us: float, end_us: float) -> Any:
        first, note = self._first(spans)
        return span_figure(first, f"Spans{note}", begin_us, end_us)

    def _loader_figure(self, spans: SpanColumns, begin_us: float, end_us: float) -> Any:
        loading = spans.where(np.flatnonzero(spans.phase.matching(DATA_LOADER)))
        first, note = self._first(loading)
        return loader_figure(first, f"Data loading{note}", begin_us, end_us)

    def update_data(self, current_timestamp: float) -> None:
        """Adds new metrics up to a time (µs) to the figures shown."""
        if current_timestamp <= self.last_timestamp:
            return
        for key, events in self._read(self.last_timestamp + 1, current_timestamp).items():
            for event, series in events.items():
                source = self.sources.get(key, {}).get(event)
                if source is not None:
                    source.stream(self._columns(series))
        self._push()
