"""System metrics as lines over time."""

from __future__ import annotations

from typing import Any

from tensorwarden.profiler.notebook.chart import colour, new_figure
from tensorwarden.profiler.notebook.system_series import TOTAL, title_of

# The number of names that fit next to a figure.
MOST_NAMES = 12
TOTAL_COLOUR = "#111827"


def metric_figure(key: str, sources: dict[str, Any], x_range: Any) -> Any:
    """Draws a line for each source (columns seconds, value, index), by event."""
    figure = new_figure(
        *(1000, 220),
        title=title_of(key),
        tools="xpan,xwheel_zoom,xbox_zoom,reset,hover",
        tooltips=[
            *(("", "$name"), ("value", "@value{0.0}"), ("at", "@seconds{0.000} s")),
            ("index", "@index"),
        ],
        x_range=x_range,
        x_axis_label="seconds since the first sample",
    )
    for number, (event, source) in enumerate(sources.items()):
        is_total = event == TOTAL
        style = {"line_width": 2 if is_total else 1, "legend_label": event, "name": event}
        style["line_color"] = TOTAL_COLOUR if is_total else colour(number)
        figure.line("seconds", "value", source=source, **style)
    legend = figure.legend
    legend.click_policy = "hide"
    legend.label_text_font_size = "7pt"
    legend.spacing, legend.padding = 0, 2
    legend.glyph_height = legend.label_height = 14
    legend.visible = len(sources) <= MOST_NAMES
    figure.add_layout(figure.legend[0], "right")
    return figure
