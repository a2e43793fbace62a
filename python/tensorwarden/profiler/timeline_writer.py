"""Writing timelines without holding up the training."""

from __future__ import annotations

import queue
import threading
import time
from typing import Any

from tensorwarden.exceptions import SMDebugTypeError
from tensorwarden.log import get_logger
from tensorwarden.profiler.constants import CONVERT_TO_MICROSECS, PYTHONTIMELINE_SUFFIX
from tensorwarden.profiler.timeline_file import TimelineFile, TimelineRecord

# How long a training waits for room in the queue before an event is dropped, and how long it waits
# for the queue to drain at the end. A disk that answers is never that slow.
PATIENCE_S = 1.0
DRAIN_S = 10.0


class TimelineFileWriter:
    """Hands events to a thread that writes them. The thread outlives errors and pauses of
    profiling; with a full queue an event is dropped and counted after a short wait."""

    def __init__(
        self,
        profiler_config_parser: Any,
        max_queue: int = 100,
        suffix: str = PYTHONTIMELINE_SUFFIX,
    ):
        self.start_time_since_epoch_in_micros = round(time.time() * CONVERT_TO_MICROSECS)
        self._parser = profiler_config_parser
        self._file = TimelineFile(
            profiler_config_parser, suffix, self.start_time_since_epoch_in_micros
        )
        self._queue: queue.Queue[TimelineRecord | None] = queue.Queue(max_queue)
        self.dropped = 0
        self._closed = False
        self._worker = threading.Thread(target=self._run, name="timeline", daemon=True)
        self._worker.start()

    def _update_base_start_time(self, base_start_time_in_us: int) -> None:
        """Sets what times are counted from; to be called before the first event."""
        self.start_time_since_epoch_in_micros = base_start_time_in_us
        self._file.rebase(base_start_time_in_us)

    def write_trace_events(
        self,
        timestamp: float,
        training_phase: str = "",
        op_name: str = "",
        phase: str = "X",
        duration: float = 0,
        **kwargs: Any,
    ) -> None:
        """Writes an event; timestamp and duration in seconds, other arguments become its args."""
        if not self._parser.profiling_enabled:
            return
        self.write_event(
            TimelineRecord(
                timestamp,
                self.start_time_since_epoch_in_micros,
                training_phase,
                phase,
                op_name,
                kwargs,
                round(duration * CONVERT_TO_MICROSECS),
            )
        )

    def write_event(self, event: TimelineRecord) -> None:
        """Puts an event into the queue."""
        if not isinstance(event, TimelineRecord):
            raise SMDebugTypeError(
                f"write_event takes a TimelineRecord, not {type(event).__name__}"
            )
        if self._closed:
            return
        try:
            self._queue.put(event, timeout=PATIENCE_S)
        except queue.Full:
            self.dropped += 1
            get_logger().warning("timeline events are dropped: the disk is too slow")

    def _run(self) -> None:
        while True:
            record = self._queue.get()
            try:
                if record is None:
                    self._file.close()
                    return
                self._file.write(record)
            except Exception as error:
                get_logger().error(f"a timeline event is lost: {error}")
            finally:
                self._queue.task_done()

    def flush(self) -> None:
        """Waits, but not for ever, until all events are in the file."""
        deadline = time.monotonic() + DRAIN_S
        while self._queue.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.001)

    def close(self) -> None:
        """Writes what is left, closes the file and ends the thread. A second call does nothing."""
        if self._closed:
            return
        self.flush()
        self._closed = True
        try:
            self._queue.put(None, timeout=PATIENCE_S)
            self._worker.join(DRAIN_S)
        except queue.Full:
            get_logger().error("the timeline file could not be closed: the disk is too slow")
        if self.dropped:
            get_logger().warning(f"{self.dropped} timeline events were dropped")
