"""Parses system metrics, one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.units import TimeUnits, convert_utc_timestamp_to_nanoseconds
from tensorwarden.profiler.reading.system_columns import ProfilerSystemEvent, columns_of_text


def _nanoseconds(seconds: float) -> int:
    """Rounded to microseconds: a double is not more precise for current times, and its noise must
    not move an event across the limit of a query."""
    return round(seconds * 1_000_000) * 1_000


class SystemProfilerEventParser:
    """Collects the events of files."""

    def __init__(self) -> None:
        self._events: list[ProfilerSystemEvent] = []

    def read_events_from_file(self, eventfile: str) -> None:
        """Adds the events of a file of any name. An unreadable file is reported and skipped."""
        try:
            self.read_events_from_text(Path(eventfile).read_bytes(), eventfile)
        except OSError as error:
            get_logger().error(f"skipped {eventfile}: {error}")

    def read_events_from_text(self, text: str | bytes, source: str) -> None:
        """Adds the events of a file's content.

        Broken lines are skipped and reported, except the last one, which may be incomplete.
        """
        data = text.encode() if isinstance(text, str) else text
        whole = data.rfind(b"\n") + 1
        columns, broken = columns_of_text(data[:whole])
        if broken:
            get_logger().error(f"skipped {broken} invalid lines of {source}")
        last, _ = columns_of_text(data[whole:])
        self._events += columns.events() + last.events()

    def read_events_from_json_data(
        self, system_profiler_json_data: Iterable[dict[str, Any]]
    ) -> None:
        """Adds already parsed events."""
        for event in system_profiler_json_data:
            self.read_event_from_dict(event)

    def read_event_from_dict(self, event: dict[str, Any]) -> None:
        """Adds one event. Raises KeyError if a required key is missing."""
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
        """Returns the events of a type (None: any) from start to end, both included."""
        first = convert_utc_timestamp_to_nanoseconds(start_time, unit)
        last = convert_utc_timestamp_to_nanoseconds(end_time, unit)
        return [
            event
            for event in self._events
            if event_type in (None, event.type) and first <= _nanoseconds(event.timestamp) <= last
        ]

    def get_all_events(self) -> list[ProfilerSystemEvent]:
        """Returns all events."""
        return self._events

    def clear_events(self) -> None:
        """Removes all events."""
        self._events = []


class ProfilerSystemEvents(SystemProfilerEventParser):
    """The parser, under the name that readers use."""
