"""Histograms of steps."""

from tensorwarden.profiler.notebook.step_histogram import StepHistogram

__all__ = [
    "StepHistogram",
]
