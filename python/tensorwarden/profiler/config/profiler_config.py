"""What is profiled and when, from the parsed configuration. Keys are lower case."""

from __future__ import annotations

import re
import time
from enum import Enum
from typing import Any, Callable

from tensorwarden.profiler.common.constants import (
    CPROFILE_NAME,
    PROFILING_NUM_STEPS_DEFAULT,
    PYINSTRUMENT_NAME,
)
from tensorwarden.profiler.python.modes import cProfileTimer


class MetricsConfigsField(Enum):
    """The fields of the sections of the configuration."""

    START_STEP = "startstep"
    NUM_STEPS = "numsteps"
    START_TIME = "starttimeinsecsinceepoch"
    DURATION = "durationinseconds"
    DEFAULT_PROFILING = "defaultprofiling"
    METRICS_REGEX = "metricsregex"
    PROFILER_NAME = "profilername"
    CPROFILE_TIMER = "cprofiletimer"
    EVERY_STEPS = "everysteps"


class RotationPolicy:
    """The size and age at which a timeline file is closed."""

    def __init__(self, file_max_size: int, file_close_interval: float):
        self.file_max_size = file_max_size
        self.file_close_interval = file_close_interval


class TraceFile:
    """How timeline files are written."""

    def __init__(
        self, file_max_size: int, file_close_interval: float, file_open_fail_threshold: int
    ):
        self.rotation_policy = RotationPolicy(file_max_size, file_close_interval)
        self.file_open_fail_threshold = file_open_fail_threshold


class ProfileRange:
    """The steps or the time in which something is profiled.

    No fields, or wrong ones, disable it; `error_message` then gives the reason.
    """

    def __init__(self, name: str, profile_range: dict[str, Any]):
        self.name = name
        self.error_message: str | None = None
        self.disabled = profile_range == {}
        self.end_step: int | None = None
        self.end_time: float | None = None
        self.reset_profile_range()
        field = MetricsConfigsField
        self.start_step = self._number(profile_range, field.START_STEP.value, int)
        self.num_steps = self._number(profile_range, field.NUM_STEPS.value, int)
        self.start_time_in_sec = self._number(profile_range, field.START_TIME.value, float)
        self.duration_in_sec = self._number(profile_range, field.DURATION.value, float)
        if self.duration_in_sec is None:
            # The SageMaker SDK uses this name.
            self.duration_in_sec = self._number(profile_range, "duration", float)
        if self.has_step_range() and self.has_time_range():
            self._fail("both a range of steps and a range of time are given; expected one of them")

    def _number(self, values: dict[str, Any], key: str, kind: Callable[[Any], Any]) -> Any:
        value = values.get(key)
        try:
            return None if value is None else kind(value)
        except (ValueError, TypeError):
            self._fail(f"{key} is {value!r}; expected a number")
            return None

    def _fail(self, what: str) -> None:
        self.error_message = f"{self.name} disabled: {what}"
        self.disabled = True
        self.reset_profile_range()

    def reset_profile_range(self) -> None:
        """Clears the range."""
        self.start_step = self.num_steps = self.start_time_in_sec = self.duration_in_sec = None

    def has_step_range(self) -> bool:
        """Returns whether a range of steps is set."""
        return self.start_step is not None or bool(self.num_steps)

    def has_time_range(self) -> bool:
        """Returns whether a range of time is set."""
        return bool(self.start_time_in_sec or self.duration_in_sec)

    def is_enabled(self) -> bool:
        """Returns whether it is enabled."""
        return not self.disabled

    def can_start_profiling(self, current_step: int | str, current_time: float | None) -> bool:
        """Returns whether the step or time is in the range.

        The first call sets what the range leaves open. The step `*` means outside of steps and is
        in every range of steps.
        """
        if not self.is_enabled():
            return False
        now = time.time() if current_time is None else current_time
        if self.has_step_range():
            if isinstance(current_step, str):
                return True
            if self.start_step is None:
                self.start_step = current_step
            if self.num_steps is None:
                self.num_steps = PROFILING_NUM_STEPS_DEFAULT
            self.end_step = self.start_step + self.num_steps
            return self.start_step <= current_step < self.end_step
        if self.has_time_range():
            if self.start_time_in_sec is None:
                self.start_time_in_sec = now
            if self.duration_in_sec:
                self.end_time = self.start_time_in_sec + self.duration_in_sec
                return self.start_time_in_sec <= now < self.end_time
            if self.start_time_in_sec <= now and not isinstance(current_step, str):
                if self.end_step is None:
                    self.end_step = current_step + PROFILING_NUM_STEPS_DEFAULT
                return current_step < self.end_step
        return False


class DetailedProfilingConfig(ProfileRange):
    """Profiling by the profiler of the framework."""

    def __init__(self, detailed_profiling_config: dict[str, Any]):
        super().__init__("detailed profiling", detailed_profiling_config)


class SMDataParallelProfilingConfig(ProfileRange):
    """Profiling of SageMaker's data parallelism."""

    def __init__(self, smdataparallel_profiling_config: dict[str, Any]):
        super().__init__("smdataparallel profiling", smdataparallel_profiling_config)


class DataloaderProfilingConfig(ProfileRange):
    """Profiling of data loaders whose metrics match a pattern, ignoring case."""

    def __init__(self, dataloader_config: dict[str, Any]):
        super().__init__("dataloader profiling", dataloader_config)
        pattern = dataloader_config.get(MetricsConfigsField.METRICS_REGEX.value, ".*")
        self.metrics_regex = re.compile(".*")
        try:
            self.metrics_regex = re.compile(pattern, re.IGNORECASE)
        except (re.error, TypeError) as error:
            self._fail(f"MetricsRegex is {pattern!r}; expected a regular expression ({error})")

    def valid_metrics_name(self, metrics_name: str) -> bool:
        """Returns whether the name matches the pattern."""
        return self.metrics_regex.match(metrics_name) is not None


class PythonProfilingConfig(ProfileRange):
    """Profiling of Python code with cProfile or pyinstrument."""

    def __init__(self, python_profiling_config: dict[str, Any]):
        super().__init__("python profiling", python_profiling_config)
        field = MetricsConfigsField
        name = str(python_profiling_config.get(field.PROFILER_NAME.value, CPROFILE_NAME)).lower()
        timer = python_profiling_config.get(field.CPROFILE_TIMER.value, "total_time")
        self.profiler_name: str | None = name
        self.cprofile_timer: cProfileTimer | None = None
        if name not in (CPROFILE_NAME, PYINSTRUMENT_NAME):
            self._fail(f"ProfilerName is {name!r}; expected {CPROFILE_NAME} or {PYINSTRUMENT_NAME}")
        elif name == CPROFILE_NAME:
            try:
                self.cprofile_timer = cProfileTimer(str(timer).lower())
            except ValueError:
                names = ", ".join(known.value for known in cProfileTimer)
                self._fail(f"cProfileTimer is {timer!r}; expected one of: {names}")
        if self.error_message is not None:
            self.profiler_name = self.cprofile_timer = None


class KernelProfilingConfig(ProfileRange):
    """Recording of GPU activity in a range, or in the first steps of every so many."""

    def __init__(self, kernel_profiling_config: dict[str, Any]):
        super().__init__("kernel profiling", kernel_profiling_config)
        key = MetricsConfigsField.EVERY_STEPS.value
        self.every_steps = self._number(kernel_profiling_config, key, int)
        if self.every_steps is None:
            return
        if self.num_steps is None:
            self.num_steps = PROFILING_NUM_STEPS_DEFAULT
        if not 0 < self.num_steps < self.every_steps:
            self._fail(
                f"{key} is {self.every_steps}; expected more than the {self.num_steps} steps that "
                "are recorded"
            )

    def can_start_profiling(self, current_step: int | str, current_time: float | None) -> bool:
        """Returns whether the step or time is in the range."""
        if self.every_steps is None or not self.is_enabled() or isinstance(current_step, str):
            return super().can_start_profiling(current_step, current_time)
        # The first steps of a training are not like the others.
        first = self.num_steps if self.start_step is None else self.start_step
        return current_step >= first and (current_step - first) % self.every_steps < self.num_steps


class ProfilerConfig:
    """The whole configuration."""

    def __init__(
        self,
        local_path: str,
        file_max_size: int,
        file_close_interval: float,
        file_open_fail_threshold: int,
        detailed_profiling_config: dict[str, Any],
        dataloader_profiling_config: dict[str, Any],
        python_profiling_config: dict[str, Any],
        smdataparallel_profiling_config: dict[str, Any],
        cpu_profiling_duration: float | None = None,
        kernel_profiling_config: dict[str, Any] | None = None,
    ):
        self.local_path = local_path
        # Seconds; limits the operators that a script records by hand. None: no limit.
        self.cpu_profiling_duration = cpu_profiling_duration
        self.trace_file = TraceFile(file_max_size, file_close_interval, file_open_fail_threshold)
        self.detailed_profiling_config = DetailedProfilingConfig(detailed_profiling_config)
        self.dataloader_profiling_config = DataloaderProfilingConfig(dataloader_profiling_config)
        self.python_profiling_config = PythonProfilingConfig(python_profiling_config)
        self.smdataparallel_profiling_config = SMDataParallelProfilingConfig(
            smdataparallel_profiling_config
        )
        self.kernel_profiling_config = KernelProfilingConfig(kernel_profiling_config or {})
