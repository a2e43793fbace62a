"""Finds segments of Python profiles."""

from tensorwarden.profiler.python.stats_reader import (
    LocalPythonStatsReader,
    PythonStatsReader,
    S3PythonStatsReader,
)

__all__ = [
    "LocalPythonStatsReader",
    "PythonStatsReader",
    "S3PythonStatsReader",
]
