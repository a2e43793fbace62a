"""Statistics of data frames."""

from tensorwarden.profiler.frame_analysis import JobStats, PandasFrameAnalysis, Resource, StatsBy

__all__ = [
    "JobStats",
    "PandasFrameAnalysis",
    "Resource",
    "StatsBy",
]
