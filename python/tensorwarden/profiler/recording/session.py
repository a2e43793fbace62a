"""The profiling of this process: the configuration in effect and the timeline."""

from __future__ import annotations

import atexit
import mmap
import multiprocessing
import multiprocessing.util
import os
import time
from pathlib import Path
from typing import Any, Callable, Protocol

from tensorwarden import _core
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.constants import (
    BASE_FOLDER_DEFAULT,
    CLOSE_FILE_INTERVAL_DEFAULT,
    CONFIG_PATH_DEFAULT,
    FILE_OPEN_FAIL_THRESHOLD_DEFAULT,
    MAX_FILE_SIZE_DEFAULT,
)
from tensorwarden.profiler.config.parser import ProfilerConfigParser, get_profiler_config_parser
from tensorwarden.profiler.config.profiler_config import ProfilerConfig
from tensorwarden.profiler.recording.process_start import process_start_us
from tensorwarden.profiler.recording.timeline_writer import TimelineFileWriter
from tensorwarden.sagemaker.framework import FRAMEWORK, ConfigValidator

# The interval at which the configuration file is checked, in microseconds.
LOOK_US = 100_000
# A file may change twice within the time resolution of its file system.
_YOUNG_NS = 1_000_000_000

now_us = _core.timeline_now_us


class Details(Protocol):
    """The profiler of a framework, which records operators and kernels.

    It handles the steps that a configuration selects, too; a session calls it for what scripts
    start by hand.
    """

    def start_by_hand(self, cpu_seconds: float | None) -> None:
        """Starts recording, of the CPU for at most this time (None: no limit)."""

    def stop_by_hand(self) -> None:
        """Stops it and writes what was recorded."""

    def at_step(self, step: int, at_us: int, wanted: bool) -> None:
        """Called at the start of a step; `wanted` is whether it is selected."""

    def rest(self) -> None:
        """Called between steps, when none follows soon."""

    def tick(self, now: int) -> None:
        """Called often while something is recorded."""

    def close(self) -> None:
        """Stops everything and writes what was recorded."""


class Session:
    """The profiling of one process.

    `on` is whether events are recorded. Code that runs often, such as a step, calls `look` when
    `next_look_us` has passed; `look` reads the configuration file. A process forked from a training
    process records nothing.
    """

    def __init__(self, framework: FRAMEWORK = FRAMEWORK.PYTORCH):
        self.on = False
        self.profiling_enabled = False  # The same, under the name that writers use.
        self.config: ProfilerConfig | None = None  # The last one that was on.
        self.parser: ProfilerConfigParser | None = None
        self.core: _core.TimelineWriter | None = None  # The recorder, while a file is open.
        self.next_look_us = 0
        self.loads = False  # Whether data loaders are recorded.
        self.watches_steps = False  # Whether profiling depends on the step.
        self.began = False  # Whether a step has started.
        self.step = -1  # The last reported step.
        self.is_worker = False  # Whether this is a data loader worker.
        self.current: Any = None  # The object that counts steps; has number, model_name, last_us.
        self.on_change: list[Callable[[], None]] = []
        self.details: list[Details] = []
        self._framework = framework
        self._by_hand: ProfilerConfig | None = None
        self._stamp: tuple[Any, ...] = ()
        self._writer: TimelineFileWriter | None = None
        self._kinds: dict[tuple[Any, ...], int] = {}
        self._is_forked = False
        self._muted = False
        self._python_started = False
        # Tells data loader workers that are forked later whether they are recorded.
        self._shared = mmap.mmap(-1, 1)
        os.register_at_fork(after_in_child=self._after_fork)

    # ---- The configuration.

    def set_framework(self, framework: FRAMEWORK) -> None:
        """Sets the framework of the training, which names a folder of its files."""
        self._framework = framework
        if self.parser is not None:
            self.parser.set_framework(framework)

    def look(self, now: int) -> None:
        """Reads the configuration file if it has changed. Never raises."""
        self.next_look_us = now + LOOK_US
        try:
            self._follow_file()
        except Exception as error:
            say_once(f"cannot apply the profiler configuration: {error!r}")

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
                return  # There is no configuration.
            self.parser = get_profiler_config_parser(self._framework)
        before = (self.parser.profiling_enabled, self.parser.config)
        self.parser.load_config()
        if before != (self.parser.profiling_enabled, self.parser.config) or self.config is None:
            self._apply()

    def _apply(self) -> None:
        parser = self.parser
        if parser is not None and not parser.profiling_enabled:
            parser = None
        if parser is not None:
            ConfigValidator.validate_profiler_config(parser)
        config = self._by_hand if parser is None else parser.config
        self.profiling_enabled = config is not None
        self.config = config or self.config
        self.on = self.profiling_enabled and not self._muted
        if self.on and self._writer is not None:
            self.core = self._writer.core  # Reading it passes the configuration on.
        self.choose_for_step(self.step)
        quiet = self._python_started or self.began or self.is_worker
        if self.on and parser is not None and not quiet:
            self._python_started = True
            parser.start_pre_step_zero_python_profiling()
        for function in self.on_change:
            function()

    def choose_for_step(self, step: int) -> None:
        """Sets what depends on the step that has just started; -1 before the first.

        Data loaded during a step is for the next one.
        """
        self.step = step
        loads = watches = False
        if self.on and self.config is not None:
            part = self.config.dataloader_profiling_config
            if part.disabled:
                loads = part.error_message is None  # Without a range, always.
            else:
                loads, watches = part.can_start_profiling(step + 1, None), True
            watches = watches or not (
                self.config.detailed_profiling_config.disabled
                and self.config.python_profiling_config.disabled
                and self.config.kernel_profiling_config.disabled
                and not self.is_by_hand
            )
        if loads != self.loads:
            self.loads = loads
            if not self._is_forked:
                self._shared[0] = loads
        self.watches_steps = watches

    def wants_details(self, step: int) -> bool:
        """Returns whether the configuration selects operators and kernels of a step."""
        if not self.on or self.config is None:
            return False
        return self.config.detailed_profiling_config.can_start_profiling(step, None)

    def wants_kernels(self, step: int) -> bool:
        """Returns whether the configuration selects the GPU activity of a step."""
        if not self.on or self.config is None:
            return False
        return self.config.kernel_profiling_config.can_start_profiling(step, None)

    def loads_metric(self, name: str) -> bool:
        """Returns whether the configured pattern matches this metric of a data loader."""
        if self.config is None:
            return False
        part = self.config.dataloader_profiling_config
        return part.disabled or part.valid_metrics_name(name)

    def workers_load(self) -> bool:
        """Returns whether this data loader worker is recorded."""
        return bool(self._shared[0]) if self._is_forked else self.loads

    # ---- Started by the script.

    @property
    def is_by_hand(self) -> bool:
        """Whether the script has started recording."""
        return self._by_hand is not None

    def start_by_hand(self) -> None:
        """Starts recording, with operators and kernels.

        A configuration file has priority for the location, and can limit how long operators on the
        CPU are recorded.
        """
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
        self._apply()
        if self.on:
            by_file = self.parser is not None and self.parser.profiling_enabled
            limit = self.config.cpu_profiling_duration if by_file and self.config else None
            for detail in self.details:
                detail.start_by_hand(limit)

    def stop_by_hand(self) -> None:
        """Stops that recording and finishes the file. Recording by a configuration file
        continues."""
        if self._by_hand is None:
            return
        for detail in self.details:
            detail.stop_by_hand()
        by_file = self.parser is not None and self.parser.profiling_enabled
        if not by_file:
            self.close()
        self._by_hand = None
        self._apply()

    # ---- The timeline.

    def open(self) -> _core.TimelineWriter:
        """Returns the recorder. REQUIRES: `on`, or the timeline of a worker."""
        if self._writer is None:
            # A data loader worker has its parent's rank but its own file.
            self._writer = TimelineFileWriter(self, node=_own_node() if self.is_worker else None)
            # No event can begin before the base time.
            self._writer._update_base_start_time(process_start_us())
            if multiprocessing.parent_process() is not None:
                # multiprocessing ends its processes without running exit handlers.
                multiprocessing.util.Finalize(None, self.end, exitpriority=50)
        self.core = self._writer.core
        return self.core

    def kind(self, key: tuple[Any, ...], describe: Callable[..., str] | None = None) -> int:
        """Returns the number of a kind of span, identified by phase, name and further values.

        Its args are the process id and the result of `describe` for the key.
        """
        number = self._kinds.get(key)
        if number is None:
            self.open()
            assert self._writer is not None
            args = f'"pid": {os.getpid()}'
            if describe is not None:
                args += f", {describe(*key)}"
            number = self._kinds[key] = self._writer.kind(key[0], key[1], args)
        return number

    def write(
        self, timestamp: float, phase: str, name: str, kind: str, duration: float, args: Any
    ) -> None:
        """Writes an event of the script; times are in seconds."""
        now = now_us()
        if now >= self.next_look_us:
            self.look(now)
        if self.on:
            self.open()
            assert self._writer is not None
            self._writer.write_trace_events(timestamp, phase, name, kind, duration, **args)

    def flush(self) -> None:
        """Waits until all recorded events are in the file."""
        if self._writer is not None:
            self._writer.flush()

    def close(self) -> None:
        """Finishes the file. Later events start a new one."""
        writer, self._writer, self.core = self._writer, None, None
        self._kinds = {}
        if writer is not None:
            writer.close()

    def end(self) -> None:
        """Ends everything that is recorded, when the process ends."""
        for detail in self.details:
            detail.close()
        self.close()

    def _after_fork(self) -> None:
        self._forgotten = (self._writer, self.details)  # The parent's.
        self.details = []
        self._writer = self.core = None
        self._kinds = {}
        self._is_forked = True
        if self.began:
            # Processes that train are forked before the first step.
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
    """Returns the session of this process."""
    global _session
    if _session is None:
        _session = Session()
    return _session


# Registered before any hook is created, and therefore runs after hooks have been closed.
@atexit.register
def _close_at_exit() -> None:
    if _session is not None:
        _session.end()
