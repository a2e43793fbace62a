"""A run as profiler rules see it: events in a time range, as they arrive."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tensorwarden.base.exceptions import NoMoreProfilerData
from tensorwarden.base.log import get_logger
from tensorwarden.profiler.reading.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.reading.system_events import ProfilerSystemEvent
from tensorwarden.profiler.reading.system_reader import (
    LocalSystemMetricsReader,
    S3SystemMetricsReader,
)
from tensorwarden.profiler.reading.trace_events import TraceEvent
from tensorwarden.sagemaker.job import has_training_ended, is_rule_signalled_gracetime_passed
from tensorwarden.sagemaker.s3 import is_s3

POLL_S = 10.0


class ProfilerTrial:
    """The profiler data of a run. The constructor waits for data or for the end of the job."""

    def __init__(self, name: str, trial_dir: str, output_dir: str):
        self.name = name
        self.path = trial_dir
        self.logger = get_logger()
        self.output_dir = Path(output_dir)
        self.temp_dir = self.output_dir / ".sagemaker-ignore"
        self.temp_dir.mkdir(parents=True, exist_ok=True)
        if is_s3(trial_dir)[0]:
            self.system_metrics_reader: Any = S3SystemMetricsReader(trial_dir)
            self.framework_metrics_reader: Any = S3AlgorithmMetricsReader(trial_dir)
        else:
            self.system_metrics_reader = LocalSystemMetricsReader(trial_dir)
            self.framework_metrics_reader = LocalAlgorithmMetricsReader(trial_dir)
        self.first_timestamp = self.get_first_timestamp()
        self._wait_for_first_data()

    def _wait_for_first_data(self) -> None:
        while not self.first_timestamp and not self.job_finished():
            self.logger.info(f"waiting for profiler data in {self.path}")
            time.sleep(POLL_S)
            self._refresh()
            self.first_timestamp = self.get_first_timestamp()

    def _refresh(self) -> None:
        self.system_metrics_reader.refresh_event_file_list()
        self.framework_metrics_reader.refresh_event_file_list()

    @staticmethod
    def _earlier(*times: int) -> int:
        """Returns the smallest nonzero time; 0 if there is none."""
        return min((time for time in times if time), default=0)

    def get_first_timestamp(self) -> int:
        """Returns the earliest time in a file's name, in microseconds; 0 without files."""
        return self._earlier(
            self.system_metrics_reader.get_timestamp_of_first_available_file(),
            self.framework_metrics_reader.get_timestamp_of_first_available_file(),
        )

    def get_latest_timestamp(self) -> int:
        """Returns the time up to which both kinds of data exist, or the existing kind."""
        return self._earlier(
            self.system_metrics_reader.get_timestamp_of_latest_available_file(),
            self.framework_metrics_reader.get_timestamp_of_latest_available_file(),
        )

    def job_finished(self) -> bool:
        """Returns whether the end marker exists or rules were asked to stop."""
        root = self.path.rstrip("/")
        return (
            has_training_ended(f"{root}/system")
            or has_training_ended(f"{root}/framework")
            or is_rule_signalled_gracetime_passed(self.path)
        )

    def wait_for_data(self, end_time: int, start_time: int) -> None:
        """Waits until there is data after `end_time` (µs) or the job has ended.

        Raises `NoMoreProfilerData` if the job has ended without data after `start_time`.
        """
        while True:
            # Checked before listing files, because files written before the end must be seen.
            finished = self.job_finished()
            latest = self.get_latest_timestamp()
            if latest > end_time:
                return
            if finished:
                if start_time >= latest:
                    raise NoMoreProfilerData(end_time)
                return
            time.sleep(POLL_S)

    def get_system_metrics(self, start_time: int, end_time: int) -> list[ProfilerSystemEvent]:
        """Returns the system metrics in a time range (µs)."""
        return self.system_metrics_reader.get_events(start_time, end_time)

    def get_framework_metrics(self, start_time: int, end_time: int) -> list[TraceEvent]:
        """Returns the spans in a time range (µs)."""
        return self.framework_metrics_reader.get_events(start_time, end_time)
