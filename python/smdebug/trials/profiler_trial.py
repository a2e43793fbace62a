"""See `tensorwarden.profiler.trial`."""

from tensorwarden.profiler.trial import ProfilerTrial

__all__ = ["ProfilerTrial"]
