"""What a training job should save, be judged by and be profiled for: the configuration classes of
the SageMaker SDK, for those who have only this package. Requests made from them are the same."""

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
