"""Writes timelines."""

from tensorwarden.profiler.common.timeline_file import TimelineRecord
from tensorwarden.profiler.recording.timeline_writer import TimelineFileWriter

__all__ = [
    "TimelineFileWriter",
    "TimelineRecord",
]
