"""Converts profiles of TensorFlow's profiler (XSpace) to traces that readers of timelines know."""

import gzip
import json
from pathlib import Path
from typing import Any, Callable, Iterator, List, NamedTuple, Optional

# TensorFlow's own converter has the same limit.
_MOST_EVENTS = 1_000_000
# Times below are relative to the start of the profile; those above are since 1970, in ns.
_ABSOLUTE_NS = 10**17
_XSPACE = ".xplane.pb"
_TRACE = ".trace.json.gz"
# What tf.data records, by the phase on the timeline: the training gets a batch; stages of the
# pipeline, which may run in the background.
_LOADING = {"IteratorGetNextOp::": "DataIterator", "Iterator::": "Dataset"}


class Recorded(NamedTuple):
    """A span of a profile; times are in microseconds since the start of the profile."""

    plane: str  # Such as /host:CPU or /device:GPU:0.
    line: str  # The thread or stream.
    name: str
    start_us: float
    duration_us: float


def read_xspace(path: Path) -> Any:
    """Reads a profile. Raises ImportError if this version of TensorFlow does not have the
    format."""
    try:
        from tensorflow.tsl.profiler.protobuf import xplane_pb2
    except ImportError:
        from tensorflow.core.profiler.protobuf import xplane_pb2
    space = xplane_pb2.XSpace()
    space.ParseFromString(path.read_bytes())
    return space


def spans_of(space: Any, start_us: int) -> Iterator[Recorded]:
    """Yields the spans of a profile that started at a time (µs since 1970)."""
    for plane in space.planes:
        names = {number: data.display_name or data.name for number, data in _metadata(plane)}
        for line in plane.lines:
            base = line.timestamp_ns
            if base >= _ABSOLUTE_NS:
                base -= start_us * 1000
            for event in line.events:
                # Names may end in attributes: "name#key=value#".
                name = names.get(event.metadata_id, "").partition("#")[0]
                yield Recorded(
                    plane.name,
                    line.display_name or line.name or str(line.id),
                    name,
                    base / 1000 + event.offset_ps / 1e6,
                    event.duration_ps / 1e6,
                )


def _metadata(plane: Any) -> Iterator[Any]:
    return iter(plane.event_metadata.items())


def loading_phase(span: Recorded) -> Optional[str]:
    """Returns the phase of a span of tf.data's input pipeline; None for others."""
    for start, phase in _LOADING.items():
        if span.name.startswith(start):
            return phase
    return None


def write_trace(spans: List[Recorded], path: Path) -> None:
    """Writes spans in the trace event format, compressed; the file appears when it is complete."""
    events: List[Any] = []
    processes: dict = {}
    threads: dict = {}
    for span in spans[:_MOST_EVENTS]:
        pid = processes.setdefault(span.plane, len(processes) + 1)
        tid = threads.setdefault((span.plane, span.line), len(threads) + 1)
        events.append(
            {
                "ph": "X",
                "pid": pid,
                "tid": tid,
                "name": span.name,
                "ts": span.start_us,
                "dur": span.duration_us,
            }
        )
    named = [_named("process_name", pid, 0, plane) for plane, pid in processes.items()]
    for (plane, line), tid in threads.items():
        named.append(_named("thread_name", processes[plane], tid, line))
    temporary = path.with_name(f"{path.name}.tmp")
    with gzip.open(temporary, "wt", encoding="utf-8", compresslevel=3) as file:
        json.dump({"displayTimeUnit": "ns", "traceEvents": named + events}, file)
    temporary.replace(path)


def _named(kind: str, pid: int, tid: int, name: str) -> Any:
    return {"ph": "M", "pid": pid, "tid": tid, "name": kind, "args": {"name": name}}


def convert(folder: Path, start_us: int, found: Callable[[Recorded], None], keep: bool) -> None:
    """Passes all spans of the profiles below a folder to `found`; writes a trace next to each that
    has none if `keep`."""
    for path in sorted(folder.rglob(f"*{_XSPACE}")):
        spans = list(spans_of(read_xspace(path), start_us))
        for span in spans:
            found(span)
        trace = path.with_name(path.name[: -len(_XSPACE)] + _TRACE)
        if keep and not trace.exists():
            write_trace(spans, trace)
