"""Profiler data as frames."""

from tensorwarden.profiler.frames import PandasFrame

__all__ = [
    "PandasFrame",
]
