"""Marks that a script puts on the timeline itself; `import smprof` is how scripts know them."""

from __future__ import annotations

import functools
import os
import sys
from typing import Any, Callable, TypeVar

from tensorwarden.profiler.session import get_session, now_us
from tensorwarden.profiler.timeline_file import clean_text
from tensorwarden.troubles import say_once

Function = TypeVar("Function", bound=Callable[..., Any])
PHASE = "Annotation"


class Config:
    """What is asked of the profiler: `profiler` holds settings by name, such as EnableCuda."""

    def __init__(self, profiler: dict[str, Any] | None = None):
        self.profiler = dict(profiler or {})


class SMProfiler:
    """Switches annotations on and off; there is one in a process."""

    _instance: SMProfiler | None = None

    def __init__(self) -> None:
        self.config = Config()
        self.is_profiling = False
        self._nvtx: Any = None  # CUDA's own marks, if they are wanted.

    @classmethod
    def instance(cls) -> SMProfiler:
        """The only one."""
        if cls._instance is None:
            cls._instance = cls()
        return cls._instance

    def configure(self, config: Config) -> None:
        """Takes the settings for what is started next. Settings that are not known are kept and
        have no effect."""
        if not isinstance(getattr(config, "profiler", None), dict):
            raise TypeError(f"configure takes a Config whose profiler is a dict, not {config!r}")
        self.config = config

    def start_profiling(self) -> None:
        """Records from now on. Where no configuration file of the profiler says otherwise, the
        timeline goes to $TENSORWARDEN_PROFILER, or to ./profiler-output."""
        self._nvtx = _nvtx() if _is_true(self.config.profiler.get("EnableCuda", False)) else None
        self.is_profiling = True
        try:
            if "torch" in sys.modules:
                from tensorwarden.adapters.pytorch import profiling

                profiling.watch()
            get_session().start_by_hand()
        except Exception as error:
            say_once(f"nothing is annotated: {type(error).__name__}: {error}")

    def stop_profiling(self) -> None:
        """Records no more, and finishes the file. A second call does nothing."""
        if not self.is_profiling:
            return
        self.is_profiling = False
        try:
            get_session().stop_by_hand()
        except Exception as error:
            say_once(f"the timeline is not whole: {type(error).__name__}: {error}")


_profiler = SMProfiler.instance()


class annotate:
    """A part of a program on the timeline: `with annotate("load"): ...`, or `@annotate("load")`
    before a function."""

    __slots__ = ("_name", "_start_us")

    def __init__(self, name: str):
        self._name = name
        self._start_us = 0

    def __enter__(self) -> annotate:
        if _profiler.is_profiling:
            self._start_us = now_us()
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

        return call  # type: ignore[return-value]


class Annotation:
    """What annotation_begin gives and annotation_end takes."""

    __slots__ = ("name", "range", "start_us")

    def __init__(self, name: str, start_us: int, nvtx_range: Any):
        self.name = name
        self.start_us = start_us
        self.range = nvtx_range


def annotation_begin(name: str) -> Annotation:
    """Begins a part that need not be a block; others may begin and end within it or across."""
    if not _profiler.is_profiling:
        return Annotation(name, 0, None)
    marks = hasattr(_profiler._nvtx, "range_start")
    return Annotation(name, now_us(), _mark("range_start", clean_text(name)) if marks else None)


def annotation_end(annotation: Annotation) -> None:
    """Ends it. A second call does nothing."""
    start, annotation.start_us = annotation.start_us, 0
    if not start:
        return
    if annotation.range is not None and _profiler._nvtx is not None:
        _mark("range_end", annotation.range)
    _record(annotation.name, start)


def _mark(function: str, *args: Any) -> Any:
    """One of CUDA's own marks. Never raises into the script."""
    try:
        return getattr(_profiler._nvtx, function)(*args)
    except Exception as error:
        say_once(f"annotations are not among CUDA's marks: {type(error).__name__}: {error}")
        return None


def _record(name: str, start_us: int) -> None:
    """Never raises into the script."""
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
    except Exception as error:
        say_once(f"annotations are not on the timeline: {type(error).__name__}: {error}")


def _is_true(value: Any) -> bool:
    return str(value).strip().lower() in ("1", "true", "yes", "on")


def _nvtx() -> Any:
    """CUDA's marks, for tools of NVIDIA; None without a GPU."""
    torch = sys.modules.get("torch")
    try:
        return torch.cuda.nvtx if torch is not None and torch.cuda.is_available() else None
    except Exception:
        return None
