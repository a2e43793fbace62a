"""Converts a profile of PyTorch's profiler to events of the timeline."""

import bisect
from typing import Any, Dict, Iterator, List, Tuple

import torch

from tensorwarden.profiler.common.timeline_file import args_text, clean_text
from tensorwarden.profiler.recording.session import now_us

# Start time and number of a step.
Step = Tuple[int, int]

_HOUR_US = 3_600_000_000
_LATE = 1 << 62


def operator_events(result: Any, steps: List[Step]) -> Iterator[Tuple[Any, ...]]:
    """Yields phase, name, start, duration and args of all operators and kernels.

    `result` is what Kineto recorded; `steps` are the steps it covers, in order.
    """
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
        args: Dict[str, Any] = {}
        if steps:
            place = bisect.bisect_right(steps, (start, _LATE)) - 1
            args["step_num"] = str(steps[max(place, 0)][1])
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


def _start_us(event: Any) -> int:
    """Returns the start in microseconds; versions of PyTorch use microseconds or nanoseconds."""
    start = getattr(event, "start_us", None)
    return start() if start is not None else round(event.start_ns() / 1000)


def _duration_us(event: Any) -> int:
    duration = getattr(event, "duration_us", None)
    return duration() if duration is not None else round(event.duration_ns() / 1000)


def _shift_us(result: Any, steps: List[Step]) -> int:
    """Returns the offset from the profile's times to the time of day; 0 if they are equal."""
    began = getattr(result, "trace_start_us", None)
    began_us = began() if began is not None else result.trace_start_ns() // 1000
    known_us = steps[0][0] if steps else now_us()
    return 0 if abs(began_us - known_us) < _HOUR_US else known_us - began_us


def _stream(event: Any) -> int:
    """Returns the stream of a kernel, if this version of PyTorch provides it."""
    resource = getattr(event, "device_resource_id", None)
    return 0 if resource is None else resource()
