"""Timelines in the trace event format: spans, and the parser that makes them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from tensorwarden.log import get_logger
from tensorwarden.profiler.filenames import get_node_id_from_tracefilename, timeline_node
from tensorwarden.profiler.units import (
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
    """A process of a timeline: not one of the system, but a phase of the training."""

    def __init__(self, id: int, name: str):
        self.id = id
        self.name = name
        self._threads: dict[int, ThreadInfo] = {}

    def add_thread(self, threadid: int, thread_name: str) -> None:
        self._threads[threadid] = ThreadInfo(threadid, thread_name)

    def get_thread_info(self, threadid: int) -> ThreadInfo:
        return self._threads[threadid]

    def has_thread(self, threadid: Any) -> bool:
        return threadid in self._threads

    def __repr__(self) -> str:
        return f"id:{self.id} name:{self.name} threads:{self._threads}"


class TraceEvent:
    """A span: microseconds since 1970."""

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
        """The event as one line of a timeline file, with absolute time."""
        values = {"name": self.event_name, "pid": self.pid, "tid": self.tid, "ph": self.phase}
        values.update(ts=self.start_time, dur=self.duration)
        if self.event_args:
            values["args"] = self.event_args
        return json.dumps(values)


def stable_thread_id(text: str) -> int:
    """63 bits that stand for a thread which the file does not name, the same in every process."""
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


class TraceEventParser:
    """Collects the spans of the timelines that it is given.

    The names of phases are kept from file to file: a file need not repeat them. The base time is
    kept until a file brings its own."""

    def __init__(self, type: str = ""):
        self.type = type
        self._processes: dict[int, ProcessInfo] = {}
        self._trace_events: list[TraceEvent] = []
        self._start_timestamp = 0
        self._open: dict[Any, list[dict[str, Any]]] = {}

    def read_events_from_file(self, tracefile: str) -> None:
        """Adds a file's spans; one that is no JSON array is reported and adds nothing."""
        try:
            events = json.loads(Path(tracefile).read_text())
        except (OSError, ValueError) as error:
            get_logger().error(f"{tracefile} is skipped: {error}")
            return
        self.read_events_from_json_data(events, get_node_id_from_tracefilename(tracefile))

    def read_events_from_json_data(
        self, trace_json_data: Iterable[dict[str, Any]], node_id: str
    ) -> None:
        """Adds the spans of a parsed file that comes from that node."""
        node = timeline_node(node_id)
        broken = 0
        for event in trace_json_data:
            try:
                self._read_event(event, node)
            except (KeyError, TypeError, ValueError, AttributeError):
                broken += 1
        if broken:
            get_logger().error(f"{broken} events of node '{node}' are broken and left out")

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
                # A repeated announcement must not lose the threads that are known by now.
                if known is None or known.name != args["name"]:
                    self._processes[event["pid"]] = ProcessInfo(event["pid"], args["name"])
            if BASE_TIME in args:
                self._start_timestamp = int(args[BASE_TIME])
        elif event.get("name") == "thread_name":
            self._process(event["pid"]).add_thread(event["tid"], args["name"])

    def _end(self, event: dict[str, Any], node_id: str) -> None:
        """Closes the span that was begun last; an end without a beginning says nothing."""
        begun = self._open.get(event.get("pid"))
        if not begun:
            get_logger().debug(f"an event of phase {event.get('pid')} ends that never began")
            return
        begin = begun.pop()
        duration = event["ts"] - begin["ts"]
        if duration < 0:
            get_logger().error(f"event '{begin.get('name')}' ends before it begins: left out")
            return
        self._add(begin, begin["ts"], duration, event.get("args"), node_id)

    def _process(self, pid: int) -> ProcessInfo:
        if pid not in self._processes:
            get_logger().warning(f"phase {pid} of a timeline has no name: called Unknown")
            self._processes[pid] = ProcessInfo(pid, "Unknown")
        return self._processes[pid]

    def _add(
        self, event: dict[str, Any], ts: float, duration: float, args: Any, node_id: str
    ) -> None:
        pid = event.get("pid", 0)
        process = self._process(pid)
        tid = event.get("tid")
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
        return self._trace_events

    def get_events_start_time_sorted(self) -> list[TraceEvent]:
        return sorted(self._trace_events, key=lambda event: event.start_time)

    def get_events_end_time_sorted(self) -> list[TraceEvent]:
        return sorted(self._trace_events, key=lambda event: event.end_time)

    def get_events_within_time_range(
        self, start_time: float, end_time: float, unit: TimeUnits = TimeUnits.MICROSECONDS
    ) -> list[TraceEvent]:
        """The spans that overlap [start, end], however little."""
        first = convert_utc_timestamp_to_microseconds(start_time, unit)
        last = convert_utc_timestamp_to_microseconds(end_time, unit)
        return [
            event
            for event in self._trace_events
            if event.end_time >= first and event.start_time <= last
        ]

    def get_events_within_range(self, start_time: datetime, end_time: datetime) -> list[TraceEvent]:
        """The same, between two moments; a naive one counts as UTC."""
        return self.get_events_within_time_range(
            convert_utc_datetime_to_microseconds(start_time),
            convert_utc_datetime_to_microseconds(end_time),
        )

    def get_events_for_process(
        self, pid: int, start_time: datetime, end_time: datetime
    ) -> list[TraceEvent]:
        """The spans of one phase between two moments."""
        found = self.get_events_within_range(start_time, end_time)
        return [event for event in found if event.phase_pid == pid]

    def get_events_for_thread(
        self, tid: int, start_time: datetime, end_time: datetime
    ) -> list[TraceEvent]:
        """The spans of one thread between two moments."""
        found = self.get_events_within_range(start_time, end_time)
        return [event for event in found if event.phase_tid == tid]

    def get_process_info(self, process_id: int) -> ProcessInfo | None:
        return self._processes.get(process_id)

    def get_processes(self) -> dict[int, ProcessInfo]:
        return self._processes

    def clear_events(self) -> None:
        """Forgets the spans, finished and begun, but not the names of phases."""
        self._trace_events = []
        self._open = {}
