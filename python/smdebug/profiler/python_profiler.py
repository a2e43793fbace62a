"""Profilers of Python code."""

from tensorwarden.profiler.common.constants import (
    CPROFILE_NAME,
    CPROFILE_STATS_FILENAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
)
from tensorwarden.profiler.python.modes import cProfileTimer
from tensorwarden.profiler.python.profiler import (
    PyinstrumentPythonProfiler,
    PythonProfiler,
    cProfileDefaultPythonProfiler,
    cProfilePythonProfiler,
)

__all__ = [
    "CPROFILE_NAME",
    "CPROFILE_STATS_FILENAME",
    "PYINSTRUMENT_HTML_FILENAME",
    "PYINSTRUMENT_JSON_FILENAME",
    "PYINSTRUMENT_NAME",
    "PyinstrumentPythonProfiler",
    "PythonProfiler",
    "cProfileDefaultPythonProfiler",
    "cProfilePythonProfiler",
    "cProfileTimer",
]
