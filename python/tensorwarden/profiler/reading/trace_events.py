"""Timelines in the trace event format: spans and their parser."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.filenames import get_node_id_from_tracefilename, timeline_node
from tensorwarden.profiler.common.units import (
    TimeUnits,
    convert_utc_datetime_to_microseconds,
    convert_utc_timestamp_to_microseconds,
)

BASE_TIME = "start_time_since_epoch_in_micros"


class ThreadInfo:
    """A thread of a process of a timeline."""

    def __init__(self, tid: int, thread_name: str):
        self.tid = tid
        self.thread_name = thread_name

    def __repr__(self) -> str:
        return f"tid:{self.tid} name:{self.thread_name}"


class ProcessInfo:
    """A process of a timeline: a phase of the training, not a process of the system."""

    def __init__(self, id: int, name: str):
        self.id = id
        self.name = name
        self._threads: dict[int, ThreadInfo] = {}

    def add_thread(self, threadid: int, thread_name: str) -> None:
        """Adds a thread."""
        self._threads[threadid] = ThreadInfo(threadid, thread_name)

    def get_thread_info(self, threadid: int) -> ThreadInfo:
        """Returns a thread. Raises KeyError if unknown."""
        return self._threads[threadid]

    def has_thread(self, threadid: Any) -> bool:
        """Returns whether the thread is known."""
        return threadid in self._threads

    def __repr__(self) -> str:
        return f"id:{self.id} name:{self.name} threads:{self._threads}"


class TraceEvent:
    """A span, in microseconds since 1970."""

    def __init__(
        self,
        ts: float,
        name: str,
        dur: float,
        phase_pid: int,
        phase_tid: int,
        event_args: dict[str, Any] | None,
        node_id: str,
        phase: str,
        file_type: str,
        event_phase: str = "",
        pid: int = 0,
        tid: int = 0,
        process_info: ProcessInfo | None = None,
    ):
        self.start_time = ts
        self.event_name = name
        self.duration = dur
        self.end_time = ts + dur
        self.phase_pid = phase_pid
        self.phase_tid = phase_tid
        self.pid = pid
        self.tid = tid
        self.event_args = event_args
        self.node_id = node_id
        self.phase = phase
        self.event_phase = event_phase
        self.process_info = process_info
        self.file_type = file_type

    def to_json(self) -> str:
        """Returns the event as one line of a timeline file, with absolute time."""
        values = {"name": self.event_name, "pid": self.pid, "tid": self.tid, "ph": self.phase}
        values.update(ts=self.start_time, dur=self.duration)
        if self.event_args:
            values["args"] = self.event_args
        return json.dumps(values)


def stable_thread_id(text: str) -> int:
    """Returns 63 bits that identify a thread without a name, the same in every process."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


class TraceEventParser:
    """Collects the spans of timelines.

    Phase names are kept from file to file, because a file need not repeat them. The base time is
    kept until a file sets its own.
    """

    def __init__(self, type: str = ""):
        self.type = type
        self._processes: dict[int, ProcessInfo] = {}
        self._trace_events: list[TraceEvent] = []
        self._start_timestamp = 0
        self._open: dict[Any, list[dict[str, Any]]] = {}

    def read_events_from_file(self, tracefile: str) -> None:
        """Adds the spans of a file. A file that is not a JSON array is reported and skipped."""
        try:
            events = json.loads(Path(tracefile).read_text())
        except (OSError, ValueError) as error:
            get_logger().error(f"skipped {tracefile}: {error}")
            return
        self.read_events_from_json_data(events, get_node_id_from_tracefilename(tracefile))

    def read_events_from_json_data(
        self, trace_json_data: Iterable[dict[str, Any]], node_id: str
    ) -> None:
        """Adds the spans of a parsed file of this node."""
        node = timeline_node(node_id)
        broken = 0
        for event in trace_json_data:
            try:
                self._read_event(event, node)
            except (KeyError, TypeError, ValueError, AttributeError):
                broken += 1
        if broken:
            get_logger().error(f"skipped {broken} invalid events of node '{node}'")

    def _read_event(self, event: dict[str, Any], node_id: str = "") -> None:
        phase = event.get("ph")
        if phase == "M":
            self._read_metadata(event)
        elif phase == "X":
            self._add(event, event["ts"], event["dur"], event.get("args"), node_id)
        elif phase == "B":
            self._open.setdefault(event.get("pid"), []).append(event)
        elif phase == "E":
            self._end(event, node_id)

    def _read_metadata(self, event: dict[str, Any]) -> None:
        args = event.get("args", {})
        if event.get("name") == "process_name":
            if "name" in args:
                known = self._processes.get(event["pid"])
                # A repeated announcement must keep the known threads.
                if known is None or known.name != args["name"]:
                    self._processes[event["pid"]] = ProcessInfo(event["pid"], args["name"])
            if BASE_TIME in args:
                self._start_timestamp = int(args[BASE_TIME])
        elif event.get("name") == "thread_name":
            self._process(event["pid"]).add_thread(event["tid"], args["name"])

    def _end(self, event: dict[str, Any], node_id: str) -> None:
        """Ends the span that started last. An end without a start is ignored."""
        begun = self._open.get(event.get("pid"))
        if not begun:
            get_logger().debug(
                f"ignored an event of phase {event.get('pid')} that ends without a start"
            )
            return
        begin = begun.pop()
        duration = event["ts"] - begin["ts"]
        if duration < 0:
            get_logger().error(f"skipped event '{begin.get('name')}': it ends before it starts")
            return
        self._add(begin, begin["ts"], duration, event.get("args"), node_id)

    def _process(self, pid: int) -> ProcessInfo:
        if pid not in self._processes:
            get_logger().warning(f"phase {pid} of a timeline has no name; using 'Unknown'")
            self._processes[pid] = ProcessInfo(pid, "Unknown")
        return self._processes[pid]

    def _add(
        self, event: dict[str, Any], ts: float, duration: float, args: Any, node_id: str
    ) -> None:
        pid = event.get("pid", 0)
        process = self._process(pid)
        tid: Any = event.get("tid")
        if not process.has_thread(tid):
            named = f"{node_id}_{tid or 0}"
            tid = stable_thread_id(named + process.name)
            if not process.has_thread(tid):
                process.add_thread(tid, named)
        real = args if isinstance(args, dict) else {}
        self._trace_events.append(
            TraceEvent(
                ts + self._start_timestamp,
                event.get("name", ""),
                duration,
                pid,
                tid,
                args,
                node_id,
                "X",
                self.type,
                event_phase=process.name,
                pid=real.get("pid", pid),
                tid=real.get("thread_id", tid),
                process_info=process,
            )
        )

    def get_all_events(self) -> list[TraceEvent]:
        """Returns all spans."""
        return self._trace_events

    def get_events_start_time_sorted(self) -> list[TraceEvent]:
        """Returns all spans, sorted by start."""
        return sorted(self._trace_events, key=lambda event: event.start_time)

    def get_events_end_time_sorted(self) -> list[TraceEvent]:
        """Returns all spans, sorted by end."""
        return sorted(self._trace_events, key=lambda event: event.end_time)

    def get_events_within_time_range(
        self, start_time: float, end_time: float, unit: TimeUnits = TimeUnits.MICROSECONDS
    ) -> list[TraceEvent]:
        """Returns the spans that overlap [start, end]."""
        first = convert_utc_timestamp_to_microseconds(start_time, unit)
        last = convert_utc_timestamp_to_microseconds(end_time, unit)
        return [
            event
            for event in self._trace_events
            if event.end_time >= first and event.start_time <= last
        ]

    def get_events_within_range(self, start_time: datetime, end_time: datetime) -> list[TraceEvent]:
        """Returns the spans that overlap a range of times. A naive datetime counts as UTC."""
        return self.get_events_within_time_range(
            convert_utc_datetime_to_microseconds(start_time),
            convert_utc_datetime_to_microseconds(end_time),
        )

    def get_events_for_process(
        self, pid: int, start_time: datetime, end_time: datetime
    ) -> list[TraceEvent]:
        """Returns the spans of one phase in a range of times."""
        found = self.get_events_within_range(start_time, end_time)
        return [event for event in found if event.phase_pid == pid]

    def get_events_for_thread(
        self, tid: int, start_time: datetime, end_time: datetime
    ) -> list[TraceEvent]:
        """Returns the spans of one thread in a range of times."""
        found = self.get_events_within_range(start_time, end_time)
        return [event for event in found if event.phase_tid == tid]

    def get_process_info(self, process_id: int) -> ProcessInfo | None:
        """Returns a phase; None if unknown."""
        return self._processes.get(process_id)

    def get_processes(self) -> dict[int, ProcessInfo]:
        """Returns all phases by id."""
        return self._processes

    def clear_events(self) -> None:
        """Removes all spans, finished or not, but keeps the names of phases."""
        self._trace_events = []
        self._open = {}
