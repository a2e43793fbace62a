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
        """DescribeTrainingJob."""
        return self._call("DescribeTrainingJob")

    @property
    def status(self) -> str:
        """InProgress, Completed, Failed, Stopping or Stopped."""
        return self.describe()["TrainingJobStatus"]

    @property
    def debug_output(self) -> Optional[str]:
        """Where its tensors are, as a URI; None if it saves none."""
        config = self.describe().get("DebugHookConfig")
        if not config:
            return None
        return f"{config['S3OutputPath'].rstrip('/')}/{self.name}/debug-output"

    @property
    def debug_folder(self) -> Optional[Path]:
        """The same as a folder, for `create_trial`, if the service is on this machine."""
        uri = self.debug_output
        return None if uri is None else self._access.folder_of(uri)

    def rules(self) -> List[Dict[str, Any]]:
        """What its rules have found so far: their evaluation statuses, debug rules first."""
        described = self.describe()
        return [
            *described.get("DebugRuleEvaluationStatuses", []),
            *described.get("ProfilerRuleEvaluationStatuses", []),
        ]

    def stop(self) -> None:
        """Asks it to stop."""
        self._call("StopTrainingJob")

    def update(self, **changes: Any) -> None:
        """UpdateTrainingJob."""
        self._call("UpdateTrainingJob", **changes)

    def delete(self) -> None:
        """Forgets it; what it has written into buckets stays."""
        self._call("DeleteTrainingJob")

    def wait(
        self, rules: bool = False, timeout: Optional[float] = None, pause: float = 0.5
    ) -> Dict[str, Any]:
        """Until it is over, and its rules too if that is asked for; its description then.
        TimeoutError if that takes longer than timeout seconds. It does not raise for jobs that
        failed."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while True:
            described = self.describe()
            if _is_over(described, rules):
                return described
            if deadline is not None and time.monotonic() > deadline:
                raise TimeoutError(f"{self.name} is {described['SecondaryStatus']} still")
            time.sleep(pause)

    def logs(
        self, follow: bool = False, host: Optional[str] = None, pause: float = 0.5
    ) -> Iterator[LogLine]:
        """What it has printed; with follow, also what it prints until it is over."""
        tokens: Dict[str, str] = {}
        while True:
            # Asked first, so that nothing is missed between the last look and the end.
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
