"""What is profiled in this process now: the configuration that is followed, and the timeline."""

from __future__ import annotations

import atexit
import mmap
import multiprocessing
import multiprocessing.util
import os
import time
from pathlib import Path
from typing import Any, Callable

from tensorwarden import _core
from tensorwarden.profiler.config import ProfilerConfig
from tensorwarden.profiler.config_parser import ProfilerConfigParser, get_profiler_config_parser
from tensorwarden.profiler.constants import (
    BASE_FOLDER_DEFAULT,
    CLOSE_FILE_INTERVAL_DEFAULT,
    CONFIG_PATH_DEFAULT,
    FILE_OPEN_FAIL_THRESHOLD_DEFAULT,
    MAX_FILE_SIZE_DEFAULT,
)
from tensorwarden.profiler.process_start import process_start_us
from tensorwarden.profiler.timeline_writer import TimelineFileWriter
from tensorwarden.sagemaker.framework import FRAMEWORK, ConfigValidator
from tensorwarden.troubles import say_once

# How often the configuration file is looked at, in microseconds.
LOOK_US = 100_000
# A file may change twice within what the clock of its file system tells apart.
_YOUNG_NS = 1_000_000_000

now_us = _core.timeline_now_us


class Session:
    """The profiling of one process.

    `on` says whether events are recorded. Whoever passes often, such as a step, calls `look` when
    `next_look_us` has come: that is when the file of the configuration is followed. In a forked
    child of a process that trains, nothing is recorded."""

    def __init__(self, framework: FRAMEWORK = FRAMEWORK.PYTORCH):
        self.on = False
        self.profiling_enabled = False  # The same as writers ask for it.
        self.config: ProfilerConfig | None = None  # The last one that was on.
        self.parser: ProfilerConfigParser | None = None
        self.core: _core.TimelineWriter | None = None  # What records, while a file is open.
        self.next_look_us = 0
        self.loads = False  # Data loaders are recorded.
        self.watches_steps = False  # What is profiled depends on the step.
        self.began = False  # A step has begun.
        self.step = -1  # The last one that somebody told of.
        self.is_worker = False  # Of a data loader.
        self.current: Any = None  # Whoever counts the steps: has number, model_name, last_us.
        self.on_change: list[Callable[[], None]] = []
        self._framework = framework
        self._by_hand: ProfilerConfig | None = None
        self._stamp: tuple[Any, ...] = ()
        self._writer: TimelineFileWriter | None = None
        self._kinds: dict[tuple[Any, ...], int] = {}
        self._is_forked = False
        self._muted = False
        self._python_started = False
        # Workers of data loaders, forked later, see here whether they are recorded.
        self._shared = mmap.mmap(-1, 1)
        os.register_at_fork(after_in_child=self._after_fork)

    # ---- The configuration.

    def look(self, now: int) -> None:
        """Follows the configuration file. Never raises."""
        self.next_look_us = now + LOOK_US
        try:
            self._follow_file()
        except Exception as error:
            say_once(f"the profiler's configuration is not followed: {error!r}")

    def _follow_file(self) -> None:
        path = os.environ.get("SMPROFILER_CONFIG_PATH") or CONFIG_PATH_DEFAULT
        try:
            found = Path(path).stat()
            stamp: tuple[Any, ...] = (path, found.st_mtime_ns, found.st_ino, found.st_size)
            young = time.time_ns() - found.st_mtime_ns < _YOUNG_NS
        except OSError:
            stamp, young = (path,), False
        if stamp == self._stamp and not young:
            return
        self._stamp = stamp
        if self.parser is None:
            if len(stamp) == 1:
                return  # Nobody asks for anything.
            self.parser = get_profiler_config_parser(self._framework)
        before = (self.parser.profiling_enabled, self.parser.config)
        self.parser.load_config()
        if before != (self.parser.profiling_enabled, self.parser.config) or self.config is None:
            self._apply()

    def _apply(self) -> None:
        parser = self.parser
        by_file = parser is not None and parser.profiling_enabled
        if by_file:
            ConfigValidator.validate_profiler_config(parser)
        config = parser.config if by_file else self._by_hand
        self.profiling_enabled = config is not None
        self.config = config or self.config
        self.on = self.profiling_enabled and not self._muted
        if self.on and self._writer is not None:
            self.core = self._writer.core  # Which tells it the configuration.
        self.choose_for_step(self.step)
        if self.on and by_file and not (self._python_started or self.began or self.is_worker):
            self._python_started = True
            parser.start_pre_step_zero_python_profiling()
        for function in self.on_change:
            function()

    def choose_for_step(self, step: int) -> None:
        """Sets what depends on the step that has just begun; -1 before the first. What is loaded in
        a step is for the next one."""
        self.step = step
        loads = watches = False
        if self.on:
            part = self.config.dataloader_profiling_config
            if part.disabled:
                loads = part.error_message is None  # No range: always.
            else:
                loads, watches = part.can_start_profiling(step + 1, None), True
            watches = watches or not (
                self.config.detailed_profiling_config.disabled
                and self.config.python_profiling_config.disabled
            )
        if loads != self.loads:
            self.loads = loads
            if not self._is_forked:
                self._shared[0] = loads
        self.watches_steps = watches

    def loads_metric(self, name: str) -> bool:
        """Whether the pattern of the configuration takes this metric of a data loader."""
        part = self.config.dataloader_profiling_config
        return part.disabled or part.valid_metrics_name(name)

    def workers_load(self) -> bool:
        """In a worker of a data loader: whether it is recorded."""
        return bool(self._shared[0]) if self._is_forked else self.loads

    # ---- Switched on by the program.

    def start_by_hand(self) -> None:
        """Records from now on, wherever a file of the configuration does not say where."""
        self.look(now_us())
        self._by_hand = ProfilerConfig(
            _folder_by_hand(),
            MAX_FILE_SIZE_DEFAULT,
            CLOSE_FILE_INTERVAL_DEFAULT,
            FILE_OPEN_FAIL_THRESHOLD_DEFAULT,
            {},
            {},
            {},
            {},
        )
        if not self.on:
            self._apply()

    def stop_by_hand(self) -> None:
        """Ends that, and finishes the file; what a configuration file asks for goes on."""
        if self._by_hand is None:
            return
        by_file = self.parser is not None and self.parser.profiling_enabled
        if not by_file:
            self.close()
        self._by_hand = None
        self._apply()

    # ---- The timeline.

    def open(self) -> _core.TimelineWriter:
        """The core that records. REQUIRES: `on`, or the timeline of a worker."""
        if self._writer is None:
            # A worker of a data loader has its parent's rank, but a file of its own.
            self._writer = TimelineFileWriter(self, node=_own_node() if self.is_worker else None)
            # So that no event begins before the times are counted from.
            self._writer._update_base_start_time(process_start_us())
            if multiprocessing.parent_process() is not None:
                # A process of multiprocessing ends without what others do at their end.
                multiprocessing.util.Finalize(None, self.close, exitpriority=50)
        self.core = self._writer.core
        return self.core

    def kind(self, key: tuple[Any, ...], describe: Callable[..., str] | None = None) -> int:
        """The number of a kind of span: its phase, its name, and whatever else tells it from
        others. Its args are the process's number and what describe says of the key."""
        number = self._kinds.get(key)
        if number is None:
            self.open()
            args = f'"pid": {os.getpid()}'
            if describe is not None:
                args += f", {describe(*key)}"
            number = self._kinds[key] = self._writer.kind(key[0], key[1], args)
        return number

    def write(self, timestamp: float, phase: str, name: str, kind: str, duration: float, args: Any):
        """An event of the program's own, in seconds."""
        now = now_us()
        if now >= self.next_look_us:
            self.look(now)
        if self.on:
            self.open()
            self._writer.write_trace_events(timestamp, phase, name, kind, duration, **args)

    def flush(self) -> None:
        """Returns when all that is recorded is in the file."""
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Finishes the file; what comes later begins another."""
        writer, self._writer, self.core = self._writer, None, None
        self._kinds = {}
        if writer is not None:
            writer.close()

    def _after_fork(self) -> None:
        self._forgotten = self._writer  # The parent's.
        self._writer = self.core = None
        self._kinds = {}
        self._is_forked = True
        if self.began:
            # Not one of those that train, which are forked before the first step.
            self._muted = True
            self.on = self.loads = self.watches_steps = False


def _own_node() -> str:
    from tensorwarden.sagemaker.job import get_node_id

    host = get_node_id().partition("-")[2]
    return f"{os.getpid()}-{host}"


def _folder_by_hand() -> str:
    chosen = os.environ.get("TENSORWARDEN_PROFILER")
    if chosen:
        return str(Path(chosen).absolute())
    on_sagemaker = Path(BASE_FOLDER_DEFAULT).parent.is_dir()
    return BASE_FOLDER_DEFAULT if on_sagemaker else str(Path("profiler-output").absolute())


_session: Session | None = None


def get_session() -> Session:
    """The one of this process."""
    global _session
    if _session is None:
        _session = Session()
    return _session


# Registered before any hook is made, and so run after hooks have closed themselves.
@atexit.register
def _close_at_exit() -> None:
    if _session is not None:
        _session.close()
