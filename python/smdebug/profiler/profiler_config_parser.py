"""The configuration of the profiler."""

from tensorwarden.profiler.config.parser import (
    MetricsCategory,
    ProfilerConfigParser,
    ProfilingParametersField,
    get_profiler_config_parser,
    reset_profiler_config_parser,
)

__all__ = [
    "MetricsCategory",
    "ProfilerConfigParser",
    "ProfilingParametersField",
    "get_profiler_config_parser",
    "reset_profiler_config_parser",
]
