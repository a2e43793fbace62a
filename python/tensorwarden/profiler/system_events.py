"""System metrics: lines of JSON, and the events that they hold."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tensorwarden.log import get_logger
from tensorwarden.profiler.filenames import validate_system_profiler_file
from tensorwarden.profiler.units import TimeUnits, convert_utc_timestamp_to_nanoseconds


class ProfilerSystemEvent:
    """One measurement; `timestamp` in seconds since 1970."""

    __slots__ = ("dimension", "name", "node_id", "timestamp", "type", "value")

    def __init__(
        self,
        event_type: str,
        name: str | None,
        dimension: str,
        value: float,
        node_id: str,
        timestamp: float,
    ):
        self.type = event_type
        self.name = name
        self.dimension = dimension
        self.value = value
        self.node_id = node_id
        self.timestamp = timestamp

    def __repr__(self) -> str:
        return (
            f"ProfilerSystemEvent({self.type} {self.dimension} {self.name} of {self.node_id}: "
            f"{self.value} at {self.timestamp})"
        )


def _nanoseconds(seconds: float) -> int:
    """Rounded to microseconds: a double cannot tell the time of today any finer, and its noise
    must not push an event over the border of a query."""
    return round(seconds * 1_000_000) * 1_000


class SystemProfilerEventParser:
    """Collects the events of the files that it is given."""

    def __init__(self) -> None:
        self._events: list[ProfilerSystemEvent] = []

    def read_events_from_file(self, eventfile: str) -> None:
        """Adds a file's events. A name that is none of ours, a file that cannot be read and one
        with a broken line (but the last, which may just be being written) add nothing."""
        if not validate_system_profiler_file(eventfile):
            return
        try:
            self.read_events_from_text(Path(eventfile).read_text(), eventfile)
        except (OSError, ValueError, KeyError, TypeError) as error:
            get_logger().error(f"{eventfile} is skipped: {error}")

    def read_events_from_text(self, text: str, source: str) -> None:
        """Adds the events of a file's content; nothing at all if a line but the last is broken."""
        lines = [line for line in text.split("\n") if line.strip()]
        found = []
        for number, line in enumerate(lines, 1):
            try:
                found.append(self._event(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                if number < len(lines):
                    raise ValueError(f"line {number} of {source} is broken ({error!r})") from error
        self._events.extend(found)

    def read_events_from_json_data(
        self, system_profiler_json_data: Iterable[dict[str, Any]]
    ) -> None:
        """Adds events that were parsed already."""
        for event in system_profiler_json_data:
            self.read_event_from_dict(event)

    def read_event_from_dict(self, event: dict[str, Any]) -> None:
        """Adds one event; KeyError for one that lacks a required key."""
        self._events.append(self._event(event))

    @staticmethod
    def _event(event: dict[str, Any]) -> ProfilerSystemEvent:
        return ProfilerSystemEvent(
            event["Type"],
            event.get("Name"),
            event["Dimension"],
            event["Value"],
            event["NodeId"],
            event["Timestamp"],
        )

    def get_events_within_time_range(
        self,
        start_time: float,
        end_time: float,
        unit: TimeUnits = TimeUnits.MICROSECONDS,
        event_type: str | None = None,
    ) -> list[ProfilerSystemEvent]:
        """The events of that type (None: any) from start to end, both included."""
        first = convert_utc_timestamp_to_nanoseconds(start_time, unit)
        last = convert_utc_timestamp_to_nanoseconds(end_time, unit)
        return [
            event
            for event in self._events
            if event_type in (None, event.type) and first <= _nanoseconds(event.timestamp) <= last
        ]

    def get_all_events(self) -> list[ProfilerSystemEvent]:
        return self._events

    def clear_events(self) -> None:
        self._events = []


class ProfilerSystemEvents(SystemProfilerEventParser):
    """The parser, under the name that readers use it by."""
