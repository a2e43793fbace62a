"""One timeline of everything: spans of the framework and system metrics, for a trace viewer."""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum
from typing import Any

from tensorwarden.log import get_logger
from tensorwarden.profiler.constants import CONVERT_TO_MICROSECS
from tensorwarden.profiler.filenames import TraceFileLocation
from tensorwarden.profiler.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.system_events import ProfilerSystemEvent
from tensorwarden.profiler.system_reader import LocalSystemMetricsReader, S3SystemMetricsReader
from tensorwarden.sagemaker.access import TSAccessFile, TSAccessS3
from tensorwarden.sagemaker.s3 import is_s3

# A phase goes into the first band whose word is in its name, so that related ones stand together.
BANDS = (
    *(("Step:", 1), ("Forward", 10_000), ("Backward", 20_000), ("DataIterator", 30_000)),
    *(("Dataset", 40_000), ("/device", 50_000), ("/host", 60_000), ("gpu_functions", 70_000)),
    *(("cpu_functions", 80_000), ("Horovod", 90_000), ("", 1_000_000)),
)
LOW_GPU_PERCENT = 85
# Metrics so near to a sample of a GPU with little to do are shown together with it.
NEAR_US = 20_000
COUNTERS, BOTTLENECKS = "sys_metrics", "sys_metrics_bottlenecks"


class MergeUnit(Enum):
    """What start and end of a merge are."""

    TIME = "time"
    STEP = "step"


def _metric(event: ProfilerSystemEvent) -> str:
    return f"{event.name}_{event.dimension}_{event.node_id}"


def _at(event: ProfilerSystemEvent) -> int:
    return round(event.timestamp * CONVERT_TO_MICROSECS)


class MergedTimeline:
    """Merges the timelines of a run on disk or in S3, of files with some suffixes only if asked."""

    def __init__(
        self,
        path: str,
        file_suffix_filter: Sequence[str] | None = None,
        output_directory: str | None = None,
    ):
        self.path = path
        self.file_suffix_filter = file_suffix_filter
        self.output_directory = output_directory or path
        remote = is_s3(path)[0]
        self.framework_reader = (
            S3AlgorithmMetricsReader(path) if remote else LocalAlgorithmMetricsReader(path)
        )
        self.system_reader = (
            S3SystemMetricsReader(path) if remote else LocalSystemMetricsReader(path)
        )

    def file_name(self, end_timestamp_in_us: int) -> str:
        """Where the result for a range with that end goes."""
        folder = self.output_directory.rstrip("/")
        return TraceFileLocation.get_merged_trace_file_location(folder, end_timestamp_in_us)

    def merge_timeline(
        self,
        start: float,
        end: float,
        unit: MergeUnit | str = MergeUnit.TIME,
        sys_metrics_filter: Any = (("lowgpu", ()),),
    ) -> str:
        """Writes the range from start to end (µs since 1970, or steps) and returns the file's
        name. Moments at which a GPU has little to do are marked unless sys_metrics_filter is
        empty."""
        try:
            unit = MergeUnit(unit)
        except ValueError:
            raise ValueError(
                f"unit is {unit!r}: MergeUnit.TIME or MergeUnit.STEP is taken"
            ) from None
        if unit is MergeUnit.STEP:
            start, end = self.framework_reader._get_time_interval_for_step(start, end)
        spans = self.framework_reader.get_events(
            start, end, file_suffix_filter=self.file_suffix_filter
        )
        system = sorted(self.system_reader.get_events(start, end), key=_at)
        entries = [(span.start_time, 0, self._span(span)) for span in spans]
        entries += [(_at(event), 1, self._counter(event)) for event in system]
        if sys_metrics_filter:
            entries += [(event["ts"], 2, event) for event in self._bottlenecks(system)]
        entries.sort(key=lambda entry: entry[:2])
        name = self.file_name(int(end))
        self._write(name, self._with_metadata(entry[2] for entry in entries))
        get_logger().info(f"{len(spans)} spans and {len(system)} system metrics are in {name}")
        return name

    @staticmethod
    def _span(span: Any) -> dict[str, Any]:
        event = {"name": span.event_name, "pid": span.event_phase, "tid": span.tid}
        event.update(ph=span.phase, ts=span.start_time, dur=span.duration)
        event["thread"] = f"{span.node_id}_{span.tid}"
        if span.event_args:
            event["args"] = span.event_args
        return event

    @staticmethod
    def _counter(event: ProfilerSystemEvent) -> dict[str, Any]:
        where = {"name": _metric(event), "pid": COUNTERS, "ph": "C", "ts": _at(event)}
        return {**where, "args": {"value": event.value}}

    @staticmethod
    def _bottlenecks(system: list[ProfilerSystemEvent]) -> Iterator[dict[str, Any]]:
        """A mark for each moment of little use of a GPU, not counting what is near the last one,
        with all metrics around it."""
        last, times = None, [_at(event) for event in system]
        for low in system:
            if low.dimension != "GPUUtilization" or low.value >= LOW_GPU_PERCENT:
                continue
            at = _at(low)
            if last is not None and at - last <= NEAR_US:
                continue
            last = at
            first, end = bisect_left(times, at - NEAR_US), bisect_right(times, at + NEAR_US)
            near = {_metric(event): event.value for event in system[first:end]}
            mark = {"name": BOTTLENECKS, "pid": BOTTLENECKS, "ph": "i", "ts": at, "s": "t"}
            yield {**mark, "args": near}

    @staticmethod
    def _with_metadata(events: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        """Numbers phases, and names each phase and thread before its first event."""
        pids: dict[str, int] = {}
        used = dict.fromkeys((first for _, first in BANDS), 0)
        threads: set[tuple[int, int]] = set()
        for event in events:
            phase = event["pid"]
            if phase not in pids:
                band = next(first for word, first in BANDS if word in phase)
                pids[phase] = band + used[band]
                used[band] += 1
                pid = pids[phase]
                for name, args in (
                    ("process_name", {"name": phase}),
                    ("process_sort_index", {"sort_index": pid}),
                ):
                    yield {"name": name, "ph": "M", "pid": pid, "args": args}
            event["pid"] = pids[phase]
            thread = event.pop("thread", None)
            if thread is not None and (event["pid"], event["tid"]) not in threads:
                threads.add((event["pid"], event["tid"]))
                where = {"name": "thread_name", "ph": "M", "pid": event["pid"]}
                yield {**where, "tid": event["tid"], "args": {"name": thread}}
            yield event

    @staticmethod
    def _write(name: str, events: Iterator[dict[str, Any]]) -> None:
        on_s3, bucket, key = is_s3(name)
        file = TSAccessS3(bucket or "", key or "") if on_s3 else TSAccessFile(name, "w")
        with file:
            file.write("[\n")
            file.write(",\n".join(json.dumps(event, default=str) for event in events))
            file.write("\n]\n")
