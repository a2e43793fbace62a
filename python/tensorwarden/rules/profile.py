"""Evaluates a custom rule on the profiler's data of a run, look by look, without waiting."""

from __future__ import annotations

from typing import Any

from tensorwarden.base.exceptions import NoMoreProfilerData
from tensorwarden.profiler.trial import ProfilerTrial

# A file of system metrics contains this time; its name is the start.
_FILE_US = 60_000_000
# The time between two looks of a rule that does not choose it.
SCAN_INTERVAL_US = 60_000_000


class NotYet(Exception):
    """The data that a rule waits for does not exist yet."""


class PolledProfilerTrial(ProfilerTrial):
    """The profiler's data of a run, for a caller that asks again later instead of waiting."""

    def __init__(self, name: str, trial_dir: str, output_dir: str):
        super().__init__(name, trial_dir, output_dir)
        self.waited = False  # Whether the rule has waited for data, and got it.

    def _wait_for_first_data(self) -> None:
        pass

    def end_of_data(self) -> int:
        """Returns the end of the data so far, in microseconds since 1970; 0 if there is none."""
        system = self.system_metrics_reader.get_timestamp_of_latest_available_file()
        framework = self.framework_metrics_reader.get_timestamp_of_latest_available_file()
        return max(system + _FILE_US if system else 0, framework)

    def wait_for_data(self, end_time: int, start_time: int) -> None:
        """Returns if there is data after `end_time` (µs), or some of it and the job has ended.

        Raises `NoMoreProfilerData` if the job has ended without data after `start_time`, else
        `NotYet`.
        """
        # Checked before listing files, because files written before the end must be seen.
        finished = self.job_finished()
        if self.get_latest_timestamp() <= end_time:
            if not finished:
                raise NotYet
            if start_time >= self.end_of_data():
                raise NoMoreProfilerData(end_time)
        self.waited = True


class ProfileLooks:
    """Decides when a rule looks at the data again.

    A rule that calls `wait_for_data` decides itself. Others look once in each scan interval of the
    run's time (`scan_interval_us` of the rule), and once more after its end.
    """

    def __init__(self, rule: Any, trial: PolledProfilerTrial):
        self._rule = rule
        self._trial = trial
        self._number = 0
        self._last_us = 0  # End of the data at the last look.
        self._is_over = False

    @property
    def may_look_again(self) -> bool:
        """Whether there may be more to look at right now."""
        return self._trial.waited

    def look(self) -> None:
        """Lets the rule look once.

        Raises `NotYet` if there is nothing new to look at, and what the rule raises.
        """
        trial = self._trial
        finished = trial.job_finished()
        trial.first_timestamp = trial.first_timestamp or trial.get_first_timestamp()
        end = trial.end_of_data()
        if self._is_over:
            raise NoMoreProfilerData(end)
        interval = getattr(self._rule, "scan_interval_us", None) or SCAN_INTERVAL_US
        chooses_itself = trial.waited
        if not (finished or chooses_itself) and end - self._last_us < interval:
            raise NotYet
        trial.waited = looked = False
        try:
            self._rule.invoke(self._number)
            looked = True
        except NotYet:
            trial.waited = True
            raise
        except Exception:
            looked = True  # It has found something, or failed.
            raise
        finally:
            if looked:
                self._number += 1
                self._last_us = end
                self._is_over = finished and not trial.waited
