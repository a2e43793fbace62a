"""Profiles the Python code of a training between two points of its steps."""

from __future__ import annotations

import cProfile
import pstats
import sys
import time
from pathlib import Path
from typing import Any

from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.constants import (
    CONVERT_TO_MICROSECS,
    CPROFILE_NAME,
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
    PYTHON_PROFILING_START_STEP_DEFAULT,
)
from tensorwarden.profiler.common.filenames import TraceFileLocation
from tensorwarden.profiler.python.modes import (
    PythonProfileModes,
    StepPhase,
    cProfileTimer,
    cpu_time,
    off_cpu_time,
    python_profile_mode_to_str,
    total_time,
)
from tensorwarden.sagemaker.framework import FRAMEWORK


def _another_is_running() -> bool:
    monitoring = getattr(sys, "monitoring", None)  # Used by cProfile since Python 3.12.
    if monitoring is not None and monitoring.get_tool(monitoring.PROFILER_ID) is not None:
        return True
    return sys.getprofile() is not None


class PythonProfiler:
    """Records one segment after another, each from a start to a stop, into a folder named after
    both.

    A second start discards the running segment. A stop without a start does nothing. Errors of a
    profiler are logged; training continues.
    """

    _name = ""

    def __init__(self, base_folder: str, framework: FRAMEWORK):
        self._base_folder = base_folder
        self.framework = framework
        self._profiler: Any = None
        self._start: tuple[PythonProfileModes, int | str, StepPhase, float] | None = None

    def _enable_profiler(self) -> None:
        raise NotImplementedError

    def _disable_profiler(self) -> None:
        raise NotImplementedError

    def _dump_stats(self, stats_dir: str) -> None:
        raise NotImplementedError

    @property
    def is_profiling(self) -> bool:
        """Whether a segment is being recorded."""
        return self._start is not None

    def start_profiling(
        self,
        start_phase: StepPhase,
        start_mode: PythonProfileModes = PythonProfileModes.PRE_STEP_ZERO,
        start_step: int | str = "*",
    ) -> None:
        """Starts a segment; the step is `*` outside of steps."""
        if self._start is not None:
            self._disable_profiler()
        now = time.time() * CONVERT_TO_MICROSECS
        self._start = (start_mode, start_step, start_phase, now)
        try:
            if _another_is_running():
                raise RuntimeError("another profiler is running")
            self._enable_profiler()
        except Exception as error:
            say_once(f"cannot start Python profiling with {self._name}: {error}")
            self._start = None

    def stop_profiling(
        self,
        end_phase: StepPhase,
        end_mode: PythonProfileModes = PythonProfileModes.POST_HOOK_CLOSE,
        end_step: int | str = "*",
    ) -> None:
        """Ends the segment and writes it."""
        if self._start is None:
            return
        (mode, step, phase, began), self._start = self._start, None
        try:
            self._disable_profiler()
            self._dump_stats(
                TraceFileLocation.get_python_profiling_stats_dir(
                    self._base_folder,
                    self._name,
                    self.framework.value,
                    python_profile_mode_to_str(mode),
                    step,
                    phase.value,
                    began,
                    python_profile_mode_to_str(end_mode),
                    end_step,
                    end_phase.value,
                    time.time() * CONVERT_TO_MICROSECS,
                )
            )
        except Exception as error:
            say_once(f"a segment of the Python profile was lost: {error}")

    @staticmethod
    def get_python_profiler(profiler_config: Any, framework: FRAMEWORK) -> PythonProfiler:
        """Returns the profiler that a `ProfilerConfig` selects."""
        wanted = profiler_config.python_profiling_config
        if wanted.profiler_name == PYINSTRUMENT_NAME:
            return PyinstrumentPythonProfiler(profiler_config.local_path, framework)
        if wanted.cprofile_timer == cProfileTimer.DEFAULT:
            return cProfileDefaultPythonProfiler(profiler_config.local_path, framework)
        return cProfilePythonProfiler(profiler_config.local_path, framework, wanted.cprofile_timer)


class cProfilePythonProfiler(PythonProfiler):
    """Profiles with cProfile and one of three clocks. Raises ValueError for another clock."""

    _name = CPROFILE_NAME
    timer_name_to_function = {  # noqa: RUF012
        cProfileTimer.TOTAL_TIME: total_time,
        cProfileTimer.CPU_TIME: cpu_time,
        cProfileTimer.OFF_CPU_TIME: off_cpu_time,
    }

    def __init__(self, base_folder: str, framework: FRAMEWORK, cprofile_timer: cProfileTimer):
        super().__init__(base_folder, framework)
        if cprofile_timer not in self.timer_name_to_function:
            names = ", ".join(timer.value for timer in self.timer_name_to_function)
            raise ValueError(f"cprofile_timer is {cprofile_timer!r}; expected one of: {names}")
        self.cprofile_timer = self.timer_name_to_function[cprofile_timer]

    def _enable_profiler(self) -> None:
        self._profiler = cProfile.Profile(self.cprofile_timer)
        self._profiler.enable()

    def _disable_profiler(self) -> None:
        self._profiler.disable()

    def _dump_stats(self, stats_dir: str) -> None:
        stats = pstats.Stats(self._profiler)
        stats.dump_stats(str(Path(stats_dir, CPROFILE_STATS_FILENAME)))


class cProfileDefaultPythonProfiler(cProfilePythonProfiler):
    """Profiles with cProfile; three steps use different clocks (total, CPU, off-CPU)."""

    def __init__(self, base_folder: str, framework: FRAMEWORK):
        super().__init__(base_folder, framework, cProfileTimer.TOTAL_TIME)

    def _enable_profiler(self) -> None:
        step = self._start[1] if self._start else "*"
        first = PYTHON_PROFILING_START_STEP_DEFAULT
        timers: dict[int | str, Any] = {first + 1: cpu_time, first + 2: off_cpu_time}
        self.cprofile_timer = timers.get(step, total_time)
        super()._enable_profiler()


class PyinstrumentPythonProfiler(PythonProfiler):
    """Profiles with pyinstrument, if it is installed."""

    _name = PYINSTRUMENT_NAME

    def _enable_profiler(self) -> None:
        try:
            from pyinstrument import Profiler
        except ImportError as error:
            raise ImportError(
                "pyinstrument is not installed; run: pip install pyinstrument"
            ) from error
        self._profiler = Profiler()
        self._profiler.start()

    def _disable_profiler(self) -> None:
        if self._profiler is not None and self._profiler.is_running:
            self._profiler.stop()

    def _dump_stats(self, stats_dir: str) -> None:
        from pyinstrument.renderers import JSONRenderer

        try:
            text = self._profiler.output(JSONRenderer())
            page = self._profiler.output_html()
        except Exception:
            # Nothing was sampled in a very short time.
            text, page = '{"root_frame": null}', "<!DOCTYPE html><title>no samples</title>"
        Path(stats_dir, PYINSTRUMENT_JSON_FILENAME).write_text(text)
        Path(stats_dir, PYINSTRUMENT_HTML_FILENAME).write_text(page)
