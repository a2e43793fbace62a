"""Records operators and kernels of a few steps with PyTorch's profiler."""

import bisect
import threading
from typing import Any, Dict, Iterator, List, Optional, Tuple

import torch
from torch.autograd import profiler as torch_profiler

from tensorwarden.base.patching import Patches
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.timeline_file import args_text, clean_text
from tensorwarden.profiler.recording.session import Session, now_us

# The number of events that the core certainly has room for.
_CHUNK = 10_000
_PATIENCE_S = 10.0
_HOUR_US = 3_600_000_000
_LATE = 1 << 62


class _Profile(torch_profiler.profile):
    """PyTorch's profiler without its tables, which would delay the training; events are read
    later."""

    def _parse_kineto_results(self, result: Any) -> List[Any]:
        return []


class OperatorProfiler:
    """Profiles the selected steps. A thread writes the events while training continues.

    Does nothing but log a message if another profiler is running.
    """

    def __init__(self, session: Session):
        self._session = session
        self._profile: Optional[_Profile] = None
        self._steps: List[Tuple[int, int]] = []  # Start time and number of each step.
        self._guard: Optional[_OthersFirst] = None
        self._writers: List[threading.Thread] = []

    @property
    def is_running(self) -> bool:
        """Whether a profile is being recorded."""
        return self._profile is not None

    def at_step(self, step: int, at_us: int, wanted: bool) -> None:
        """Called at the start of a step."""
        if self._profile is not None and not wanted:
            self.stop()
        elif self._profile is None and wanted:
            self._start()
        if self._profile is not None:
            self._steps.append((at_us, step))

    def _start(self) -> None:
        if _another_is_running():
            say_once("detailed profiling skipped: another PyTorch profiler is running")
            return
        try:
            on_gpu = torch.cuda.is_available() and torch.cuda.is_initialized()
            profile = _make_profile(on_gpu)
            profile.__enter__()
        except Exception as error:
            say_once(f"detailed profiling skipped: {error}")
            return
        self._profile, self._steps = profile, []
        self._guard = _OthersFirst(self.stop)

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
        self.stop()
        for writer in self._writers:
            writer.join(_PATIENCE_S)
        self._writers.clear()

    def _write(self, result: Any, steps: List[Tuple[int, int]]) -> None:
        try:
            core = self._session.core or self._session.open()
            for count, event in enumerate(_events(result, steps), 1):
                core.event(*event)
                if count % _CHUNK == 0:
                    core.flush()
        except Exception as error:
            say_once(f"a detailed profile is incomplete: {type(error).__name__}: {error}")


def _make_profile(on_gpu: bool) -> _Profile:
    kineto = torch.autograd.kineto_available()
    if not on_gpu:
        return _Profile(use_kineto=kineto)
    try:
        return _Profile(use_kineto=kineto, use_device="cuda")
    except TypeError:  # Older versions use another name.
        return _Profile(use_kineto=kineto, use_cuda=True)


def _another_is_running() -> bool:
    enabled = getattr(torch.autograd, "_profiler_enabled", None)
    return bool(enabled is not None and enabled())


class _OthersFirst:
    """Stops our profile when the script starts another profiler."""

    def __init__(self, stop: Any):
        self._patches = Patches()

        def make(original: Any) -> Any:
            def start(self: Any, *args: Any, **kwargs: Any) -> Any:
                if not isinstance(self, _Profile):
                    stop()
                return original(self, *args, **kwargs)

            return start

        for name in ("__enter__", "_prepare_trace", "_start_trace"):
            self._patches.put(torch_profiler.profile, name, make)

    def remove(self) -> None:
        self._patches.remove()


def _start_us(event: Any) -> int:
    """Returns the start in microseconds; versions of PyTorch use microseconds or nanoseconds."""
    start = getattr(event, "start_us", None)
    return start() if start is not None else round(event.start_ns() / 1000)


def _duration_us(event: Any) -> int:
    duration = getattr(event, "duration_us", None)
    return duration() if duration is not None else round(event.duration_ns() / 1000)


def _shift_us(result: Any, steps: List[Tuple[int, int]]) -> int:
    """Returns the offset from the profile's times to the time of day; 0 if they are equal."""
    began = getattr(result, "trace_start_us", None)
    began_us = began() if began is not None else result.trace_start_ns() // 1000
    known_us = steps[0][0] if steps else now_us()
    return 0 if abs(began_us - known_us) < _HOUR_US else known_us - began_us


def _events(result: Any, steps: List[Tuple[int, int]]) -> Iterator[Tuple[Any, ...]]:
    """Yields phase, name, start, duration and args of all operators and kernels."""
    shift = _shift_us(result, steps)
    events = result.events()
    cpu = torch.autograd.DeviceType.CPU
    # The operator that launched a kernel. Driver calls are linked to an operator themselves.
    operators: Dict[int, Any] = {}
    for event in events:
        if event.device_type() == cpu and not event.linked_correlation_id():
            operators.setdefault(event.correlation_id(), event)
    operators.pop(0, None)
    for event in events:
        start = _start_us(event) + shift
        place = bisect.bisect_right(steps, (start, _LATE)) - 1
        args: Dict[str, Any] = {"step_num": str(steps[max(place, 0)][1] if steps else -1)}
        if event.device_type() == cpu:
            phase = "cpu_functions"
            args.update(tid=event.start_thread_id(), device="cpu")
        else:
            phase = f"gpu_functions-dev:{event.device_index()}"
            args.update(tid=_stream(event), device=event.device_index())
            operator = operators.get(event.linked_correlation_id())
            if operator is not None:
                args.update(
                    event_name=operator.name(),
                    start_cpu_thread=operator.start_thread_id(),
                    cpu_thread_start_time=_start_us(operator) + shift,
                )
        duration = max(_duration_us(event), 0)
        yield phase, clean_text(event.name()), start, duration, args_text(args)


def _stream(event: Any) -> int:
    """Returns the stream of a kernel, if this version of PyTorch provides it."""
    resource = getattr(event, "device_resource_id", None)
    return 0 if resource is None else resource()
