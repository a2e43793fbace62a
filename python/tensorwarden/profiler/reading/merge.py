"""Merges spans of the framework and system metrics into one timeline for a trace viewer."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from tensorwarden import _core
from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.filenames import (
    TraceFileLocation,
    is_valid_tfprof_tracefilename,
    read_tf_profiler_metadata_file,
)
from tensorwarden.profiler.common.units import whole_microseconds
from tensorwarden.profiler.reading.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.reading.span_columns import endings
from tensorwarden.profiler.reading.system_reader import (
    LocalSystemMetricsReader,
    S3SystemMetricsReader,
)
from tensorwarden.sagemaker.access import TSAccessS3
from tensorwarden.sagemaker.s3 import is_s3


class MergeUnit(Enum):
    """The unit of start and end of a merge."""

    TIME = "time"
    STEP = "step"


class MergedTimeline:
    """Merges the timelines of a run on disk or in S3.

    `file_suffix_filter` limits it to files with these suffixes.
    """

    def __init__(
        self,
        path: str,
        file_suffix_filter: Sequence[str] | None = None,
        output_directory: str | None = None,
    ):
        self.path = path
        self.file_suffix_filter = file_suffix_filter
        self.output_directory = output_directory or path
        self._remote = is_s3(path)[0]
        self.framework_reader: Any = (
            S3AlgorithmMetricsReader(path) if self._remote else LocalAlgorithmMetricsReader(path)
        )
        self.system_reader: Any = (
            S3SystemMetricsReader(path) if self._remote else LocalSystemMetricsReader(path)
        )

    def file_name(self, end_timestamp_in_us: int) -> str:
        """Returns the path of the result for a range with this end."""
        folder = self.output_directory.rstrip("/")
        return TraceFileLocation.get_merged_trace_file_location(folder, end_timestamp_in_us)

    def merge_timeline(
        self,
        start: float,
        end: float,
        unit: MergeUnit | str = MergeUnit.TIME,
        sys_metrics_filter: Any = (("lowgpu", ()),),
    ) -> str:
        """Writes the range from start to end (µs since 1970, or steps) and returns the file's path.

        Times with low GPU utilization are marked unless `sys_metrics_filter` is empty. Raises
        ValueError for an unknown unit and FileNotFoundError if the folder does not exist.
        """
        try:
            unit = MergeUnit(unit)
        except ValueError:
            raise ValueError(
                f"unit is {unit!r}; expected MergeUnit.TIME or MergeUnit.STEP"
            ) from None
        if unit is MergeUnit.STEP:
            start, end = self.framework_reader._get_time_interval_for_step(start, end)
        name = self.file_name(int(end))
        with self._folder(start, end) as folder, _target(name) as out:
            merged = _core.merge_timelines(
                folder,
                whole_microseconds(start),
                whole_microseconds(end),
                endings(self.file_suffix_filter or ()),
                bool(sys_metrics_filter),
                self.system_reader._buffer,
                out,
            )
        for problem in merged["problems"]:
            get_logger().error(problem)
        what = f"{merged['spans']} spans and {merged['counters']} system metrics"
        get_logger().info(f"Wrote {what} to {name}")
        return name

    @contextlib.contextmanager
    def _folder(self, start: float, end: float) -> Iterator[str]:
        """Yields the profiler's folder; for a run in S3, one with copies of the required files."""
        if not self._remote:
            if not Path(self.path).is_dir():
                raise FileNotFoundError(f"cannot open {self.path}: no such folder")
            yield self.path
            return
        with tempfile.TemporaryDirectory() as folder:
            for reader in (self.framework_reader, self.system_reader):
                files = reader._files_of_query(start, end)
                for path, data in zip(files, reader._source.read(files)):
                    if data is not None:
                        self._copy(path, data, Path(folder))
            yield folder

    def _copy(self, path: str, data: bytes, folder: Path) -> None:
        key = path[len(self.path.rstrip("/")) + 1 :]
        if ".." in key.split("/"):
            return
        copy = folder / key
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(data)
        if is_valid_tfprof_tracefilename(path):
            # The name of the metadata file contains the start time of the trace.
            about = "_".join(read_tf_profiler_metadata_file(path))
            (copy.parents[3] / f"{about}.metadata").touch()


@contextlib.contextmanager
def _target(name: str) -> Iterator[str]:
    """Yields the local file to write; uploads it afterwards if the target is in S3."""
    on_s3, bucket, key = is_s3(name)
    if not on_s3:
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        yield name
        return
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "merged.json")
        yield str(out)
        with TSAccessS3(bucket or "", key or "") as file:
            file.write(out.read_text())
