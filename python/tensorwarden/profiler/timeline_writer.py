"""Writing timelines without holding up the training."""

from __future__ import annotations

from typing import Any

from tensorwarden import _core
from tensorwarden.exceptions import SMDebugTypeError
from tensorwarden.log import get_logger
from tensorwarden.profiler.constants import CONVERT_TO_MICROSECS, PYTHONTIMELINE_SUFFIX
from tensorwarden.profiler.timeline_file import TimelineRecord, args_text, clean_text
from tensorwarden.sagemaker.job import get_node_id
from tensorwarden.troubles import say_once

# Events that wait for the disk at most: a few megabytes.
MOST_PENDING = 1 << 17
_LARGEST_US = 1 << 60


class TimelineFileWriter:
    """Records events, which the core's thread writes to files. It outlives errors and pauses of
    profiling; what comes faster than the disk takes it is dropped and counted."""

    def __init__(
        self,
        profiler_config_parser: Any,
        max_queue: int = 100,
        suffix: str = PYTHONTIMELINE_SUFFIX,
        node: str | None = None,
    ):
        """Follows `profiling_enabled` and `config` of what is given. `max_queue` is taken as the
        original does and has no meaning: the queue is large and nobody waits for it."""
        self.start_time_since_epoch_in_micros = _core.timeline_now_us()
        self._parser = profiler_config_parser
        self._suffix = suffix
        self._node = node
        self._config: Any = None  # What the core was told last.
        self._raw: _core.TimelineWriter | None = None
        self._kinds: dict[tuple[str, str, str], int] = {}
        self._closed = False

    @property
    def core(self) -> _core.TimelineWriter:
        """What records, made when it is needed first: by then the rank of this process is known.
        REQUIRES: there is a configuration."""
        config = self._parser.config
        if config is not self._config:
            self._configure(config)
        return self._raw

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
        """The number of a kind of span, for the calls of `core` that take one; args as `args_text`
        gives them. For kinds that come again: each is kept."""
        key = (phase, name, args)
        number = self._kinds.get(key)
        if number is None:
            number = self.core.add_kind(clean_text(phase), clean_text(name), args)
            self._kinds[key] = number
        return number

    def _update_base_start_time(self, base_start_time_in_us: int) -> None:
        """Sets what times are counted from; to be called before the first event."""
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
        """Writes an event; timestamp and duration in seconds, other arguments become its args."""
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
                f"a timeline event is left out: timestamp {timestamp!r} and duration {duration!r} "
                "should be finite numbers of seconds"
            )
            return
        self.write_event(record)

    def write_event(self, event: TimelineRecord) -> None:
        """Records an event."""
        if not isinstance(event, TimelineRecord):
            raise SMDebugTypeError(
                f"write_event takes a TimelineRecord, not {type(event).__name__}"
            )
        if self._closed or not self._parser.profiling_enabled:
            return
        start = event.rel_ts_micros + event.base_start_time
        if not (-_LARGEST_US < start < _LARGEST_US and 0 <= event.duration < _LARGEST_US):
            say_once(
                f"timeline events of '{event.op_name}' are left out: they begin at {start} and "
                f"take {event.duration} microseconds"
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
        """Events that came faster than the disk takes them."""
        return 0 if self._raw is None else self._raw.counters()["dropped"]

    @property
    def healthy(self) -> bool:
        """False while files cannot be opened."""
        return self._raw is None or self._raw.healthy

    def flush(self) -> None:
        """Waits, but not for ever, until all events are in the file."""
        if self._raw is not None:
            self._raw.flush()

    def close(self) -> None:
        """Writes what is left and closes the file; while profiling is off it stays a temporary
        one. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._raw is None:
            return
        if not self._raw.close(bool(self._parser.profiling_enabled)):
            get_logger().error("the timeline file could not be closed: the disk does not answer")
        if self.dropped:
            get_logger().warning(f"{self.dropped} timeline events were dropped")
