"""Spans as bars over time."""

from __future__ import annotations

from typing import Any

from tensorwarden.profiler.notebook.chart import colour, import_bokeh, new_figure
from tensorwarden.profiler.reading.span_columns import SpanColumns

ROW_PIXELS = 22


def span_figure(spans: SpanColumns, title: str, begin_us: float, end_us: float) -> Any:
    """Draws a row for each phase of each node."""
    rows = [f"{phase} ({node})" for phase, node in zip(spans.phase.array(), spans.node.array())]
    return _bars(spans, rows, title, begin_us, end_us)


def loader_figure(spans: SpanColumns, title: str, begin_us: float, end_us: float) -> Any:
    """Draws a row for each process that loads data: the training process and each worker."""
    rows = [
        f"worker {worker} (pid {pid}, {node})" if worker >= 0 else f"{name} (pid {pid}, {node})"
        for worker, pid, node, name in zip(
            spans.worker, spans.pid, spans.node.array(), spans.name.array()
        )
    ]
    return _bars(spans, rows, title, begin_us, end_us)


def _bars(spans: SpanColumns, rows: list[str], title: str, begin_us: float, end_us: float) -> Any:
    """Draws the bars. The visible range is the requested one, limited to the spans."""
    bokeh = import_bokeh()
    origin = int(spans.start_us.min()) if len(spans) else 0
    names = list(dict.fromkeys(rows))
    source = bokeh.models.ColumnDataSource(
        {
            "left": (spans.start_us - origin) / 1e3,
            "right": (spans.end_us - origin) / 1e3,
            "row": rows,
            "name": spans.name.array().tolist(),
            "step": spans.step,
            "duration_ms": spans.duration_us / 1e3,
            "colour": [colour(names.index(row)) for row in rows],
        }
    )
    figure = new_figure(
        *(1000, max(ROW_PIXELS * len(names) + 90, 220)),
        title=title,
        tools="xpan,xwheel_zoom,xbox_zoom,reset,hover",
        tooltips=[
            *(("", "@name"), ("in", "@row"), ("step", "@step")),
            ("duration", "@duration_ms{0.000} ms"),
        ],
        x_axis_label="ms since the first span shown",
        y_range=list(reversed(names)),
    )
    if len(spans):
        left = max(begin_us, origin)
        right = min(end_us, int(spans.end_us.max()))
        figure.x_range.start = (left - origin) / 1e3
        figure.x_range.end = max((right - origin) / 1e3, figure.x_range.start + 1e-3)
    bars = {"left": "left", "right": "right", "y": "row", "height": 0.7}
    figure.hbar(source=source, fill_color="colour", line_color="white", line_width=0.5, **bars)
    figure.yaxis.major_label_text_font_size = "8pt"
    return figure
