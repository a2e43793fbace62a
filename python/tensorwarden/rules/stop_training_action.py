"""Stops a training job."""

from __future__ import annotations

from typing import Any

from tensorwarden.base.log import get_logger
from tensorwarden.rules.aws import client


class StopTrainingAction:
    """Stops the one job in progress whose name begins with the prefix.

    The constructor looks the job up. With no match or several, nothing is stopped.
    """

    def __init__(self, rule_name: str, training_job_prefix: str):
        self._logger = get_logger()
        self._rule_name = rule_name
        self._training_job_prefix = training_job_prefix
        self._client: Any = client("sagemaker")
        self._found_jobs = self._jobs_in_progress()
        if len(self._found_jobs) != 1:
            self._logger.warning(
                f"{rule_name} will not stop a job: expected one job in progress with prefix "
                f"'{training_job_prefix}', got {len(self._found_jobs)}: {self._found_jobs}"
            )

    def _jobs_in_progress(self) -> list[str]:
        if self._client is None:
            return []
        request = {
            "StatusEquals": "InProgress",
            "NameContains": self._training_job_prefix,
            "SortBy": "CreationTime",
            "SortOrder": "Descending",
        }
        names = []
        try:
            while True:
                answer = self._client.list_training_jobs(**request)
                names += [job["TrainingJobName"] for job in answer["TrainingJobSummaries"]]
                if not answer.get("NextToken"):
                    break
                request["NextToken"] = answer["NextToken"]
        except Exception as error:
            self._logger.error(f"Cannot list training jobs: {error}")
        return [name for name in names if name.startswith(self._training_job_prefix)]

    def invoke(self, message: str = "") -> None:
        """Stops the job."""
        if len(self._found_jobs) != 1:
            return
        job = self._found_jobs[0]
        self._logger.info(
            f"Stopping training job {job}, requested by rule {self._rule_name}: {message}"
        )
        try:
            self._client.stop_training_job(TrainingJobName=job)
        except Exception as error:
            self._logger.error(f"Cannot stop training job {job}: {error}")
