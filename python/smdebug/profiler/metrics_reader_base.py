"""What readers share."""

from tensorwarden.profiler.reader import MetricsReaderBase

__all__ = [
    "MetricsReaderBase",
]
