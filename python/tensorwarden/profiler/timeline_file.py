"""One timeline file after the other: opened under a temporary name, closed by size or time."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import IO, Any

from tensorwarden.log import get_logger
from tensorwarden.profiler.constants import CONVERT_TO_MICROSECS
from tensorwarden.profiler.filenames import TraceFileLocation
from tensorwarden.sagemaker.access import SMDEBUG_TEMP_PATH_SUFFIX
from tensorwarden.sagemaker.files import ensure_dir
from tensorwarden.sagemaker.job import get_node_id


class TimelineRecord:
    """An event: `timestamp` in seconds since 1970, `duration` in microseconds."""

    def __init__(
        self,
        timestamp: float,
        base_start_time: int,
        training_phase: str = "",
        phase: str = "X",
        operator_name: str = "",
        args: dict[str, Any] | None = None,
        duration: int = 0,
    ):
        at = round(timestamp * CONVERT_TO_MICROSECS)
        self.training_phase = training_phase
        self.phase = phase
        self.op_name = operator_name
        self.args = args
        self.base_start_time = base_start_time
        self.rel_ts_micros = at - base_start_time
        self.duration = duration
        self.event_end_ts_micros = at + duration
        self.pid = 0

    def to_json(self) -> str:
        """Its line in a file, without the comma."""
        event = {"name": self.op_name, "pid": self.pid, "ph": self.phase, "ts": self.rel_ts_micros}
        args = dict(self.args or {})
        if self.phase == "i" and args:
            event["s"] = args.pop("s", "t")
        elif self.phase == "X":
            event["dur"] = self.duration
        if args:
            event["args"] = args
        return json.dumps(event, default=str)


class TimelineFile:
    """Takes records and keeps files of them. Not for several threads at once."""

    def __init__(self, profiler_config_parser: Any, suffix: str, base_start_time_in_us: int):
        self._parser = profiler_config_parser
        self._suffix = suffix
        self._base = base_start_time_in_us
        self._pids: dict[str, int] = {}
        self._announced: set[int] = set()
        self._file: IO[str] | None = None
        self._temporary = Path()
        self._last_event_us = 0
        self._last_close = time.time()
        self._failures = 0
        self.healthy = True

    def rebase(self, base_start_time_in_us: int) -> None:
        """Sets what times are counted from, as long as nothing is written."""
        if self._file is None:
            self._base = base_start_time_in_us

    def write(self, record: TimelineRecord) -> None:
        """Appends a record, to the next file if the current one is due. While profiling is off
        nothing is written."""
        if not self._parser.profiling_enabled or not self.healthy:
            return
        self._rotate_if_due(record.event_end_ts_micros / CONVERT_TO_MICROSECS)
        if self._file is None and not self._open():
            return
        self._last_event_us = max(self._last_event_us, record.event_end_ts_micros)
        record.pid = self._pids.setdefault(record.training_phase, len(self._pids) + 1)
        if record.pid not in self._announced:
            self._announced.add(record.pid)
            self._announce(record.pid, {"name": record.training_phase})
        self._file.write(record.to_json() + ",\n")
        self._file.flush()
        self._rotate_if_due(time.time())

    def _announce(self, pid: int, args: dict[str, Any]) -> None:
        for name, values in (("process_name", args), ("process_sort_index", {"sort_index": pid})):
            self._file.write(
                json.dumps({"name": name, "ph": "M", "pid": pid, "args": values}) + ",\n"
            )

    def _open(self) -> bool:
        # Kept for the closing: the configuration may name another folder by then.
        self._folder = self._parser.config.local_path
        name = f"{get_node_id()}_{self._suffix}{SMDEBUG_TEMP_PATH_SUFFIX}"
        self._temporary = Path(self._folder, "framework", name)
        try:
            ensure_dir(str(self._temporary))
            self._file = self._temporary.open("w")
        except OSError as error:
            self._failures += 1
            get_logger().error(f"{self._temporary} cannot be opened: {error}")
            if self._failures >= self._parser.config.trace_file.file_open_fail_threshold:
                get_logger().warning(f"opening failed {self._failures} times: no more timelines")
                self.healthy = False
            return False
        self._announced = set()
        self._last_event_us = 0
        self._file.write("[\n")
        self._announce(0, {"start_time_since_epoch_in_micros": self._base})
        return True

    def _rotate_if_due(self, now: float) -> None:
        if self._file is None:
            return
        policy = self._parser.config.trace_file.rotation_policy
        if round(now - self._last_close) > policy.file_close_interval:
            self.close()
        elif os.fstat(self._file.fileno()).st_size > policy.file_max_size:
            self._last_event_us = max(self._last_event_us, round(now * CONVERT_TO_MICROSECS))
            self.close()

    def flush(self) -> None:
        if self._file is not None:
            self._file.flush()

    def close(self) -> None:
        """Ends the file and gives it its name; while profiling is off it stays a temporary one."""
        if self._file is None:
            return
        self._file.seek(self._file.tell() - len(",\n"))
        self._file.truncate()
        self._file.write("\n]\n")
        self._file.close()
        self._file = None
        self._last_close = time.time()
        if not self._parser.profiling_enabled:
            return
        end = self._last_event_us or round(self._last_close * CONVERT_TO_MICROSECS)
        final = Path(TraceFileLocation.get_file_location(end, self._folder, self._suffix))
        final.parent.mkdir(parents=True, exist_ok=True)
        self._temporary.replace(final)
