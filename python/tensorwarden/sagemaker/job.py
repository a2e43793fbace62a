"""Describes the job that this process belongs to, and detects its end."""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from functools import lru_cache
from pathlib import Path

from tensorwarden.base.exceptions import SMDebugError
from tensorwarden.base.log import get_logger
from tensorwarden.sagemaker.access import TSAccessFile, TSAccessS3
from tensorwarden.sagemaker.constants import (
    DEFAULT_GRACETIME_FOR_RULE_STOP_SEC,
    DEFAULT_RESOURCE_CONFIG_FILE,
    END_OF_JOB_FILENAME,
    ENV_RULE_STOP_SIGNAL_FILENAME,
)
from tensorwarden.sagemaker.s3 import DeleteRequest, ListRequest, S3Handler, is_s3

ENV_GRACE_TIME = "rule_stop_grace_time_secs"


def is_sagemaker_job() -> bool:
    """Returns whether this process runs in a training job."""
    return "TRAINING_JOB_NAME" in os.environ


def get_node_id_from_resource_config() -> str | None:
    """Returns the name of this host in the job, for example algo-1; None outside of a job.

    Several hosts of a job may run on one machine, where only the environment tells them apart.
    """
    try:
        host = json.loads(Path(DEFAULT_RESOURCE_CONFIG_FILE).read_text()).get("current_host")
    except (OSError, ValueError, AttributeError):
        host = None
    return host or os.environ.get("SM_CURRENT_HOST") or None


def get_distributed_worker() -> str | None:
    """Returns the rank of this process if torch.distributed or Horovod is initialized, else None.

    Imports neither: a script that uses one of them has imported it.
    """
    torch = sys.modules.get("torch.distributed")
    try:
        if torch is not None and torch.is_available() and torch.is_initialized():
            return str(torch.get_rank())
        for name in ("horovod.torch", "horovod.tensorflow", "horovod.tensorflow.keras"):
            horovod = sys.modules.get(name)
            if horovod is not None and horovod.size():
                return str(horovod.rank())
    except (AttributeError, ValueError, RuntimeError):
        # Horovod raises ValueError before init().
        return None
    return None


def get_node_id() -> str:
    """Returns `<rank or pid>-<host>`, without underscores because they separate fields of file
    names."""
    host = get_node_id_from_resource_config() or socket.gethostname()
    return f"{get_distributed_worker() or os.getpid()}-{host}".replace("_", "-")


def get_tb_worker() -> str:
    """Returns the name of this process in TensorBoard files."""
    return f"{os.getpid()}_{socket.gethostname()}"


@lru_cache(maxsize=16)
def check_smmodelparallel_training() -> bool:
    """Returns whether the job's hyperparameters request SageMaker model parallelism."""
    try:
        parameters = json.loads(os.getenv("SM_HPS", "{}")).get("mp_parameters", {})
        parameters = json.loads(parameters) if isinstance(parameters, str) else parameters
        return bool({"partitions", "pipeline_parallel_degree"} & set(parameters))
    except (ValueError, AttributeError, TypeError):
        return False


def _end_marker(trial_prefix: str) -> str:
    return f"{os.fspath(trial_prefix).rstrip('/')}/{END_OF_JOB_FILENAME}"


def file_exists(file_path: str) -> bool:
    """Returns whether a file, or an object with this key prefix, exists."""
    on_s3, bucket, key = is_s3(file_path)
    if on_s3:
        return bool(S3Handler.list_prefix(ListRequest(bucket or "", key or "")))
    return Path(file_path).exists()


def has_training_ended(trial_prefix: str) -> bool:
    """Returns whether a run's folder contains the end marker."""
    return file_exists(_end_marker(trial_prefix))


def training_has_ended(trial_prefix: str) -> None:
    """Writes the end marker. Does nothing in SageMaker, where the platform writes it."""
    if is_sagemaker_job():
        return
    marker = _end_marker(trial_prefix)
    on_s3, bucket, key = is_s3(marker)
    if on_s3:
        TSAccessS3(bucket or "", key or "").close()
    else:
        TSAccessFile(marker, "w").close()


def check_dir_exists(path: str) -> bool:
    """Returns whether the folder holds a finished run, which must not be overwritten."""
    return has_training_ended(path)


def _grace_time() -> float:
    text = os.getenv(ENV_GRACE_TIME, str(DEFAULT_GRACETIME_FOR_RULE_STOP_SEC))
    try:
        return float(text)
    except ValueError:
        get_logger().warning(
            f"{ENV_GRACE_TIME} is '{text}'; expected a number of seconds. Using "
            f"{DEFAULT_GRACETIME_FOR_RULE_STOP_SEC} s."
        )
        return DEFAULT_GRACETIME_FOR_RULE_STOP_SEC


def is_rule_signalled_gracetime_passed(trial_prefix: str) -> bool:
    """Returns whether rules were asked to stop longer ago than the grace period.

    The signal is a file that contains a time in seconds. An unreadable file also means stop.
    """
    name = os.getenv(ENV_RULE_STOP_SIGNAL_FILENAME)
    signal = Path(trial_prefix, name) if name else None
    if signal is None or not signal.exists():
        return False
    try:
        return time.time() > int(signal.read_text()) + _grace_time()
    except (OSError, ValueError) as error:
        get_logger().info(f"{signal} contains no time ({error}); stopping now")
        return True


def delete_s3_prefixes(bucket: str, keys: str | list[str]) -> None:
    """Deletes all objects whose key begins with one of `keys`."""
    names = keys if isinstance(keys, list) else [keys]
    if any(not isinstance(name, str) for name in names):
        raise SMDebugError(f"keys is {keys!r}; expected a string or a list of strings")
    S3Handler.delete_prefixes([DeleteRequest(bucket, name) for name in names])
