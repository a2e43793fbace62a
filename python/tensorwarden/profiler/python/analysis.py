"""Queries Python profiles by step, by time and by phase of the job."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import (
    CONVERT_TO_MICROSECS,
    CPROFILE_NAME,
    PYINSTRUMENT_HTML_FILENAME,
    PYINSTRUMENT_JSON_FILENAME,
    PYINSTRUMENT_NAME,
)
from tensorwarden.profiler.python.modes import (
    PythonProfileModes,
    StepPhase,
    python_profile_mode_to_str,
)
from tensorwarden.profiler.python.stats import (
    PyinstrumentStepStats,
    StepPythonProfileStats,
    cProfileStats,
    read_cprofile,
)
from tensorwarden.profiler.python.stats_reader import (
    LocalPythonStatsReader,
    PythonStatsReader,
    S3PythonStatsReader,
)
from tensorwarden.sagemaker.s3 import is_s3

if TYPE_CHECKING:
    import pandas as pd

DEFAULT_FOLDER = str(Path(tempfile.gettempdir(), "python_stats"))


def _reader(folder: str, profiler_output: str | None) -> PythonStatsReader:
    """Returns a reader for segments in a folder, or in a profiler's output.

    Output in S3 is downloaded into the folder. Output on disk, as `TrainingJob` returns it for a
    local run, is read in place.
    """
    if profiler_output is None:
        return LocalPythonStatsReader(folder)
    if is_s3(profiler_output)[0]:
        return S3PythonStatsReader(folder, profiler_output)
    return LocalPythonStatsReader(str(Path(profiler_output, "framework")))


class PythonProfileAnalysis:
    """The segments of one profiler.

    `node_id="any"` selects the node of the earliest segment. `refresh_stats=False` does not look
    for new segments.
    """

    name = ""

    def __init__(self, local_profile_dir: str = DEFAULT_FOLDER, s3_path: str | None = None):
        self.python_stats_reader: Any = _reader(local_profile_dir, s3_path)
        self.python_profile_stats: list[StepPythonProfileStats] = []

    def _aggregate_stats(self, requested_stats: list[StepPythonProfileStats]) -> Any:
        raise NotImplementedError

    def _segments(self, node_id: str, refresh: bool) -> list[StepPythonProfileStats]:
        if refresh or not self.python_profile_stats:
            found = self.python_stats_reader.load_python_profile_stats()
            self.python_profile_stats = [s for s in found if s.profiler_name == self.name]
        if node_id == "any" and self.python_profile_stats:
            node_id = self.python_profile_stats[0].node_id
        return [s for s in self.python_profile_stats if s.has_node_id(node_id)]

    def fetch_profile_stats_by_step(
        self,
        start_step: int | str,
        end_step: int | str | None = None,
        mode: PythonProfileModes = PythonProfileModes.TRAIN,
        start_phase: StepPhase = StepPhase.STEP_START,
        end_phase: StepPhase = StepPhase.STEP_END,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:
        """Returns statistics from a point of one step to a point of another (default: the same
        step). Mode GLOBAL includes the steps of all modes."""
        first = int(start_step)
        last = first if end_step is None else int(end_step)
        return self._aggregate_stats(
            [
                s
                for s in self._segments(node_id, refresh_stats)
                if s.has_start_and_end_mode(mode, mode)
                and s.in_step_interval(first, last, start_phase, end_phase)
            ]
        )

    def fetch_python_profile_stats_by_step(
        self,
        start_step: int | str,
        end_step: int | str,
        mode: PythonProfileModes = PythonProfileModes.TRAIN,
        start_phase: StepPhase = StepPhase.STEP_START,
        end_phase: StepPhase = StepPhase.STEP_END,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:
        """Returns statistics of the segments that begin in steps from `start_step` to before
        `end_step`.

        This is the function of SageMaker's guide. `fetch_profile_stats_by_step` includes the last
        step.
        """
        first, end = int(start_step), int(end_step)
        return self._aggregate_stats(
            [
                s
                for s in self._segments(node_id, refresh_stats)
                if s.has_start_and_end_mode(mode, mode)
                and s.in_step_interval(first, end, start_phase, end_phase)
                and s.start_step < end
            ]
        )

    def fetch_profile_stats_by_time(
        self,
        start_time_since_epoch_in_secs: float,
        end_time_since_epoch_in_secs: float,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:
        """Returns statistics of the segments that overlap the interval."""
        start = start_time_since_epoch_in_secs * CONVERT_TO_MICROSECS
        end = end_time_since_epoch_in_secs * CONVERT_TO_MICROSECS
        segments = self._segments(node_id, refresh_stats)
        return self._aggregate_stats([s for s in segments if s.in_time_interval(start, end)])

    # The name in SageMaker's guide.
    fetch_python_profile_stats_by_time = fetch_profile_stats_by_time

    def fetch_profile_stats_between_modes(
        self,
        start_mode: PythonProfileModes,
        end_mode: PythonProfileModes,
        node_id: str = "any",
        refresh_stats: bool = True,
    ) -> Any:
        """Returns statistics from one mode to another."""
        segments = self._segments(node_id, refresh_stats)
        return self._aggregate_stats(
            [s for s in segments if s.has_start_and_end_mode(start_mode, end_mode)]
        )

    def fetch_pre_step_zero_profile_stats(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> Any:
        """Returns statistics of the time before the first step."""
        segments = self._segments(node_id, refresh_stats)
        return self._aggregate_stats([s for s in segments if s.has_pre_step_zero_profile_stats()])

    def fetch_post_hook_close_profile_stats(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> Any:
        """Returns statistics of the time after the hook was closed."""
        segments = self._segments(node_id, refresh_stats)
        return self._aggregate_stats([s for s in segments if s.has_post_hook_close_profile_stats()])

    def list_profile_stats(self, refresh_stats: bool = True) -> pd.DataFrame:
        """Returns one row for each file of each segment of all nodes; empty if there are none."""
        import pandas as pd

        self._segments("any", refresh_stats)
        rows = []
        for segment in self.python_profile_stats:
            row = dict(vars(segment))
            row["start_mode"] = python_profile_mode_to_str(segment.start_mode)
            row["end_mode"] = python_profile_mode_to_str(segment.end_mode)
            rows.append({name: row[name] for name in _COLUMNS})
        return pd.DataFrame(rows)

    def list_available_node_ids(self, refresh_stats: bool = True) -> list[str]:
        """Returns the nodes that have segments, sorted."""
        self._segments("any", refresh_stats)
        return sorted({s.node_id for s in self.python_profile_stats})


_COLUMNS = [
    "profiler_name",
    "framework",
    "node_id",
    "start_mode",
    "start_step",
    "start_phase",
    "start_time_since_epoch_in_micros",
    "end_mode",
    "end_step",
    "end_phase",
    "end_time_since_epoch_in_micros",
    "stats_path",
]


class cProfileAnalysis(PythonProfileAnalysis):
    """Segments recorded by cProfile. Queries return `cProfileStats`, or print a note and return
    None."""

    name = CPROFILE_NAME

    def _aggregate_stats(self, stats: list[StepPythonProfileStats]) -> cProfileStats | None:
        if not stats:
            print("No profile segment matches the query.")
            return None
        return read_cprofile([segment.stats_path for segment in stats])

    def fetch_profile_stats_by_training_phase(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> dict[tuple[PythonProfileModes, PythonProfileModes], cProfileStats | None]:
        """Returns the statistics of each pair of start and end mode."""
        groups: dict[Any, list[StepPythonProfileStats]] = {}
        for segment in self._segments(node_id, refresh_stats):
            groups.setdefault((segment.start_mode, segment.end_mode), []).append(segment)
        return {modes: self._aggregate_stats(found) for modes, found in groups.items()}

    def fetch_profile_stats_by_job_phase(
        self, node_id: str = "any", refresh_stats: bool = True
    ) -> dict[str, cProfileStats | None]:
        """Returns the statistics of the training loop, and of the time before and after if
        recorded."""
        groups: dict[str, list[StepPythonProfileStats]] = {}
        for segment in self._segments(node_id, refresh_stats):
            phase = "training_loop"
            # Checked first: a segment after the close starts, by its name, before the first step.
            if segment.has_post_hook_close_profile_stats():
                phase = "finalization"
            elif segment.has_pre_step_zero_profile_stats():
                phase = "initialization"
            groups.setdefault(phase, []).append(segment)
        found = {phase: self._aggregate_stats(group) for phase, group in groups.items()}
        found.setdefault("training_loop", None)
        return found


class PyinstrumentAnalysis(PythonProfileAnalysis):
    """Segments recorded by pyinstrument. Queries return lists of `PyinstrumentStepStats`."""

    name = PYINSTRUMENT_NAME

    def _aggregate_stats(
        self, stats: list[StepPythonProfileStats]
    ) -> list[PyinstrumentStepStats] | None:
        if not stats:
            print("No profile segment matches the query.")
            return None
        found = []
        for segment in stats:
            path = Path(segment.stats_path)
            if path.name != PYINSTRUMENT_JSON_FILENAME:
                continue
            try:
                parsed = json.loads(path.read_text())
            except (OSError, ValueError) as error:
                get_logger().error(f"skipped {path}: {error}")
                continue
            page = path.with_name(PYINSTRUMENT_HTML_FILENAME)
            found.append(PyinstrumentStepStats(str(page), parsed))
        return found
