"""Selects the steps or the time that each kind of profiling covers."""

import re
from enum import Enum
from typing import Any, Dict, Optional


class PythonProfiler(Enum):
    """The profiler for Python functions."""

    CPROFILE = "cprofile"
    PYINSTRUMENT = "pyinstrument"


class cProfileTimer(Enum):
    """The time that cProfile measures."""

    TOTAL_TIME = "total_time"
    CPU_TIME = "cpu_time"
    OFF_CPU_TIME = "off_cpu_time"
    DEFAULT = "default"  # Each of the three for one step.


class ProfilingRange:
    """A kind of profiling with the steps or the time that it covers.

    `start_step` and `num_steps` select steps; `start_unix_time` and `duration` (in seconds) select
    a time. Without either, or with `profile_default_steps`, the defaults of the kind apply. Raises
    ValueError if both are given.
    """

    name = ""
    default_start_step = 0
    default_num_steps = 1

    def __init__(
        self,
        start_step: Optional[int] = None,
        num_steps: Optional[int] = None,
        start_unix_time: Optional[int] = None,
        duration: Optional[float] = None,
        profile_default_steps: bool = False,
    ):
        _check_flag("profile_default_steps", profile_default_steps)
        given = (start_step, num_steps, start_unix_time, duration)
        if profile_default_steps or all(value is None for value in given):
            start_step, num_steps = self.default_start_step, self.default_num_steps
        _check_number("start_step", start_step, int, 0)
        _check_number("num_steps", num_steps, int, 1)
        _check_number("start_unix_time", start_unix_time, int, 0)
        _check_number("duration", duration, (int, float), 0)
        by_steps = start_step is not None or num_steps is not None
        if by_steps and (start_unix_time is not None or duration is not None):
            raise ValueError(
                f"{self.name} has both a range of steps and a range of time; "
                "expected one of them"
            )
        self.settings: Dict[str, Any] = {}
        if by_steps:
            self.settings["StartStep"] = 0 if start_step is None else start_step
            self.settings["NumSteps"] = 1 if num_steps is None else num_steps
        if start_unix_time is not None:
            self.settings["StartTimeInSecSinceEpoch"] = start_unix_time
        if duration is not None:
            self.settings["Duration"] = duration

    def to_json_string(self) -> str:
        """Returns the text for ProfilingParameters: a Python literal with a trailing comma, not
        JSON."""
        pairs = (f'"{key}": {_shown(value)}, ' for key, value in self.settings.items())
        return "{" + "".join(pairs) + "}"


class DetailedProfilingConfig(ProfilingRange):
    """Profiles operators with the profiler of the framework."""

    name = "DetailedProfilingConfig"
    default_start_step = 5


class DataloaderProfilingConfig(ProfilingRange):
    """Profiles data loaders whose events match `metrics_regex`."""

    name = "DataloaderProfilingConfig"
    default_start_step = 7

    def __init__(
        self,
        start_step: Optional[int] = None,
        num_steps: Optional[int] = None,
        start_unix_time: Optional[int] = None,
        duration: Optional[float] = None,
        profile_default_steps: bool = False,
        metrics_regex: str = ".*",
    ):
        super().__init__(start_step, num_steps, start_unix_time, duration, profile_default_steps)
        try:
            re.compile(metrics_regex)
        except (re.error, TypeError) as error:
            raise ValueError(
                f"metrics_regex is {metrics_regex!r}; expected a regular expression: {error}"
            ) from error
        self.metrics_regex = metrics_regex
        self.settings["MetricsRegex"] = metrics_regex


class PythonProfilingConfig(ProfilingRange):
    """Profiles Python functions."""

    name = "PythonProfilingConfig"
    default_start_step = 9
    default_num_steps = 3

    def __init__(
        self,
        start_step: Optional[int] = None,
        num_steps: Optional[int] = None,
        start_unix_time: Optional[int] = None,
        duration: Optional[float] = None,
        profile_default_steps: bool = False,
        python_profiler: PythonProfiler = PythonProfiler.CPROFILE,
        cprofile_timer: cProfileTimer = cProfileTimer.TOTAL_TIME,
    ):
        super().__init__(start_step, num_steps, start_unix_time, duration, profile_default_steps)
        if profile_default_steps:
            cprofile_timer = cProfileTimer.DEFAULT
        _check_member("python_profiler", python_profiler, PythonProfiler)
        _check_member("cprofile_timer", cprofile_timer, cProfileTimer)
        self.python_profiler = python_profiler
        self.settings["ProfilerName"] = python_profiler.value
        if python_profiler is PythonProfiler.CPROFILE:
            self.settings["cProfileTimer"] = cprofile_timer.value


class HorovodProfilingConfig(ProfilingRange):
    """Profiles Horovod messages."""

    name = "HorovodProfilingConfig"
    default_start_step = 13


class SMDataParallelProfilingConfig(ProfilingRange):
    """Profiles messages of SageMaker's data parallel library."""

    name = "SMDataParallelProfilingConfig"
    default_start_step = 15


ALL_KINDS = (
    DetailedProfilingConfig,
    DataloaderProfilingConfig,
    PythonProfilingConfig,
    HorovodProfilingConfig,
    SMDataParallelProfilingConfig,
)


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value)


def _check_flag(name: str, value: object) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}; expected True or False")


def _check_number(name: str, value: Any, types: Any, least: int) -> None:
    if value is None:
        return
    if not isinstance(value, types) or isinstance(value, bool) or value < least:
        raise ValueError(f"{name} is {value!r}; expected a number of at least {least}")


def _check_member(name: str, value: object, members: Any) -> None:
    if not isinstance(value, members):
        names = ", ".join(str(member) for member in members)
        raise ValueError(f"{name} is {value!r}; expected one of: {names}")
