"""Writes timelines without delaying the training."""

from __future__ import annotations

from typing import Any

from tensorwarden import _core
from tensorwarden.base.exceptions import SMDebugTypeError
from tensorwarden.base.log import get_logger
from tensorwarden.base.troubles import say_once
from tensorwarden.profiler.common.constants import CONVERT_TO_MICROSECS, PYTHONTIMELINE_SUFFIX
from tensorwarden.profiler.common.timeline_file import TimelineRecord, args_text, clean_text
from tensorwarden.sagemaker.job import get_node_id

# Limits the events that wait for the disk, to a few megabytes.
MOST_PENDING = 1 << 17
_LARGEST_US = 1 << 60


class TimelineFileWriter:
    """Records events, which a thread of the core writes to files.

    Survives errors and pauses of profiling. Events that arrive faster than the disk can write them
    are dropped and counted.
    """

    def __init__(
        self,
        profiler_config_parser: Any,
        max_queue: int = 100,
        suffix: str = PYTHONTIMELINE_SUFFIX,
        node: str | None = None,
    ):
        """Follows `profiling_enabled` and `config` of the parser. `max_queue` is accepted and
        ignored."""
        self.start_time_since_epoch_in_micros = _core.timeline_now_us()
        self._parser = profiler_config_parser
        self._suffix = suffix
        self._node = node
        self._config: Any = None  # The configuration last passed to the core.
        self._raw: _core.TimelineWriter | None = None
        self._kinds: dict[tuple[str, str, str], int] = {}
        self._closed = False

    @property
    def core(self) -> _core.TimelineWriter:
        """The recorder, created on first use because the rank of this process is known then.

        REQUIRES: there is a configuration.
        """
        config = self._parser.config
        if config is not self._config:
            self._configure(config)
        return self._raw  # type: ignore[return-value]  # Set with the first configuration.

    def _configure(self, config: Any) -> None:
        files = {
            "folder": clean_text(config.local_path),
            "max_file_bytes": max(config.trace_file.rotation_policy.file_max_size, 0),
            "close_interval_s": config.trace_file.rotation_policy.file_close_interval,
            "open_fail_threshold": min(config.trace_file.file_open_fail_threshold, 1 << 30),
        }
        if self._raw is None:
            self._raw = _core.TimelineWriter(
                **files,
                node=clean_text(self._node or get_node_id()),
                suffix=self._suffix,
                base_us=self.start_time_since_epoch_in_micros,
                most_pending=MOST_PENDING,
            )
        else:
            self._raw.configure(**files)
        self._config = config

    def kind(self, phase: str, name: str, args: str = "") -> int:
        """Returns the number of a kind of span, for the methods of `core` that expect one.

        `args` is a result of `args_text`. Use it for repeated kinds, because each is stored.
        """
        key = (phase, name, args)
        number = self._kinds.get(key)
        if number is None:
            number = self.core.add_kind(clean_text(phase), clean_text(name), args)
            self._kinds[key] = number
        return number

    def _update_base_start_time(self, base_start_time_in_us: int) -> None:
        """Sets the base time; call it before the first event."""
        self.start_time_since_epoch_in_micros = base_start_time_in_us
        if self._raw is not None:
            self._raw.rebase(base_start_time_in_us)

    def write_trace_events(
        self,
        timestamp: float,
        training_phase: str = "",
        op_name: str = "",
        phase: str = "X",
        duration: float = 0,
        **kwargs: Any,
    ) -> None:
        """Writes an event. Timestamp and duration are in seconds; other arguments become its
        args."""
        if not self._parser.profiling_enabled or self._closed:
            return
        try:
            record = TimelineRecord(
                timestamp,
                self.start_time_since_epoch_in_micros,
                training_phase,
                phase,
                op_name,
                kwargs,
                round(duration * CONVERT_TO_MICROSECS),
            )
        except (ValueError, OverflowError, TypeError):
            say_once(
                f"skipped a timeline event: timestamp is {timestamp!r} and duration is "
                f"{duration!r}; expected finite numbers of seconds"
            )
            return
        self.write_event(record)

    def write_event(self, event: TimelineRecord) -> None:
        """Records an event. Raises SMDebugTypeError for anything but a TimelineRecord."""
        if not isinstance(event, TimelineRecord):
            raise SMDebugTypeError(f"event is {type(event).__name__}; expected a TimelineRecord")
        if self._closed or not self._parser.profiling_enabled:
            return
        start = event.rel_ts_micros + event.base_start_time
        if not (-_LARGEST_US < start < _LARGEST_US and 0 <= event.duration < _LARGEST_US):
            say_once(
                f"skipped timeline events of '{event.op_name}': they start at {start} µs and last "
                f"{event.duration} µs"
            )
            return
        scope, args = event.split_args()
        self.core.event(
            clean_text(event.training_phase),
            clean_text(event.op_name),
            start,
            int(event.duration),
            args_text(args),
            clean_text(event.phase),
            clean_text(scope),
        )

    @property
    def dropped(self) -> int:
        """The number of events dropped because they arrived faster than the disk can write."""
        return 0 if self._raw is None else self._raw.counters()["dropped"]

    @property
    def healthy(self) -> bool:
        """Whether files can be opened."""
        return self._raw is None or self._raw.healthy

    def flush(self) -> None:
        """Waits for a limited time until all events are in the file."""
        if self._raw is not None:
            self._raw.flush()

    def close(self) -> None:
        """Writes the remaining events and closes the file. A second call does nothing.

        While profiling is off, the file keeps its temporary name.
        """
        if self._closed:
            return
        self._closed = True
        if self._raw is None:
            return
        if not self._raw.close(bool(self._parser.profiling_enabled)):
            get_logger().error("cannot close the timeline file: the disk does not respond")
        if self.dropped:
            get_logger().warning(
                f"{self.dropped} timeline events were dropped: they arrived faster than the disk "
                "can write"
            )
