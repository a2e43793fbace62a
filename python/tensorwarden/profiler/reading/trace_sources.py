"""The parsers of the kinds of timeline files."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import TENSORBOARDTIMELINE_SUFFIX, TF_METRICS_PREFIX
from tensorwarden.profiler.common.filenames import read_tf_profiler_metadata_file
from tensorwarden.profiler.reading.trace_events import ProcessInfo, TraceEventParser
from tensorwarden.sagemaker.files import list_files_in_directory
from tensorwarden.sagemaker.s3 import ReadObjectRequest, S3Handler

# aws_marker-ForwardPass/...: the name of a stage of the training.
_MARKER = re.compile(re.escape(TF_METRICS_PREFIX) + r"(ForwardPass|ComputeGradient|ApplyGradient)/")


class SMProfilerEvents(TraceEventParser):
    """Timelines of the hook and, with another type, of patched frameworks."""

    def __init__(self, type: str = "PythontimelineMetrics"):
        super().__init__(type)


class HorovodProfilerEvents(TraceEventParser):
    """Timelines of Horovod."""


class SMDataParallelProfilerEvents(TraceEventParser):
    """Timelines of SageMaker's data parallelism."""

    def __init__(self) -> None:
        super().__init__("SMDataParallelMetrics")


class TensorboardProfilerEvents(TraceEventParser):
    """Traces of TensorFlow's profiler."""

    def __init__(self) -> None:
        super().__init__("TFProfilerMetrics")

    def read_events_from_file(self, tracefile: str) -> None:
        """Adds the spans of a trace. An unreadable file is reported and skipped."""
        events = self._events(tracefile)
        if events:
            self.read_trace({"traceEvents": events}, tracefile)

    def read_trace(self, trace: dict[str, Any], tracefile: str) -> None:
        """Adds the spans of a parsed trace that came from a file with this name."""
        # As in the original, which puts the start time into a process without a name.
        self._processes.setdefault(0, ProcessInfo(0, "Unknown"))
        # Its times begin at 0; the name of the metadata file contains the start time.
        self._start_timestamp = int(read_tf_profiler_metadata_file(tracefile)[1])
        self.read_events_from_json_data(trace["traceEvents"], Path(tracefile).name.split(".")[0])

    @staticmethod
    def _events(tracefile: str) -> list[dict[str, Any]]:
        try:
            data = S3Handler.get_object(ReadObjectRequest(tracefile))
            return [] if data is None else json.loads(gzip.decompress(data))["traceEvents"]
        except (OSError, EOFError, ValueError, KeyError, TypeError) as error:
            get_logger().error(f"skipped {tracefile}: {error}")
            return []

    def get_complete_op_events(self, tracefile: str) -> list[dict[str, Any]]:
        """Returns the spans of a trace that have their own name, unchanged."""
        return [
            event
            for event in self._events(tracefile)
            if event.get("ph") == "X" and "name" in (event.get("args") or {})
        ]

    def get_training_info(self, tracefile: str) -> dict[str, list[dict[str, Any]]]:
        """Returns the spans of a trace by stage: ForwardPass, ComputeGradient, ApplyGradient."""
        found: dict[str, list[dict[str, Any]]] = {}
        for event in self._events(tracefile):
            args = event.get("args") or {}
            for text in (event.get("name"), args.get("name"), args.get("long_name")):
                match = _MARKER.search(text) if isinstance(text, str) else None
                if match:
                    found.setdefault(match.group(1), []).append(event)
                    break
        return found

    def parse_tf_native_profiler_trace_json(self, log_dir: str) -> None:
        """Adds the spans of all traces below a folder."""
        for path in sorted(list_files_in_directory(log_dir)):
            if path.endswith(TENSORBOARDTIMELINE_SUFFIX):
                self.read_events_from_file(path)
