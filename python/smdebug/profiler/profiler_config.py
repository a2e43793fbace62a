"""What is profiled and when."""

from tensorwarden.profiler.config.profiler_config import (
    DataloaderProfilingConfig,
    DetailedProfilingConfig,
    MetricsConfigsField,
    ProfileRange,
    ProfilerConfig,
    PythonProfilingConfig,
    RotationPolicy,
    SMDataParallelProfilingConfig,
    TraceFile,
)

__all__ = [
    "DataloaderProfilingConfig",
    "DetailedProfilingConfig",
    "MetricsConfigsField",
    "ProfileRange",
    "ProfilerConfig",
    "PythonProfilingConfig",
    "RotationPolicy",
    "SMDataParallelProfilingConfig",
    "TraceFile",
]
