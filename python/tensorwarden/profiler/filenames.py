"""What the names of profiler files say: kind, node and time."""

from __future__ import annotations

import contextlib
import re
from datetime import datetime, timezone
from pathlib import Path

from tensorwarden.log import get_logger
from tensorwarden.profiler.constants import (
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

# The end stays open: what follows the name (e.g. .tmp) has always been taken, too.
_SYSTEM_FILE = re.compile(r".+/system/.+/(\d{10}).(algo-\d+).json")


def is_valid_tracefilename(filename: str) -> bool:
    """Whether it is a closed timeline file."""
    return filename.endswith(".json") and "pevents" in filename and len(filename.split("_")) >= 3


def is_valid_tfprof_tracefilename(filename: str) -> bool:
    """Whether it is a trace of TensorFlow's own profiler."""
    return filename.endswith(TENSORBOARDTIMELINE_SUFFIX) and (
        "tensorflow/detailed_profiling" in filename
    )


def validate_system_profiler_file(filename: str) -> bool:
    """Whether it is a file of system metrics; a line in the log says if not."""
    valid = _SYSTEM_FILE.match(filename) is not None
    if not valid:
        get_logger().debug(f"{filename} is not named system/…/<10 digits>.algo-<n>.json")
    return valid


def get_node_id_from_system_profiler_filename(filename: str) -> str | None:
    """The node that a file of system metrics is of; None if it is no such file."""
    match = _SYSTEM_FILE.match(filename)
    return match.group(2) if match else None


def get_utctimestamp_us_since_epoch_from_system_profiler_file(filename: str) -> int | None:
    """The minute that a file of system metrics begins at; None if it is no such file."""
    match = _SYSTEM_FILE.match(filename)
    return int(match.group(1)) * CONVERT_TO_MICROSECS if match else None


def get_node_id_from_tracefilename(filename: str) -> str:
    """The node that a timeline is of; "" if the name does not say."""
    if is_valid_tracefilename(filename):
        return Path(filename).name.split("_")[1]
    return read_tf_profiler_metadata_file(filename)[0]


def get_timestamp_from_tracefilename(filename: str) -> int:
    """The end of the last event of a timeline, in microseconds; 0 if the name does not say."""
    text = read_tf_profiler_metadata_file(filename)[2]
    if is_valid_tracefilename(filename):
        text = Path(filename).name.split("_")[0]
    return int(text) if text.isdigit() else 0


def read_tf_profiler_metadata_file(file_path: str) -> tuple[str, str, str]:
    """Node, start and end of a TensorFlow trace, from the name of the empty file beside it;
    ("", "0", "0") if there is none."""
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
    """Makes that empty file; a name that is not `….metadata` is reported and not made."""
    if not file_path.endswith(".metadata"):
        get_logger().error(f"'{file_path}' cannot be a metadata file: it must end in .metadata")
        return
    ensure_dir(file_path)
    Path(file_path).touch()


def timeline_node(node_id: str) -> str:
    """`<pid>-algo-<n>` as `algo-<n>-<pid>`, so that the nodes of a job sort together."""
    match = re.fullmatch(r"(\d+)-(algo-\d+)", node_id)
    return f"{match.group(2)}-{match.group(1)}" if match else node_id


class TraceFileLocation:
    """Where profiler files go."""

    @staticmethod
    def get_file_location(
        timestamp: int, base_dir: str, suffix: str = PYTHONTIMELINE_SUFFIX
    ) -> str:
        """A closed timeline file whose last event ends at `timestamp` (µs)."""
        hour = datetime.fromtimestamp(timestamp / CONVERT_TO_MICROSECS, timezone.utc)
        folder = hour.strftime(TRACE_DIRECTORY_FORMAT)
        return f"{base_dir}/{DEFAULT_PREFIX}/{folder}/{timestamp}_{get_node_id()}_{suffix}"

    @staticmethod
    def get_detailed_profiling_log_dir(base_folder: str, framework: str, current_step: int) -> str:
        """The folder for a framework's own profiler, which is made; its hour is local time."""
        hour = datetime.now().strftime(TRACE_DIRECTORY_FORMAT)
        path = f"{base_folder}/framework/{framework}/detailed_profiling/{hour}/{current_step:09}"
        with contextlib.suppress(FileExistsError):
            ensure_dir(path, is_file=False)
        return path

    @staticmethod
    def get_tf_profiling_metadata_file(
        base_folder: str, start_time_us: float, end_time_us: float
    ) -> str:
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
        """The folder of one segment of a Python profile, which is made."""
        start = f"{start_mode}-{start_step}-{start_phase}-{start_time_since_epoch_in_micros}"
        end = f"{end_mode}-{end_step}-{end_phase}-{end_time_since_epoch_in_micros}"
        path = f"{base_folder}/framework/{framework}/{profiler_name}/{get_node_id()}/{start}_{end}"
        ensure_dir(path, is_file=False)
        return path

    @staticmethod
    def get_merged_trace_file_location(base_dir: str, timestamp_in_us: int) -> str:
        return f"{base_dir}/{timestamp_in_us}_{get_node_id()}_{MERGEDTIMELINE_SUFFIX}"
