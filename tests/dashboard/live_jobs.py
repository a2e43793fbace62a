"""Jobs that train while a page looks on."""

import threading
import time
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from serving import Service, debug_rule, script_job

SCRIPTS = Path(__file__).resolve().parent / "scripts"
HOOK = {
    "S3OutputPath": "s3://demo-bucket/out",
    "HookParameters": {"save_interval": "5"},
    "CollectionConfigurations": [
        {"CollectionName": "losses", "CollectionParameters": {"save_interval": "1"}},
        {"CollectionName": "gradients"},
    ],
}
PROFILER = {
    "S3OutputPath": "s3://demo-bucket/profile",
    "ProfilingIntervalInMilliseconds": 500,
    "DisableProfiler": False,
    # Steps and phases are timed, and operators of one step.
    "ProfilingParameters": {"DetailedProfilingConfig": '{"StartStep": 5, "NumSteps": 1}'},
}


class Job:
    """A training that goes on until it is stopped, and whose gradients vanish on demand. more:
    what else the request has."""

    def __init__(self, service: Service, name: str, lr: float = 0.01, **more: Any):
        self.service, self.name = service, name
        # In the folder that it works in, which is its own.
        code = service.data / "jobs" / name / "hosts/algo-1/opt/ml/code"
        self.vanish_file = code / "vanish"
        request = script_job(
            name,
            "trains_until_stopped.py",
            HyperParameters={
                "sagemaker_submit_directory": f"file://{SCRIPTS}",
                "steps": "100000",
                "lr": str(lr),
            },
            Environment={"VANISH_FILE": self.vanish_file.name},
            Tags=[{"Key": "team", "Value": "vision"}],
            DebugHookConfig=HOOK,
            DebugRuleConfigurations=[debug_rule("VanishingGradient")],
            **{"ProfilerConfig": PROFILER, **more},
        )
        service.call("CreateTrainingJob", **request)

    def describe(self) -> dict:
        return self.service.describe(self.name)

    def wait_for(self, condition) -> dict:
        return self.service.wait_for(self.name, condition)

    def stop(self) -> None:
        if self.describe()["TrainingJobStatus"] == "InProgress":
            self.service.call("StopTrainingJob", TrainingJobName=self.name)
        self.service.wait_until_over(self.name)

    def note_first_finding(self) -> "Future[float]":
        """Will be when the rule's record of its first finding was there, in seconds since 1970."""
        record = "**/VanishingGradient/firings.jsonl"
        noted: Future[float] = Future()

        def look() -> None:
            while not any(path.stat().st_size for path in (self.service.data / "s3").glob(record)):
                time.sleep(0.005)
            noted.set_result(time.time())

        threading.Thread(target=look, daemon=True).start()
        return noted
