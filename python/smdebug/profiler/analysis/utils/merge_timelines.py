"""Merged timelines."""

from tensorwarden.profiler.reading.merge import MergedTimeline, MergeUnit

__all__ = [
    "MergeUnit",
    "MergedTimeline",
]
