"""Horovod's timeline."""

from tensorwarden.profiler.recording.horovod import HvdTraceFileRotation

__all__ = [
    "HvdTraceFileRotation",
]
