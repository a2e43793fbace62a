"""A training job: a run of ours on disk, or one of SageMaker's."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

from tensorwarden.log import get_logger
from tensorwarden.profiler.framework_reader import (
    LocalAlgorithmMetricsReader,
    S3AlgorithmMetricsReader,
)
from tensorwarden.profiler.system_reader import LocalSystemMetricsReader, S3SystemMetricsReader
from tensorwarden.sagemaker.job import has_training_ended

RUNS = "warden-runs"
PROFILER_OUTPUT = "profiler-output"
CONFIG = "profilerconfig.json"
POLL_S = 10.0
ENDED = ("Completed", "Failed", "Stopped")


def find_run(name: str) -> Path | None:
    """The folder of a run that is told by its path or by its name; None if there is none."""
    for folder in (Path(name).expanduser(), Path(RUNS, name)):
        if folder.is_dir():
            return folder
    return None


def profiler_folder(run: Path) -> Path:
    """Where the profiler's files of a run are, or will be."""
    beside = run.absolute().parent / PROFILER_OUTPUT
    if any((run / part).is_dir() for part in ("system", "framework")):
        return run
    return beside if run.name == "debug-output" else run / PROFILER_OUTPUT


class TrainingJob:
    """A run by its folder, or by its name below `warden-runs/`; any other name is that of a job of
    SageMaker, in the region given (or that of boto3's own settings)."""

    def __init__(self, training_job_name: str, region: str | None = None):
        self.name = training_job_name
        self.region = region
        self.system_metrics_reader: Any = None
        self.framework_metrics_reader: Any = None
        self._run = find_run(training_job_name)
        self._client = None if self._run else self._new_client()
        self.profiler_config, self.profiler_s3_output_path = (
            self.get_config_and_profiler_s3_output_path()
        )

    def _new_client(self) -> Any:
        missing = (
            f"there is no run '{self.name}' here nor below {RUNS}/, and SageMaker cannot be asked"
        )
        try:
            import boto3
            from botocore.exceptions import NoRegionError
        except ImportError as error:
            raise ImportError(f"{missing}: boto3 is not installed") from error
        try:
            return boto3.client("sagemaker", region_name=self.region)
        except NoRegionError as error:
            raise ValueError(f"{missing}: no region is given") from error

    def get_sm_client(self) -> Any:
        """The client that knows the job; None for a run on disk."""
        return self._client

    def describe_training_job(self) -> dict[str, Any]:
        """What SageMaker says of the job; the same members, as far as it has them, of a run."""
        if self._run is None:
            return self._client.describe_training_job(TrainingJobName=self.name)
        folder = profiler_folder(self._run)
        return {
            "TrainingJobName": self._run.name,
            "TrainingJobStatus": "Completed" if self._has_ended(str(folder)) else "InProgress",
            "ProfilerConfig": {"S3OutputPath": str(folder.parent), **self._local_config(folder)},
        }

    @staticmethod
    def _local_config(folder: Path) -> dict[str, Any]:
        path = folder / CONFIG
        try:
            config = json.loads(path.read_text())
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            get_logger().warning(f"{path} is left out of account: {error}")
            return {}
        return config if isinstance(config, dict) else {}

    def get_config_and_profiler_s3_output_path(self) -> tuple[dict[str, Any], str]:
        """The profiler's configuration, and where its data are. ValueError for a job without."""
        description = self.describe_training_job()
        config = description.get("ProfilerConfig")
        if self._run is not None:
            return config, str(profiler_folder(self._run))
        if not config or not config.get("S3OutputPath"):
            raise ValueError(f"the job '{self.name}' has no ProfilerConfig: it was not profiled")
        return config, f"{config['S3OutputPath'].rstrip('/')}/{self.name}/{PROFILER_OUTPUT}"

    @staticmethod
    def _has_ended(path: str) -> bool:
        return has_training_ended(f"{path}/system") or has_training_ended(f"{path}/framework")

    def _ended(self) -> bool:
        if self._run is not None:
            return self._has_ended(self.profiler_s3_output_path)
        return self.describe_training_job().get("TrainingJobStatus") in ENDED

    def _wait(self, reader: Any, what: str) -> Any:
        """The reader, once it has files. A job that ended without will never have any."""
        while True:
            # The end first: what came before it is seen by the look for files after it.
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
        """Returns once there are system metrics, or the job has ended without."""
        local = self._run is not None
        reader = LocalSystemMetricsReader if local else S3SystemMetricsReader
        path = self.profiler_s3_output_path
        self.system_metrics_reader = self._wait(reader(path), "system metrics")

    def wait_for_framework_profiling_data_to_be_available(self) -> None:
        """Returns once there are timelines, or the job has ended without."""
        local = self._run is not None
        reader = LocalAlgorithmMetricsReader if local else S3AlgorithmMetricsReader
        path = self.profiler_s3_output_path
        self.framework_metrics_reader = self._wait(reader(path), "timelines")

    def get_systems_metrics_reader(self) -> Any:
        """The reader of system metrics; None before they were waited for."""
        return self.system_metrics_reader

    def get_framework_metrics_reader(self) -> Any:
        """The reader of timelines; None before they were waited for."""
        return self.framework_metrics_reader
