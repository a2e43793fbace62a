"""Readers of timelines."""

from tensorwarden.profiler.reading.framework_reader import (
    AlgorithmMetricsReader,
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)

__all__ = [
    "AlgorithmMetricsReader",
    "LocalAlgorithmMetricsReader",
    "S3AlgorithmMetricsReader",
]
