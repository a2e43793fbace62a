"""Steps over time."""

from tensorwarden.profiler.notebook.step_timeline_chart import StepTimelineChart

__all__ = [
    "StepTimelineChart",
]
