"""Queries Python profiles."""

from tensorwarden.profiler.python.analysis import (
    PyinstrumentAnalysis,
    PythonProfileAnalysis,
    cProfileAnalysis,
)

__all__ = [
    "PyinstrumentAnalysis",
    "PythonProfileAnalysis",
    "cProfileAnalysis",
]
