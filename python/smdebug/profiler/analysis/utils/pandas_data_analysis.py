"""Statistics of data frames."""

from tensorwarden.profiler.analysis.statistics import (
    JobStats,
    PandasFrameAnalysis,
    Resource,
    StatsBy,
)

__all__ = [
    "JobStats",
    "PandasFrameAnalysis",
    "Resource",
    "StatsBy",
]
