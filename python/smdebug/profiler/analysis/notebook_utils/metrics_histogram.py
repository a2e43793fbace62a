"""Histograms of system metrics."""

from tensorwarden.profiler.notebook.metrics_histogram import MetricsHistogram

__all__ = [
    "MetricsHistogram",
]
