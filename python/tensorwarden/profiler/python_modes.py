"""What segments of Python profiles are named after, and the clocks of cProfile."""

from __future__ import annotations

import time
from enum import Enum, IntEnum

from tensorwarden.modes import ModeKeys
from tensorwarden.profiler.constants import CPROFILE_NAME, PYINSTRUMENT_NAME


class PythonProfileModes(IntEnum):
    """A mode of training, or the time before its first step or after its end."""

    TRAIN = 1
    EVAL = 2
    PREDICT = 3
    GLOBAL = 4
    PRE_STEP_ZERO = 5
    POST_HOOK_CLOSE = 6


class StepPhase(Enum):
    """Where in a step a segment begins or ends."""

    START = "start"
    STEP_START = "stepstart"
    FORWARD_PASS_END = "forwardpassend"
    STEP_END = "stepend"
    END = "end"


class PythonProfilerName(Enum):
    CPROFILE = CPROFILE_NAME
    PYINSTRUMENT = PYINSTRUMENT_NAME


class cProfileTimer(Enum):
    """What cProfile measures; `DEFAULT` changes from step to step."""

    TOTAL_TIME = "total_time"
    CPU_TIME = "cpu_time"
    OFF_CPU_TIME = "off_cpu_time"
    DEFAULT = "default"


_NAMES = {mode: mode.name.lower().replace("_", "") for mode in PythonProfileModes}


def python_profile_mode_to_str(mode: PythonProfileModes) -> str:
    """The mode as part of a folder's name."""
    return _NAMES[PythonProfileModes(mode)]


def str_to_python_profile_mode(mode_str: str) -> PythonProfileModes:
    """The mode back from the folder's name."""
    for mode, name in _NAMES.items():
        if name == mode_str:
            return mode
    raise ValueError(f"mode is '{mode_str}': one of {', '.join(_NAMES.values())} is taken")


def mode_keys_to_python_profile_mode(mode: ModeKeys) -> PythonProfileModes:
    """A mode of training; those of other enums with the same names are taken, too."""
    return PythonProfileModes[mode.name]


def total_time() -> float:
    """Seconds of the wall clock."""
    return time.perf_counter()


def cpu_time() -> float:
    """Seconds that this process used a processor."""
    return time.process_time()


def off_cpu_time() -> float:
    """Seconds that it did not."""
    return time.perf_counter() - time.process_time()
