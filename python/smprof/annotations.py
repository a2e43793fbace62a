"""Annotations that a script puts on the timeline; scripts use them as `import smprof`."""

from __future__ import annotations

import functools
import importlib
import os
import re
import sys
from typing import Any, Callable, TypeVar

from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.timeline_file import clean_text
from tensorwarden.profiler.recording.session import get_session, now_us

Function = TypeVar("Function", bound=Callable[..., Any])
PHASE = "Annotation"
# Annotations that mark steps, as in "step_12".
_STEP = re.compile(r"step[_\- ]?(\d+)", re.IGNORECASE)
# The modules that record operators and kernels, by the framework that a script imports.
_ADAPTERS = {
    "torch": "tensorwarden.adapters.pytorch.profiling",
    "tensorflow": "tensorwarden.adapters.keras.profiling",
}


class Config:
    """Settings of the profiler by name, such as EnableCuda."""

    def __init__(self, profiler: dict[str, Any] | None = None):
        self.profiler = dict(profiler or {})


class SMProfiler:
    """Turns annotations on and off; there is one instance per process."""

    _instance: SMProfiler | None = None

    def __init__(self) -> None:
        self.config = Config()
        self.is_profiling = False
        self._nvtx: Any = None  # The NVTX module, if enabled.

    @classmethod
    def instance(cls) -> SMProfiler:
        """Returns the only instance."""
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def configure(self, config: Config) -> None:
        """Sets the settings for the next start. Unknown settings are kept without effect.

        Raises TypeError for anything but a Config.
        """
        if not isinstance(getattr(config, "profiler", None), dict):
            raise TypeError(
                f"config is {config!r}; expected a Config whose profiler is a dictionary"
            )
        self.config = config

    def start_profiling(self) -> None:
        """Starts recording, including operators and kernels.

        Unless a profiler configuration file says otherwise, the timeline is written to
        $TENSORWARDEN_PROFILER or ./profiler-output. Such a file can limit how long operators on the
        CPU are recorded (CPUProfilingDuration).
        """
        self._nvtx = _nvtx() if _is_true(self.config.profiler.get("EnableCuda", False)) else None
        self.is_profiling = True
        for framework, adapter in _ADAPTERS.items():
            if framework in sys.modules:
                try:
                    importlib.import_module(adapter).watch_by_hand()
                except Exception as error:
                    say_once(f"operators are not recorded: {type(error).__name__}: {error}")
        try:
            get_session().start_by_hand()
        except Exception as error:
            say_once(f"annotations are disabled: {type(error).__name__}: {error}")

    def stop_profiling(self) -> None:
        """Stops recording and finishes the file. A second call does nothing."""
        if not self.is_profiling:
            return
        self.is_profiling = False
        try:
            get_session().stop_by_hand()
        except Exception as error:
            say_once(f"the timeline is incomplete: {type(error).__name__}: {error}")


_profiler = SMProfiler.instance()


class annotate:
    """Marks a section on the timeline: `with annotate("load"): ...` or `@annotate("load")`."""

    __slots__ = ("_name", "_start_us")

    def __init__(self, name: str):
        self._name = name
        self._start_us = 0

    def __enter__(self) -> annotate:
        if _profiler.is_profiling:
            self._start_us = _begin(self._name)
            if _profiler._nvtx is not None:
                _mark("range_push", clean_text(self._name))
        return self

    def __exit__(self, *_: Any) -> None:
        start, self._start_us = self._start_us, 0
        if start:
            if _profiler._nvtx is not None:
                _mark("range_pop")
            _record(self._name, start)

    def __call__(self, function: Function) -> Function:
        name = self._name

        @functools.wraps(function)
        def call(*args: Any, **kwargs: Any) -> Any:
            with annotate(name):
                return function(*args, **kwargs)

        return call  # type: ignore[return-value]  # It has the same signature.


class Annotation:
    """The token that annotation_begin returns and annotation_end takes."""

    __slots__ = ("name", "range", "start_us")

    def __init__(self, name: str, start_us: int, nvtx_range: Any):
        self.name = name
        self.start_us = start_us
        self.range = nvtx_range


def annotation_begin(name: str) -> Annotation:
    """Begins a section that is not a block. Sections may nest and overlap."""
    if not _profiler.is_profiling:
        return Annotation(name, 0, None)
    marks = hasattr(_profiler._nvtx, "range_start")
    return Annotation(name, _begin(name), _mark("range_start", clean_text(name)) if marks else None)


def annotation_end(annotation: Annotation) -> None:
    """Ends a section. A second call does nothing."""
    start, annotation.start_us = annotation.start_us, 0
    if not start:
        return
    if annotation.range is not None and _profiler._nvtx is not None:
        _mark("range_end", annotation.range)
    _record(annotation.name, start)


def _begin(name: str) -> int:
    """Returns the time, after telling the profilers of operators which step begins. Never
    raises."""
    try:
        session = get_session()
        step = _STEP.fullmatch(name) if session.current is None and session.details else None
        if step is not None:
            for detail in session.details:
                detail.at_step(int(step.group(1)), now_us(), False)
    except Exception as error:
        say_once(f"operators are incomplete: {type(error).__name__}: {error}")
    return now_us()


def _mark(function: str, *args: Any) -> Any:
    """Calls an NVTX function. Never raises into the script."""
    try:
        return getattr(_profiler._nvtx, function)(*args)
    except Exception as error:
        say_once(f"NVTX marks are incomplete: {type(error).__name__}: {error}")
        return None


def _record(name: str, start_us: int) -> None:
    """Writes an annotation. Never raises into the script."""
    try:
        session = get_session()
        now = now_us()
        if now >= session.next_look_us:
            session.look(now)
        if not session.on:
            return
        args = f'"pid": {os.getpid()}'
        if session.current is not None:
            args += f', "step_num": "{session.current.number}"'
        core = session.core or session.open()
        core.event(PHASE, clean_text(name), start_us, max(now - start_us, 0), args)
        for detail in session.details:
            detail.tick(now)
    except Exception as error:
        say_once(f"annotations are missing on the timeline: {type(error).__name__}: {error}")


def _is_true(value: Any) -> bool:
    return str(value).strip().lower() in ("1", "true", "yes", "on")


def _nvtx() -> Any:
    """Returns the NVTX module for NVIDIA tools; None without a GPU."""
    torch = sys.modules.get("torch")
    try:
        return torch.cuda.nvtx if torch is not None and torch.cuda.is_available() else None
    except Exception:
        return None
