"""Queries Python profiles."""

from tensorwarden.profiler.python_analysis import (
    PyinstrumentAnalysis,
    PythonProfileAnalysis,
    cProfileAnalysis,
)

__all__ = [
    "PyinstrumentAnalysis",
    "PythonProfileAnalysis",
    "cProfileAnalysis",
]
