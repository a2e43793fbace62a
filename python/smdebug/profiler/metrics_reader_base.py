"""The base class of the readers."""

from tensorwarden.profiler.reading.reader import MetricsReaderBase

__all__ = [
    "MetricsReaderBase",
]
