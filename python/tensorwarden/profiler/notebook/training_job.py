"""A training job: a run in a folder or in S3, or a SageMaker job."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.profiler.reading.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.reading.system_reader import (
    LocalSystemMetricsReader,
    S3SystemMetricsReader,
)
from tensorwarden.sagemaker.job import file_exists, has_training_ended
from tensorwarden.sagemaker.s3 import ReadObjectRequest, S3Handler, is_s3

RUNS = "warden-runs"
PROFILER_OUTPUT = "profiler-output"
CONFIG = "profilerconfig.json"
POLL_S = 10.0
ENDED = ("Completed", "Failed", "Stopped")


def find_run(name: str) -> str | None:
    """Returns the location of a run given by path, s3:// address or name; None if there is
    none."""
    if is_s3(name)[0]:
        return name.rstrip("/")
    for folder in (Path(name).expanduser(), Path(RUNS, name)):
        if folder.is_dir():
            return str(folder)
    return None


def profiler_folder(run: str) -> str:
    """Returns the location of the profiler's files of a run, which may not exist yet."""
    if any(file_exists(f"{run}/{part}/") for part in ("system", "framework")):
        return run
    location = run if is_s3(run)[0] else str(Path(run).absolute())
    above, _, last = location.rpartition("/")
    if last == PROFILER_OUTPUT:
        return run
    return f"{above if last == 'debug-output' else run}/{PROFILER_OUTPUT}"


class TrainingJob:
    """A run by its folder, its s3:// address or its name in `warden-runs/`, or a SageMaker job by
    its name.

    `region` is the region of the SageMaker job (default: boto3's settings). Raises ImportError or
    ValueError if SageMaker cannot be reached, SMDebugError if S3 refuses the credentials.
    """

    def __init__(self, training_job_name: str, region: str | None = None):
        self.name = training_job_name
        self.region = region
        self.system_metrics_reader: Any = None
        self.framework_metrics_reader: Any = None
        self._run = find_run(training_job_name)
        self._client: Any = None if self._run else self._new_client()
        self.profiler_config, self.profiler_s3_output_path = (
            self.get_config_and_profiler_s3_output_path()
        )

    def _new_client(self) -> Any:
        missing = f"no run '{self.name}' here or in {RUNS}/, and cannot ask SageMaker"
        try:
            import boto3
            from botocore.exceptions import NoRegionError
        except ImportError as error:
            raise ImportError(f"{missing}: boto3 is not installed") from error
        try:
            return boto3.client("sagemaker", region_name=self.region)
        except NoRegionError as error:
            raise ValueError(f"{missing}: no region given") from error

    def get_sm_client(self) -> Any:
        """Returns the SageMaker client; None for a run."""
        return self._client

    def describe_training_job(self) -> dict[str, Any]:
        """Returns SageMaker's description of the job; for a run, the same keys as far as known."""
        if self._run is None:
            return self._client.describe_training_job(TrainingJobName=self.name)
        folder = profiler_folder(self._run)
        return {
            "TrainingJobName": self._run.rpartition("/")[2],
            "TrainingJobStatus": "Completed" if self._has_ended(folder) else "InProgress",
            "ProfilerConfig": {
                "S3OutputPath": folder.rpartition("/")[0] or ".",
                **self._config_in(folder),
            },
        }

    @staticmethod
    def _config_in(folder: str) -> dict[str, Any]:
        path = f"{folder}/{CONFIG}"
        try:
            if is_s3(path)[0]:
                config = json.loads(S3Handler.get_object(ReadObjectRequest(path)) or b"{}")
            else:
                config = json.loads(Path(path).read_text())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            get_logger().warning(f"ignored {path}: {error}")
            return {}
        return config if isinstance(config, dict) else {}

    def get_config_and_profiler_s3_output_path(self) -> tuple[dict[str, Any], str]:
        """Returns the profiler configuration and the location of its data.

        Raises ValueError for a job without profiling.
        """
        description = self.describe_training_job()
        config = description.get("ProfilerConfig") or {}
        if self._run is not None:
            return config, profiler_folder(self._run)
        if not config.get("S3OutputPath"):
            raise ValueError(f"job '{self.name}' was not profiled: it has no ProfilerConfig")
        return config, f"{config['S3OutputPath'].rstrip('/')}/{self.name}/{PROFILER_OUTPUT}"

    @staticmethod
    def _has_ended(path: str) -> bool:
        return has_training_ended(f"{path}/system") or has_training_ended(f"{path}/framework")

    def _ended(self) -> bool:
        if self._run is not None:
            return self._has_ended(self.profiler_s3_output_path)
        return self.describe_training_job().get("TrainingJobStatus") in ENDED

    def _wait(self, reader: Any, what: str) -> Any:
        """Waits until the reader has files or the job has ended."""
        while True:
            # Checked before listing files, because files written before the end must be seen.
            ended = self._ended()
            if reader.get_timestamp_of_latest_available_file():
                get_logger().info(f"{self.name}: {what} are available")
                return reader
            if ended:
                get_logger().info(f"{self.name} has ended without {what}")
                return reader
            get_logger().info(f"{self.name}: waiting for {what}")
            time.sleep(POLL_S)

    def wait_for_sys_profiling_data_to_be_available(self) -> None:
        """Waits until there are system metrics or the job has ended."""
        local = not is_s3(self.profiler_s3_output_path)[0]
        reader = LocalSystemMetricsReader if local else S3SystemMetricsReader
        path = self.profiler_s3_output_path
        self.system_metrics_reader = self._wait(reader(path), "system metrics")

    def wait_for_framework_profiling_data_to_be_available(self) -> None:
        """Waits until there are timelines or the job has ended."""
        local = not is_s3(self.profiler_s3_output_path)[0]
        reader = LocalAlgorithmMetricsReader if local else S3AlgorithmMetricsReader
        path = self.profiler_s3_output_path
        self.framework_metrics_reader = self._wait(reader(path), "timelines")

    def get_systems_metrics_reader(self) -> Any:
        """Returns the reader of system metrics; None before waiting for them."""
        return self.system_metrics_reader

    def get_framework_metrics_reader(self) -> Any:
        """Returns the reader of timelines; None before waiting for them."""
        return self.framework_metrics_reader
