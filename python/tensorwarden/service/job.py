"""A training job of a service."""

import time
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional

from tensorwarden.service.access import ServiceAccess, ServiceError

TRAINING_LOGS = "/aws/sagemaker/TrainingJobs"


class LogLine(NamedTuple):
    """A line that a host of a job has printed."""

    time: float
    host: str
    text: str


class Job:
    """A training job of a service."""

    def __init__(self, name: str, access: ServiceAccess):
        self.name = name
        self._access = access

    def __repr__(self) -> str:
        return f"Job({self.name!r})"

    def _call(self, operation: str, **request: Any) -> Dict[str, Any]:
        return self._access.call(
            f"SageMaker.{operation}", {"TrainingJobName": self.name, **request}
        )

    def describe(self) -> Dict[str, Any]:
        """Returns the answer of DescribeTrainingJob."""
        return self._call("DescribeTrainingJob")

    @property
    def status(self) -> str:
        """The status: InProgress, Completed, Failed, Stopping or Stopped."""
        return self.describe()["TrainingJobStatus"]

    @property
    def debug_output(self) -> Optional[str]:
        """The URI of the saved tensors; None if the job saves none."""
        config = self.describe().get("DebugHookConfig")
        if not config:
            return None
        return f"{config['S3OutputPath'].rstrip('/')}/{self.name}/debug-output"

    @property
    def debug_folder(self) -> Optional[Path]:
        """The folder of the saved tensors, for `create_trial`; None if not on this machine."""
        uri = self.debug_output
        return None if uri is None else self._access.folder_of(uri)

    def rules(self) -> List[Dict[str, Any]]:
        """Returns the evaluation statuses of all rules, debug rules first."""
        described = self.describe()
        return [
            *described.get("DebugRuleEvaluationStatuses", []),
            *described.get("ProfilerRuleEvaluationStatuses", []),
        ]

    def stop(self) -> None:
        """Requests the job to stop."""
        self._call("StopTrainingJob")

    def update(self, **changes: Any) -> None:
        """Calls UpdateTrainingJob."""
        self._call("UpdateTrainingJob", **changes)

    def delete(self) -> None:
        """Deletes the job. Its files in buckets remain."""
        self._call("DeleteTrainingJob")

    def wait(
        self, rules: bool = False, timeout: Optional[float] = None, pause: float = 0.5
    ) -> Dict[str, Any]:
        """Waits until the job has ended, with `rules` also its rules, and returns its description.

        Checks every `pause` seconds. Raises TimeoutError after `timeout` seconds. A failed job does
        not raise.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            described = self.describe()
            if _is_over(described, rules):
                return described
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(
                    f"job {self.name} did not end within {timeout} s; its status "
                    f"is {described['SecondaryStatus']}"
                )
            time.sleep(pause)

    def logs(
        self, follow: bool = False, host: Optional[str] = None, pause: float = 0.5
    ) -> Iterator[LogLine]:
        """Yields the lines the job has printed. With `follow`, continues until the job ends."""
        tokens: Dict[str, str] = {}
        while True:
            # Checked before reading, because lines printed in between would be lost otherwise.
            last = not follow or _is_over(self.describe(), rules=False)
            for stream in self._streams(host):
                yield from self._lines(stream, tokens)
            if last:
                return
            time.sleep(pause)

    def _streams(self, host: Optional[str]) -> List[str]:
        prefix = f"{self.name}/" + (f"{host}-" if host else "")
        request = {"logGroupName": TRAINING_LOGS, "logStreamNamePrefix": prefix, "limit": 50}
        try:
            found = self._access.call("Logs_20140328.DescribeLogStreams", request)
        except ServiceError as error:
            if error.code == "ResourceNotFoundException":
                return []
            raise
        return [stream["logStreamName"] for stream in found["logStreams"]]

    def _lines(self, stream: str, tokens: Dict[str, str]) -> Iterator[LogLine]:
        host = stream.rpartition("/")[2].rpartition("-")[0]
        while True:
            request: Dict[str, Any] = {"logGroupName": TRAINING_LOGS, "logStreamName": stream}
            request.update(startFromHead=True, limit=10000)
            if stream in tokens:
                request["nextToken"] = tokens[stream]
            page = self._access.call("Logs_20140328.GetLogEvents", request)
            for event in page["events"]:
                yield LogLine(event["timestamp"] / 1000, host, event["message"])
            ended = not page["events"] or page["nextForwardToken"] == tokens.get(stream)
            tokens[stream] = page["nextForwardToken"]
            if ended:
                return


def _is_over(described: Mapping[str, Any], rules: bool) -> bool:
    if described["TrainingJobStatus"] not in ("Completed", "Failed", "Stopped"):
        return False
    statuses = [
        *described.get("DebugRuleEvaluationStatuses", []),
        *described.get("ProfilerRuleEvaluationStatuses", []),
    ]
    going_on = ("InProgress", "Stopping")
    return not rules or all(each["RuleEvaluationStatus"] not in going_on for each in statuses)
