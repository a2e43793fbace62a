"""Names of segments of Python profiles, and the clocks of cProfile."""

from __future__ import annotations

import time
from enum import Enum, IntEnum

from tensorwarden.base.modes import ModeKeys
from tensorwarden.profiler.common.constants import CPROFILE_NAME, PYINSTRUMENT_NAME


class PythonProfileModes(IntEnum):
    """A mode of training, or the time before the first step or after the end."""

    TRAIN = 1
    EVAL = 2
    PREDICT = 3
    GLOBAL = 4
    PRE_STEP_ZERO = 5
    POST_HOOK_CLOSE = 6


class StepPhase(Enum):
    """The point of a step at which a segment begins or ends."""

    START = "start"
    STEP_START = "stepstart"
    FORWARD_PASS_END = "forwardpassend"
    STEP_END = "stepend"
    END = "end"


class PythonProfilerName(Enum):
    """The available Python profilers."""

    CPROFILE = CPROFILE_NAME
    PYINSTRUMENT = PYINSTRUMENT_NAME


class cProfileTimer(Enum):
    """The time that cProfile measures; `DEFAULT` changes from step to step."""

    TOTAL_TIME = "total_time"
    CPU_TIME = "cpu_time"
    OFF_CPU_TIME = "off_cpu_time"
    DEFAULT = "default"

    @classmethod
    def _missing_(cls, value: object) -> cProfileTimer | None:
        """Accepts the short names of SageMaker's guide: cpu and off_cpu."""
        names = {timer.value: timer for timer in cls}
        return names.get(f"{value}_time")


_NAMES = {mode: mode.name.lower().replace("_", "") for mode in PythonProfileModes}


def python_profile_mode_to_str(mode: PythonProfileModes) -> str:
    """Returns the mode as part of a folder name."""
    return _NAMES[PythonProfileModes(mode)]


def str_to_python_profile_mode(mode_str: str) -> PythonProfileModes:
    """Returns the mode for a part of a folder name. Raises ValueError for an unknown name."""
    for mode, name in _NAMES.items():
        if name == mode_str:
            return mode
    raise ValueError(f"unknown mode '{mode_str}'; expected one of: {', '.join(_NAMES.values())}")


def mode_keys_to_python_profile_mode(mode: ModeKeys) -> PythonProfileModes:
    """Converts a mode of training; also accepts other enums with the same names."""
    return PythonProfileModes[mode.name]


def total_time() -> float:
    """Returns the wall clock time in seconds."""
    return time.perf_counter()


def cpu_time() -> float:
    """Returns the CPU time of this process in seconds."""
    return time.process_time()


def off_cpu_time() -> float:
    """Returns the wall clock time without the CPU time of this process, in seconds."""
    return time.perf_counter() - time.process_time()
