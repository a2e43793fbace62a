"""Merged timelines."""

from tensorwarden.profiler.merge import MergedTimeline, MergeUnit

__all__ = [
    "MergeUnit",
    "MergedTimeline",
]
