"""Records operators, kernels and data loading with TensorFlow's profiler: of a few steps, or while
a script asks for it."""

import shutil
import tempfile
import threading
from pathlib import Path
from typing import Any, List, NamedTuple, Optional

from tensorwarden.adapters.keras.traces import Recorded, convert, loading_phase
from tensorwarden.base.patching import Patches
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.filenames import TraceFileLocation
from tensorwarden.profiler.common.timeline_file import args_text, clean_text
from tensorwarden.profiler.recording.external_profilers import stop_tf_profiler
from tensorwarden.profiler.recording.session import Session, get_session, now_us
from tensorwarden.sagemaker.framework import FRAMEWORK

# TensorFlow keeps a profile in memory until it ends, so a long one is divided into sections.
_SECTION_US = 20_000_000
_PATIENCE_S = 20.0
_FOREVER_US = 1 << 62


class Wanted(NamedTuple):
    """What a profile is for."""

    details: bool  # Operators and kernels.
    loading: bool  # tf.data, on the timeline.
    host: bool  # Whether the CPU is recorded, and not GPUs only.


_NOTHING = Wanted(False, False, False)


class _Trace(NamedTuple):
    """A running profile."""

    wanted: Wanted
    folder: str
    start_us: int
    step: int


class TraceProfiler:
    """Profiles the selected steps, and the time between `start_by_hand` and `stop_by_hand`.

    The traces are written below `framework/tensorflow/detailed_profiling`, by a thread while
    training continues. Does nothing but log a message if another profiler is running.
    """

    def __init__(self, session: Session):
        self._session = session
        self._trace: Optional[_Trace] = None
        self._step = 0
        self._of_step = _NOTHING
        self._by_hand = False
        self._cpu_end_us = _FOREVER_US  # Of a profile by hand.
        self._guard: Optional[Patches] = None
        self._writers: List[threading.Thread] = []

    def at_step(self, step: int, at_us: int, wanted: bool) -> None:
        """Called at the start of a step; `wanted` is whether its operators are selected."""
        self._step = step
        self._of_step = Wanted(wanted, self._loads(step), True)
        self._choose(at_us)

    def rest(self) -> None:
        """Called between steps, when none follows soon."""
        self._of_step = _NOTHING
        self._choose(now_us())

    def start_by_hand(self, cpu_seconds: Optional[float]) -> None:
        """Starts recording, of operators on the CPU for at most this time (None: no limit)."""
        now = now_us()
        self._by_hand = True
        self._cpu_end_us = _FOREVER_US if cpu_seconds is None else now + int(cpu_seconds * 1e6)
        self._choose(now)

    def stop_by_hand(self) -> None:
        """Ends the recording by hand and waits a limited time until it is written."""
        self._by_hand = False
        self._choose(now_us())
        self._wait()

    def tick(self, now: int) -> None:
        """Called often while something is recorded: ends sections."""
        if self._trace is not None:
            self._choose(now)

    def close(self) -> None:
        """Ends all profiles and waits a limited time until they are written."""
        self._by_hand = False
        self.rest()
        self._wait()

    def _loads(self, step: int) -> bool:
        config = self._session.config if self._session.on else None
        part = None if config is None else config.dataloader_profiling_config
        return part is not None and part.can_start_profiling(step, None)

    def _wanted(self, now: int) -> Wanted:
        of_step = self._of_step
        if not self._by_hand:
            return of_step if of_step.details or of_step.loading else _NOTHING
        host = of_step.details or of_step.loading or now < self._cpu_end_us
        return Wanted(host or _has_gpu(), of_step.loading, host)

    def _choose(self, now: int) -> None:
        """Starts and ends profiles as needed at this time."""
        wanted = self._wanted(now)
        trace = self._trace
        if trace is not None and (wanted != trace.wanted or now - trace.start_us > _SECTION_US):
            self._stop()
        if self._trace is None and (wanted.details or wanted.loading):
            self._start(wanted)

    def _start(self, wanted: Wanted) -> None:
        profiler = _profiler()
        folder = ""
        try:
            folder = self._folder(wanted)
            options = None if wanted.host else profiler.ProfilerOptions(host_tracer_level=0)
            start_us = now_us()
            profiler.start(folder, options)
        except Exception as error:
            say_once(f"detailed profiling skipped: {type(error).__name__}: {error}")
            if folder and not wanted.details:
                shutil.rmtree(folder, ignore_errors=True)
            return
        self._trace = _Trace(wanted, folder, start_us, self._step)
        self._guard = _stop_for_others(profiler, self._stop)

    def _folder(self, wanted: Wanted) -> str:
        """Returns a new folder for a profile; a temporary one if only data loading is of
        interest."""
        if not wanted.details:
            return tempfile.mkdtemp(prefix="tensorwarden-trace-")
        assert self._session.config is not None
        step = self._step
        while True:
            folder = TraceFileLocation.get_detailed_profiling_log_dir(
                self._session.config.local_path, FRAMEWORK.TENSORFLOW.value, step
            )
            # Readers expect one profile in a folder. The sections of a long step have the numbers
            # that follow.
            if not any(Path(folder).iterdir()):
                return folder
            step += 1

    def _stop(self) -> None:
        trace, self._trace = self._trace, None
        if trace is None:
            return
        if self._guard is not None:
            self._guard.remove()
        try:
            stop_tf_profiler(_profiler(), trace.folder, trace.start_us)
        except Exception as error:
            say_once(f"a detailed profile was lost: {type(error).__name__}: {error}")
            return
        writer = threading.Thread(target=self._write, args=(trace,), daemon=True)
        writer.start()
        self._writers.append(writer)

    def _write(self, trace: _Trace) -> None:
        try:
            add = self._add_loading(trace) if trace.wanted.loading else lambda _: None
            convert(Path(trace.folder), trace.start_us, add, keep=trace.wanted.details)
        except Exception as error:
            say_once(f"a detailed profile is incomplete: {type(error).__name__}: {error}")
        if not trace.wanted.details:
            shutil.rmtree(trace.folder, ignore_errors=True)

    def _add_loading(self, trace: _Trace) -> Any:
        """Returns a function that puts spans of tf.data on the timeline."""
        session = self._session
        core = session.core or session.open()
        args = args_text({"step_num": str(trace.step), "worker_id": -1})

        def add(span: Recorded) -> None:
            phase = loading_phase(span)
            if phase is not None and session.loads_metric(span.name):
                start = trace.start_us + round(span.start_us)
                core.event(phase, clean_text(span.name), start, round(span.duration_us), args)

        return add

    def _wait(self) -> None:
        for writer in self._writers:
            writer.join(_PATIENCE_S)
        self._writers.clear()


def _profiler() -> Any:
    from tensorflow.python.profiler import profiler_v2

    return profiler_v2


def _has_gpu() -> bool:
    import tensorflow

    return bool(tensorflow.config.list_physical_devices("GPU"))


def _stop_for_others(profiler: Any, stop: Any) -> Patches:
    """Stops our profile when the script starts TensorFlow's profiler, which cannot run twice."""
    import tensorflow

    def make(original: Any) -> Any:
        def start(*args: Any, **kwargs: Any) -> Any:
            stop()
            return original(*args, **kwargs)

        return start

    patches = Patches()
    for owner in (profiler, tensorflow.profiler.experimental):
        patches.put(owner, "start", make)
    return patches


_tracer: Optional[TraceProfiler] = None


def the_tracer(session: Session) -> TraceProfiler:
    """Returns the profiler of this process, which belongs to the session: there can be only one
    profile at a time."""
    global _tracer
    if _tracer is None or _tracer not in session.details:
        _tracer = TraceProfiler(session)
        session.details.append(_tracer)
    return _tracer


def watch_by_hand() -> None:
    """Prepares the recording that a script is about to start by hand."""
    the_tracer(get_session())
