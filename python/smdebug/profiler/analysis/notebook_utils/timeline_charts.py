"""System metrics over time."""

from tensorwarden.profiler.notebook.timeline_charts import TimelineCharts

__all__ = [
    "TimelineCharts",
]
