"""Segments of Python profiles."""

from tensorwarden.profiler.python.stats import (
    Metrics,
    PyinstrumentStepStats,
    StepPythonProfileStats,
    cProfileFunctionStats,
    cProfileStats,
)

__all__ = [
    "Metrics",
    "PyinstrumentStepStats",
    "StepPythonProfileStats",
    "cProfileFunctionStats",
    "cProfileStats",
]
