"""Segments of Python profiles and their statistics."""

from __future__ import annotations

import math
import pstats
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.profiler.python.modes import (
    PythonProfileModes,
    StepPhase,
    str_to_python_profile_mode,
)

if TYPE_CHECKING:
    import pandas as pd


class Metrics(Enum):
    """What functions can be sorted by."""

    TOTAL_TIME = "tottime"
    CUMULATIVE_TIME = "cumtime"
    PRIMITIVE_CALLS = "pcalls"
    TOTAL_CALLS = "ncalls"


_MODES_OF_STEPS = (
    PythonProfileModes.TRAIN,
    PythonProfileModes.EVAL,
    PythonProfileModes.PREDICT,
    PythonProfileModes.GLOBAL,
)


def _includes(wanted: PythonProfileModes, mode: PythonProfileModes) -> bool:
    """Returns whether a mode is the wanted one; GLOBAL includes the modes of all steps."""
    return mode == wanted or (wanted == PythonProfileModes.GLOBAL and mode in _MODES_OF_STEPS)


def _point(text: str) -> tuple[PythonProfileModes, str, StepPhase, float]:
    mode, step, phase, time = text.split("-")
    return str_to_python_profile_mode(mode), step, StepPhase(phase), float(time)


class StepPythonProfileStats:
    """One segment. The name of its folder encodes start and end; raises ValueError if it does
    not."""

    def __init__(
        self, framework: str, profiler_name: str, node_id: str, stats_dir: str, stats_path: str
    ):
        self.profiler_name = profiler_name
        self.framework = framework
        self.node_id = node_id
        start, end = stats_dir.split("_")
        self.start_mode, step, self.start_phase, self.start_time_since_epoch_in_micros = _point(
            start
        )
        # Outside of steps, a segment begins before and ends after all steps.
        self.start_step = -1 if step == "*" else int(step)
        self.end_mode, step, self.end_phase, self.end_time_since_epoch_in_micros = _point(end)
        self.end_step = math.inf if step == "*" else int(step)
        self.stats_path = stats_path

    def has_start_and_end_mode(
        self, start_mode: PythonProfileModes, end_mode: PythonProfileModes
    ) -> bool:
        """Returns whether the segment has these modes; GLOBAL includes those of all steps."""
        return _includes(start_mode, self.start_mode) and _includes(end_mode, self.end_mode)

    def in_time_interval(self, start_us: float, end_us: float) -> bool:
        """Returns whether the segment overlaps the interval."""
        return (
            self.start_time_since_epoch_in_micros <= end_us
            and self.end_time_since_epoch_in_micros >= start_us
        )

    def in_step_interval(
        self, start_step: int, end_step: float, start_phase: StepPhase, end_phase: StepPhase
    ) -> bool:
        """Returns whether the segment is within the interval.

        If both begin in the same step, a segment that begins late in it belongs only to an interval
        that begins at the same point. The same applies at the end.
        """
        if start_step < self.start_step and end_step > self.end_step:
            return True
        if start_step > self.start_step or end_step < self.end_step:
            return False
        late = (StepPhase.STEP_END, StepPhase.FORWARD_PASS_END)
        begins_late = start_step == self.start_step and start_phase in late
        if begins_late and start_phase != self.start_phase:
            return False
        if end_step == self.end_step and end_phase == StepPhase.STEP_START:
            return end_phase == self.end_phase
        return True

    def has_pre_step_zero_profile_stats(self) -> bool:
        """Returns whether the segment covers the time before the first step."""
        return self.start_phase == StepPhase.START

    def has_post_hook_close_profile_stats(self) -> bool:
        """Returns whether the segment covers the time after the hook was closed."""
        return self.end_phase == StepPhase.END

    def has_node_id(self, node_id: str) -> bool:
        """Returns whether the segment belongs to the node."""
        return self.node_id == node_id


class cProfileFunctionStats:
    """Statistics of a function: an entry of `pstats.Stats.stats`."""

    def __init__(self, key: tuple[str, int, str], value: tuple[int, int, float, float, Any]):
        file, line, function = key
        self.function_name = f"{file}:{line}({function})"
        self.prim_calls, self.total_calls, self.total_time, self.cumulative_time = value[:4]
        self.callers = [f"{file}:{line}({name})" for file, line, name in value[4]]

    def __repr__(self) -> str:
        return (
            f"{self.function_name}: {self.prim_calls} primitive calls, {self.total_calls} calls, "
            f"{self.total_time} s own time, {self.cumulative_time} s cumulative time"
        )


class cProfileStats:
    """The functions of one or more segments."""

    def __init__(self, ps: pstats.Stats):
        self.ps = ps
        entries = ps.stats  # type: ignore[attr-defined]  # Missing in typeshed.
        self.function_stats_list = [cProfileFunctionStats(k, v) for k, v in entries.items()]

    def print_top_n_functions(self, by: Metrics, n: int = 10) -> None:
        """Prints the top `n` functions by a metric. Raises TypeError for wrong arguments."""
        if not isinstance(by, Metrics):
            raise TypeError(f"by is {by!r}; expected a member of Metrics")
        if not isinstance(n, int):
            raise TypeError(f"n is {n!r}; expected an integer")
        self.ps.sort_stats(by.value).print_stats(n)

    def get_function_stats(self) -> pd.DataFrame:
        """Returns one row for each function, as text."""
        import pandas as pd

        return pd.DataFrame([repr(function) for function in self.function_stats_list])


class PyinstrumentStepStats:
    """A segment recorded by pyinstrument: the HTML page and the parsed statistics."""

    def __init__(self, html_file_path: str, json_stats: dict[str, Any]):
        self.html_file_path = html_file_path
        self.json_stats = json_stats


def read_cprofile(paths: list[str]) -> cProfileStats:
    """Returns the sum of several cProfile files. Raises ValueError for an invalid file."""
    stats = pstats.Stats()
    for path in paths:
        try:
            stats.add(path)
        except (OSError, EOFError, ValueError, TypeError) as error:
            raise ValueError(f"{Path(path)} is not a profile: {error}") from error
    return cProfileStats(stats)
