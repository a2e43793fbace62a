"""Starts and stops profilers that write their own files."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.common.constants import (
    CONVERT_TO_MICROSECS,
    SMDATAPARALLELTIMELINE_SUFFIX,
)
from tensorwarden.profiler.common.filenames import (
    TraceFileLocation,
    write_tf_profiler_metadata_file,
)
from tensorwarden.sagemaker.access import get_temp_path
from tensorwarden.sagemaker.files import ensure_dir
from tensorwarden.sagemaker.job import get_node_id


def _now_us() -> int:
    return round(time.time() * CONVERT_TO_MICROSECS)


def stop_tf_profiler(tf_profiler: Any, log_dir: str, start_time_us: float) -> None:
    """Stops TensorFlow's profiler and records its time range next to its files."""
    tf_profiler.stop()
    write_tf_profiler_metadata_file(
        TraceFileLocation.get_tf_profiling_metadata_file(log_dir, start_time_us, _now_us())
    )


def _smddp_file(base_dir: str) -> str:
    return get_temp_path(f"{base_dir}/{get_node_id()}_{SMDATAPARALLELTIMELINE_SUFFIX}")


def start_smdataparallel_profiler(smdataparallel: Any, base_dir: str) -> None:
    """Starts the timeline of SageMaker's data parallelism. Does nothing without that library."""
    if smdataparallel:
        path = _smddp_file(base_dir)
        ensure_dir(path)
        smdataparallel.start_profiler(path, append_rank=False)


def stop_smdataparallel_profiler(smdataparallel: Any, base_dir: str) -> None:
    """Stops that timeline and moves the file to where readers find it."""
    if not smdataparallel:
        return
    smdataparallel.stop_profiler()
    written = Path(_smddp_file(base_dir))
    if not written.exists():
        get_logger().warning(f"no timeline of data parallelism: {written} was not written")
        return
    final = TraceFileLocation.get_file_location(_now_us(), base_dir, SMDATAPARALLELTIMELINE_SUFFIX)
    ensure_dir(final)
    written.replace(final)
