"""Spans as columns: a few arrays instead of an object for each span."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

from tensorwarden import _core
from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.labels import Labels
from tensorwarden.profiler.common.units import whole_microseconds
from tensorwarden.profiler.reading.trace_events import ProcessInfo, TraceEvent

NUMBERS = (
    *("start_us", "duration_us", "step", "bytes", "pid", "tid"),
    *("worker", "num_workers", "pinned"),
)
LABELS = ("event", "name", "phase", "node")
# What an event contains about pinned memory of a data loader.
PINNED = {-1: "NA", 0: "False", 1: "True"}


@dataclass
class SpanColumns:
    """Spans in the order of their files, in microseconds since 1970. -1 means unknown."""

    start_us: np.ndarray
    duration_us: np.ndarray
    step: np.ndarray
    bytes: np.ndarray
    pid: np.ndarray
    tid: np.ndarray
    worker: np.ndarray
    num_workers: np.ndarray
    pinned: np.ndarray
    event: Labels  # The name of the event.
    name: Labels  # The layer or operator it belongs to; else the event's name.
    phase: Labels
    node: Labels

    def __len__(self) -> int:
        return len(self.start_us)

    @property
    def end_us(self) -> np.ndarray:
        """The ends of the spans."""
        return self.start_us + self.duration_us

    def where(self, rows: np.ndarray) -> SpanColumns:
        """Returns the rows with these numbers, or those selected by a mask."""
        parts: dict[str, Any] = {}
        for field in fields(self):
            column = getattr(self, field.name)
            parts[field.name] = column.where(rows) if isinstance(column, Labels) else column[rows]
        return SpanColumns(**parts)

    @classmethod
    def of_events(cls, events: Iterable[TraceEvent]) -> SpanColumns:
        """Creates columns from events."""
        spans = list(events)
        args = [span.event_args if isinstance(span.event_args, dict) else {} for span in spans]

        def said(key: str) -> np.ndarray:
            return np.array([_whole(one.get(key, -1)) for one in args], dtype=np.int64)

        def numbers(values: Iterable[Any]) -> np.ndarray:
            return np.array([_whole(value) for value in values], dtype=np.int64)

        return cls(
            numbers(span.start_time for span in spans),
            numbers(span.duration for span in spans),
            *(said("step_num"), said("bytes_fetched")),
            numbers(span.pid for span in spans),
            numbers(span.tid for span in spans),
            *(said("worker_id"), said("num_workers"), said_pinned(args)),
            Labels.of(span.event_name for span in spans),
            Labels.of(name_of(span) for span in spans),
            Labels.of(span.event_phase for span in spans),
            Labels.of(span.node_id for span in spans),
        )


def _whole(value: Any) -> int:
    """Returns an integer from a number or text; -1 for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return -1


def said_pinned(args: list[dict[str, Any]]) -> np.ndarray:
    """Returns 1 for data loaders that pin memory, 0 for those that do not, -1 if unknown."""
    return np.array([int(bool(one["pin_memory"])) if "pin_memory" in one else -1 for one in args])


def name_of(span: TraceEvent) -> str:
    """Returns the layer, the operator or the name of a span."""
    args = span.event_args if isinstance(span.event_args, dict) else {}
    return args.get("layer_name") or args.get("name") or span.event_name


def read_spans(reader: Any, start_us: float, end_us: float) -> SpanColumns:
    """Returns the spans that overlap a range; uses `get_events` of other readers."""
    if hasattr(reader, "get_columns"):
        return reader.get_columns(start_us, end_us)
    return SpanColumns.of_events(reader.get_events(start_us, end_us))


def joined(pieces: list[SpanColumns]) -> SpanColumns:
    """Concatenates columns."""
    if len(pieces) == 1:
        return pieces[0]
    parts: dict[str, Any] = {}
    for field in fields(SpanColumns):
        columns = [getattr(piece, field.name) for piece in pieces]
        labels = isinstance(columns[0], Labels)
        parts[field.name] = Labels.joined(columns) if labels else np.concatenate(columns)
    return SpanColumns(**parts)


def endings(suffixes: Sequence[str]) -> list[str]:
    """Returns the endings of file names with these suffixes, including files being written."""
    return [ending for suffix in suffixes for ending in (suffix, f"{suffix}.tmp")]


def read_folder(
    folder: str,
    start_us: float,
    end_us: float,
    buffer_us: int,
    suffixes: Sequence[str] = (),
    args: bool = False,
) -> dict[str, Any] | None:
    """Returns the core's table of the spans that overlap a range; logs problems with files.

    Reads the files with one of the suffixes in a profiler's folder. Returns None if there is no
    such folder.
    """
    if not Path(folder).is_dir():
        return None
    range_us = (whole_microseconds(start_us), whole_microseconds(end_us))
    table = _core.read_spans(folder, *range_us, endings(suffixes), buffer_us, args)
    for problem in table["problems"]:
        get_logger().error(problem)
    return table


def columns_of(table: dict[str, Any] | None) -> SpanColumns:
    """Returns the columns of a core table."""
    if table is None:
        return SpanColumns.of_events([])
    labels: dict[str, Any] = {key: Labels(table[key], table["names"]) for key in LABELS}
    return SpanColumns(**{key: table[key] for key in NUMBERS}, **labels)


def events_of(table: dict[str, Any] | None) -> list[TraceEvent]:
    """Returns an event for each span of a core table with arguments."""
    if table is None or not len(table["start_us"]):
        return []
    texts = {key: Labels(table[key], table["names"]).array().tolist() for key in LABELS}
    kinds = Labels(table["source"], table["sources"]).array().tolist()
    keys = ("start_us", "duration_us", "phase_pid", "phase_tid", "pid", "tid")
    start, duration, phase_pid, phase_tid, pid, tid = (table[key].tolist() for key in keys)
    arguments = _arguments(table["args_text"], table["args_ends"].tolist())
    processes: dict[tuple[int, str], ProcessInfo] = {}
    events = []
    for i, phase in enumerate(texts["phase"]):
        place = (phase_pid[i], phase)
        if place not in processes:
            processes[place] = ProcessInfo(*place)
        event = TraceEvent(
            *(start[i], texts["event"][i], duration[i], phase_pid[i], phase_tid[i]),
            *(arguments[i], texts["node"][i], "X", kinds[i], phase, pid[i], tid[i]),
            processes[place],
        )
        if not processes[place].has_thread(phase_tid[i]):
            processes[place].add_thread(phase_tid[i], f"{texts['node'][i]}_{phase_tid[i]}")
        events.append(event)
    return events


def _arguments(text: bytes, ends: list[int]) -> list[Any]:
    """Returns the arguments of each span from concatenated JSON texts; None for invalid ones."""
    pieces = [text[begin:end] or b"null" for begin, end in zip([0, *ends], ends)]
    try:
        # Parsing all at once is much faster than one by one.
        return json.loads((b"[" + b",".join(pieces) + b"]").decode(errors="replace"))
    except (ValueError, RecursionError):
        return [_argument(piece) for piece in pieces]


def _argument(piece: bytes) -> Any:
    try:
        return json.loads(piece.decode(errors="replace"))
    except (ValueError, RecursionError):
        return None
