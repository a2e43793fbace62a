"""Profiler data as data frames."""

from tensorwarden.profiler.frames import PandasFrame

__all__ = [
    "PandasFrame",
]
