"""Converts Horovod's timeline, one growing file, to timeline files."""

from __future__ import annotations

import json
import os
import threading
import time
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import CONVERT_TO_MICROSECS, HOROVODTIMELINE_SUFFIX
from tensorwarden.profiler.recording.timeline_writer import TimelineFileWriter

POLL_S = 15


class HvdTraceFileRotation:
    """Follows the file named by `HOROVOD_TIMELINE` while profiling is on, until `close`."""

    def __init__(self, profiler_config_parser: Any):
        self._parser = profiler_config_parser
        self.enabled = self._should_enable()
        if not self.enabled:
            return
        self._path = Path(os.environ["HOROVOD_TIMELINE"])
        # Horovod counts from the start of the machine.
        self._clock = (time.monotonic() - time.time()) * CONVERT_TO_MICROSECS
        self._phases: dict[Any, str] = {}
        self._rest = b""
        self._offset = 0
        self._based = False
        self.tl_writer = TimelineFileWriter(profiler_config_parser, suffix=HOROVODTIMELINE_SUFFIX)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._follow, name="horovod-timeline", daemon=True)
        self._thread.start()

    def _should_enable(self) -> bool:
        return bool(self._parser.profiling_enabled and os.getenv("HOROVOD_TIMELINE"))

    def _convert_monotonic_to_epoch_time(self, timestamp_in_us: float) -> float:
        """Converts Horovod's time to microseconds since 1970."""
        return timestamp_in_us - self._clock

    def _follow(self) -> None:
        while not self._stop.wait(POLL_S):
            self.read_new_events()

    def read_new_events(self) -> None:
        """Converts the events written since the last call. An incomplete line waits."""
        try:
            with self._path.open("rb") as file:
                file.seek(self._offset)
                data = file.read()
        except OSError as error:
            get_logger().debug(f"cannot read {self._path} yet: {error}")
            return
        self._offset += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            event = json.loads(line.strip().rstrip(b","))
            if isinstance(event, dict):
                self._parse_trace_event(event)
        except (ValueError, TypeError, AttributeError):
            get_logger().debug(f"{self._path}: skipped a line that is not an event")

    def _parse_trace_event(self, event: dict[str, Any]) -> None:
        args = event.get("args") or {}
        if event.get("ph") == "M":
            if "name" in args:
                self._phases[event.get("pid", 0)] = args["name"]
            return
        if "ts" not in event:
            return
        at = self._convert_monotonic_to_epoch_time(event["ts"])
        if not self._based:
            self._based = True
            self.tl_writer._update_base_start_time(round(at))
        kwargs = {str(key): value for key, value in args.items()}
        if "s" in event:
            kwargs["s"] = event["s"]
        self.tl_writer.write_trace_events(
            timestamp=at / CONVERT_TO_MICROSECS,
            # A cycle mark has no phase.
            training_phase=self._phases.get(event.get("pid", 0), "Unknown"),
            op_name=event.get("name", ""),
            phase=event.get("ph", "X"),
            duration=event.get("dur", 0) / CONVERT_TO_MICROSECS,
            **{key: value for key, value in kwargs.items() if key not in _OWN},
        )

    def close(self) -> None:
        """Converts the remaining events and stops. A second call does nothing."""
        if not self.enabled:
            return
        self.enabled = False
        self._stop.set()
        self._thread.join(POLL_S)
        self.read_new_events()
        self._take(self._rest)
        self.tl_writer.close()


# Names of the writer's own arguments, which cannot be used in an event's args.
_OWN = ("timestamp", "training_phase", "op_name", "phase", "duration")
