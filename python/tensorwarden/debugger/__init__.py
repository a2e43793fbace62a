"""Configures what a training job saves, which rules check it and how it is profiled.

These are the configuration classes of the SageMaker SDK, for use without the SDK. They create the
same requests.
"""

from tensorwarden.debugger import rule_configs
from tensorwarden.debugger.hook_config import (
    CollectionConfig,
    DebuggerHookConfig,
    TensorBoardOutputConfig,
)
from tensorwarden.debugger.profiler_config import FrameworkProfile, Profiler, ProfilerConfig
from tensorwarden.debugger.profiling_ranges import (
    DataloaderProfilingConfig,
    DetailedProfilingConfig,
    HorovodProfilingConfig,
    PythonProfiler,
    PythonProfilingConfig,
    SMDataParallelProfilingConfig,
    cProfileTimer,
)
from tensorwarden.debugger.rules import ProfilerRule, Rule, RuleBase

__all__ = [
    "CollectionConfig",
    "DataloaderProfilingConfig",
    "DebuggerHookConfig",
    "DetailedProfilingConfig",
    "FrameworkProfile",
    "HorovodProfilingConfig",
    "Profiler",
    "ProfilerConfig",
    "ProfilerRule",
    "PythonProfiler",
    "PythonProfilingConfig",
    "Rule",
    "RuleBase",
    "SMDataParallelProfilingConfig",
    "TensorBoardOutputConfig",
    "cProfileTimer",
    "rule_configs",
]
