"""Records operators and kernels with PyTorch's profiler: of a few steps, or while a script asks
for it."""

import threading
from typing import Any, List, Optional, Tuple

import torch
from torch.autograd import profiler as torch_profiler

from tensorwarden.adapters.pytorch.operator_events import Step, operator_events
from tensorwarden.adapters.pytorch.profiling_others import OthersFirst, another_is_running
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.recording.session import Session, now_us

# The number of events that the core certainly has room for.
_CHUNK = 10_000
_PATIENCE_S = 10.0
# PyTorch keeps a profile in memory until it ends, so a long one is divided into sections. A new one
# starts only if at most this number of earlier ones are still being written.
_SECTION_US = 2_000_000
_MOST_WRITERS = 1
# About 1 GB on disk.
_MOST_EVENTS = 5_000_000
_FOREVER_US = 1 << 62


class _Profile(torch_profiler.profile):
    """PyTorch's profiler without its tables, which would delay the training; events are read
    later."""

    def _parse_kineto_results(self, result: Any) -> List[Any]:
        return []


class OperatorProfiler:
    """Profiles the selected steps, and the time between `start_by_hand` and `stop_by_hand`.

    A thread writes the events while training continues. Does nothing but log a message if another
    profiler is running. All functions are called by the thread that trains.
    """

    def __init__(self, session: Session):
        self._session = session
        self._profile: Optional[_Profile] = None
        self._parts = (False, False)  # Whether operators and kernels are being recorded.
        self._section_end_us = 0
        self._thread = 0  # The one that runs the profile.
        self._steps: List[Step] = []  # Of the section.
        self._last_step: Optional[Step] = None
        self._wants_step = False
        self._by_hand = False
        self._cpu_end_us = _FOREVER_US  # Of a profile by hand.
        self._guard: Optional[OthersFirst] = None
        self._writers: List[threading.Thread] = []
        self._written = 0

    @property
    def is_running(self) -> bool:
        """Whether a profile is being recorded."""
        return self._profile is not None

    def at_step(self, step: int, at_us: int, wanted: bool) -> None:
        """Called at the start of a step; `wanted` is whether it is selected."""
        self._last_step = (at_us, step)
        self._wants_step = wanted
        before = self._profile
        self._choose(at_us)
        if self._profile is not None and self._profile is before:
            self._steps.append(self._last_step)

    def rest(self) -> None:
        """Called between steps, when none follows soon."""
        self._wants_step = False
        self._choose(now_us())

    def start_by_hand(self, cpu_seconds: Optional[float]) -> None:
        """Starts recording, of operators on the CPU for at most this time (None: no limit)."""
        now = now_us()
        self._by_hand = True
        self._thread = threading.get_ident()
        self._cpu_end_us = _FOREVER_US if cpu_seconds is None else now + int(cpu_seconds * 1e6)
        self._choose(now)

    def stop_by_hand(self) -> None:
        """Ends the recording by hand and waits a limited time until it is written."""
        self._by_hand = False
        self._choose(now_us())
        self._wait()

    def tick(self, now: int) -> None:
        """Called often while something is recorded, between operations: ends sections."""
        if (self._by_hand or self._profile is not None) and threading.get_ident() == self._thread:
            self._choose(now)

    def _choose(self, now: int) -> None:
        """Starts and ends profiles as needed at this time."""
        parts = self._wanted_parts(now)
        if self._profile is not None and (parts != self._parts or now >= self._section_end_us):
            self.stop()
        if self._profile is None and any(parts) and self._has_room():
            self._start(parts, now)

    def _wanted_parts(self, now: int) -> Tuple[bool, bool]:
        """Returns whether operators and kernels are wanted."""
        if not (self._wants_step or self._by_hand):
            return (False, False)
        operators = self._wants_step or now < self._cpu_end_us
        return (operators, torch.cuda.is_available() and torch.cuda.is_initialized())

    def _has_room(self) -> bool:
        if self._written >= _MOST_EVENTS:
            say_once(
                f"detailed profiling ended after {self._written:,} operators and kernels; select "
                "fewer steps to see more of each"
            )
            return False
        self._writers = [writer for writer in self._writers if writer.is_alive()]
        return len(self._writers) <= _MOST_WRITERS

    def _start(self, parts: Tuple[bool, bool], now: int) -> None:
        if another_is_running():
            say_once("detailed profiling skipped: another PyTorch profiler is running")
            return
        try:
            profile = _make_profile(*parts)
            profile.__enter__()
        except Exception as error:
            say_once(f"detailed profiling skipped: {error}")
            return
        self._profile, self._parts = profile, parts
        self._thread = threading.get_ident()
        self._section_end_us = now + _SECTION_US
        self._steps = [] if self._last_step is None else [self._last_step]
        self._guard = OthersFirst(self.stop, ours=(_Profile,))

    def stop(self) -> None:
        """Ends the profile and starts writing its events."""
        profile, self._profile = self._profile, None
        if profile is None:
            return
        if self._guard is not None:
            self._guard.remove()
        try:
            profile.__exit__(None, None, None)
        except Exception as error:
            say_once(f"a detailed profile was lost: {error}")
            return
        steps, self._steps = self._steps, []
        writer = threading.Thread(
            target=self._write, args=(profile.kineto_results, steps), daemon=True
        )
        writer.start()
        self._writers.append(writer)

    def close(self) -> None:
        """Ends all profiles and waits a limited time for their events to be written."""
        self._by_hand = self._wants_step = False
        self.stop()
        self._wait()

    def _wait(self) -> None:
        for writer in self._writers:
            writer.join(_PATIENCE_S)
        self._writers.clear()

    def _write(self, result: Any, steps: List[Step]) -> None:
        try:
            core = self._session.core or self._session.open()
            for count, event in enumerate(operator_events(result, steps), 1):
                core.event(*event)
                self._written += 1
                if count % _CHUNK == 0:
                    core.flush()
        except Exception as error:
            say_once(f"a detailed profile is incomplete: {type(error).__name__}: {error}")


def _make_profile(operators: bool, kernels: bool) -> _Profile:
    kineto = torch.autograd.kineto_available()
    if not kernels:
        return _Profile(use_kineto=kineto)
    try:
        return _Profile(use_kineto=kineto, use_cpu=operators, use_device="cuda")
    except TypeError:  # Older versions use another name.
        return _Profile(use_kineto=kineto, use_cpu=operators, use_cuda=True)


_operators: Optional[OperatorProfiler] = None


def the_operators(session: Session) -> OperatorProfiler:
    """Returns the profiler of this process, which belongs to the session: there can be only one
    profile at a time."""
    global _operators
    if _operators is None or _operators not in session.details:
        _operators = OperatorProfiler(session)
        session.details.append(_operators)
    return _operators
