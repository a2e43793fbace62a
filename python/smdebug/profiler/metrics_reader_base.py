"""The base class of the readers."""

from tensorwarden.profiler.reader import MetricsReaderBase

__all__ = [
    "MetricsReaderBase",
]
