"""Parses the names of profiler files: kind, node and time."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timezone
from pathlib import Path

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import (
    CONVERT_TO_MICROSECS,
    DEFAULT_PREFIX,
    MERGEDTIMELINE_SUFFIX,
    PYTHONTIMELINE_SUFFIX,
    TENSORBOARDTIMELINE_SUFFIX,
    TRACE_DIRECTORY_FORMAT,
)
from tensorwarden.sagemaker.files import ensure_dir, list_files_in_directory
from tensorwarden.sagemaker.job import get_node_id
from tensorwarden.sagemaker.s3 import ListRequest, S3Handler, is_s3

# Not anchored at the end: names with a suffix such as .tmp are accepted too.
_SYSTEM_FILE = re.compile(r".+/system/.+/(\d{10}).(algo-\d+).json")


def is_valid_tracefilename(filename: str) -> bool:
    """Returns whether it is a closed timeline file."""
    return filename.endswith(".json") and "pevents" in filename and len(filename.split("_")) >= 3


def is_valid_tfprof_tracefilename(filename: str) -> bool:
    """Returns whether it is a trace of TensorFlow's profiler."""
    return filename.endswith(TENSORBOARDTIMELINE_SUFFIX) and (
        "tensorflow/detailed_profiling" in filename
    )


def validate_system_profiler_file(filename: str) -> bool:
    """Returns whether it is a file of system metrics; logs a debug message if not."""
    valid = _SYSTEM_FILE.match(filename) is not None
    if not valid:
        get_logger().debug(f"file name is {filename}; expected system/…/<10 digits>.algo-<n>.json")
    return valid


def get_node_id_from_system_profiler_filename(filename: str) -> str | None:
    """Returns the node of a file of system metrics; None for another file."""
    match = _SYSTEM_FILE.match(filename)
    return match.group(2) if match else None


def get_utctimestamp_us_since_epoch_from_system_profiler_file(filename: str) -> int | None:
    """Returns the minute at which a file of system metrics begins; None for another file."""
    match = _SYSTEM_FILE.match(filename)
    return int(match.group(1)) * CONVERT_TO_MICROSECS if match else None


def get_node_id_from_tracefilename(filename: str) -> str:
    """Returns the node of a timeline; "" if unknown."""
    if is_valid_tracefilename(filename):
        return Path(filename).name.split("_")[1]
    return read_tf_profiler_metadata_file(filename)[0]


def get_timestamp_from_tracefilename(filename: str) -> int:
    """Returns the end of the last event of a timeline, in microseconds; 0 if unknown."""
    text = read_tf_profiler_metadata_file(filename)[2]
    if is_valid_tracefilename(filename):
        text = Path(filename).name.split("_")[0]
    return int(text) if text.isdigit() else 0


def read_tf_profiler_metadata_file(file_path: str) -> tuple[str, str, str]:
    """Returns node, start and end of a TensorFlow trace, from the name of the metadata file.

    Returns ("", "0", "0") if there is none.
    """
    if not is_valid_tfprof_tracefilename(file_path):
        return ("", "0", "0")
    folder = "/".join(file_path.split("/")[:-4])
    on_s3, bucket, prefix = is_s3(folder)
    if on_s3:
        names = S3Handler.list_prefix(ListRequest(bucket or "", prefix or ""))
    else:
        names = list_files_in_directory(folder)
    for name in sorted(names):
        fields = Path(name).stem.split("_")
        if name.endswith(".metadata") and len(fields) == 3:
            return (fields[0], fields[1], fields[2])
    return ("", "0", "0")


def write_tf_profiler_metadata_file(file_path: str) -> None:
    """Creates the empty metadata file. Logs an error if the name does not end in .metadata."""
    if not file_path.endswith(".metadata"):
        get_logger().error(
            f"metadata file is '{file_path}'; expected a name that ends in .metadata"
        )
        return
    ensure_dir(file_path)
    Path(file_path).touch()


def timeline_node(node_id: str) -> str:
    """Converts `<pid>-algo-<n>` to `algo-<n>-<pid>`, which sorts the nodes of a job together."""
    match = re.fullmatch(r"(\d+)-(algo-\d+)", node_id)
    return f"{match.group(2)}-{match.group(1)}" if match else node_id


class TraceFileLocation:
    """Paths of profiler files."""

    @staticmethod
    def get_file_location(
        timestamp: int, base_dir: str, suffix: str = PYTHONTIMELINE_SUFFIX
    ) -> str:
        """Returns the path of a closed timeline file whose last event ends at `timestamp` (µs)."""
        hour = datetime.fromtimestamp(timestamp / CONVERT_TO_MICROSECS, timezone.utc)
        folder = hour.strftime(TRACE_DIRECTORY_FORMAT)
        return f"{base_dir}/{DEFAULT_PREFIX}/{folder}/{timestamp}_{get_node_id()}_{suffix}"

    @staticmethod
    def get_detailed_profiling_log_dir(base_folder: str, framework: str, current_step: int) -> str:
        """Creates and returns the folder for a framework's own profiler; its hour is local time."""
        hour = datetime.now().strftime(TRACE_DIRECTORY_FORMAT)
        path = f"{base_folder}/framework/{framework}/detailed_profiling/{hour}/{current_step:09}"
        with contextlib.suppress(FileExistsError):
            ensure_dir(path, is_file=False)
        return path

    @staticmethod
    def get_tf_profiling_metadata_file(
        base_folder: str, start_time_us: float, end_time_us: float
    ) -> str:
        """Returns the path of the metadata file of a TensorFlow trace."""
        return f"{base_folder}/{get_node_id()}_{int(start_time_us)}_{int(end_time_us)}.metadata"

    @staticmethod
    def get_python_profiling_stats_dir(
        base_folder: str,
        profiler_name: str,
        framework: str,
        start_mode: str,
        start_step: int | str,
        start_phase: str,
        start_time_since_epoch_in_micros: float,
        end_mode: str,
        end_step: int | str,
        end_phase: str,
        end_time_since_epoch_in_micros: float,
    ) -> str:
        """Creates and returns the folder of one segment of a Python profile."""
        start = f"{start_mode}-{start_step}-{start_phase}-{start_time_since_epoch_in_micros}"
        end = f"{end_mode}-{end_step}-{end_phase}-{end_time_since_epoch_in_micros}"
        path = f"{base_folder}/framework/{framework}/{profiler_name}/{get_node_id()}/{start}_{end}"
        ensure_dir(path, is_file=False)
        return path

    @staticmethod
    def get_merged_trace_file_location(base_dir: str, timestamp_in_us: int) -> str:
        """Returns the path of a merged timeline."""
        return f"{base_dir}/{timestamp_in_us}_{get_node_id()}_{MERGEDTIMELINE_SUFFIX}"
