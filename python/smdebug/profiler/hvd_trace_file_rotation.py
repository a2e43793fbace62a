"""Horovod's timeline."""

from tensorwarden.profiler.horovod import HvdTraceFileRotation

__all__ = [
    "HvdTraceFileRotation",
]
