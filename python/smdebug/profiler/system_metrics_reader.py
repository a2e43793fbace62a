"""Readers of system metrics."""

from tensorwarden.profiler.reading.system_reader import (
    LocalSystemMetricsReader,
    S3SystemMetricsReader,
    SystemMetricsReader,
)

__all__ = [
    "LocalSystemMetricsReader",
    "S3SystemMetricsReader",
    "SystemMetricsReader",
]
