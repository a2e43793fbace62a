"""`warden serve` for tests: started on a free port, spoken to by the cloud's own clients."""

import json
import os
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from support.ports import free_port

ROOT = Path(__file__).resolve().parent.parent.parent
WARDEN = Path(os.environ.get("WARDEN", "build/bin/warden")).absolute()
PYTHON = ROOT / "build/venv/bin/python"
SDK_PYTHON = ROOT / "build/venv-sagemaker/bin/python"
SCRIPTS = Path(__file__).resolve().parent / "scripts"
TWO_HOSTS = {"InstanceType": "ml.m5.xlarge", "InstanceCount": 2, "VolumeSizeInGB": 30}
ROLE = "arn:aws:iam::123456789012:role/Demo"
RULES_IMAGE = "registry.example/sagemaker-debugger-rules:latest"
# Seconds until something that is under way must have happened, on a busy machine. Nobody waits that
# long for what works.
PATIENCE = 300


class Service:
    """A service with a data folder of its own, which it keeps over restarts."""

    def __init__(self, folder: Path, *options: str, variables: "dict | None" = None):
        self.folder = folder
        self.data = folder / "data"
        self.options = options
        self.variables = variables or {}  # Of its environment, besides our own.
        self.process = None
        # The same after a restart, so that clients find it.
        self.listen = f"127.0.0.1:{free_port()}"
        self.log = folder / "serve.log"

    def start(self) -> "Service":
        command = [WARDEN, "serve", "--data", self.data, "--listen", self.listen]
        command += ["--python", PYTHON, "--json", *self.options]
        home = self.folder / "home"
        home.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, **self.variables, "HOME": str(home)}
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "AWS_PROFILE"):
            environment.pop(name, None)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                stdout=subprocess.PIPE,
                stderr=log,
                env=environment,
                start_new_session=True,
            )
        line = self.process.stdout.readline()
        assert line, self.log.read_text()
        self.said = json.loads(line)
        self.endpoint = self.said["endpoint"]
        return self

    def kill(self) -> None:
        """Without a word, as when the machine's memory is exhausted."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=PATIENCE)
        self.process.stdout.close()
        return code

    def environment(self, **more: str) -> dict:
        """What points the cloud's clients at the service."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
        return {
            **clean,
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_SHARED_CREDENTIALS_FILE": str(self.data / "credentials"),
            "AWS_CONFIG_FILE": os.devnull,
            "AWS_DEFAULT_REGION": "us-west-2",
            "AWS_EC2_METADATA_DISABLED": "true",
            **more,
        }

    def shell(self) -> dict:
        """The environment of a shell after `eval "$(warden env)"`."""
        clean = self.environment(HOME=str(self.folder / "home"))
        for name in [n for n in clean if n.startswith("AWS_") and n != "AWS_EC2_METADATA_DISABLED"]:
            del clean[name]
        clean.pop("XDG_CONFIG_HOME", None)

        def output_of(*command) -> str:
            return subprocess.run(
                command, env=clean, capture_output=True, text=True, check=True
            ).stdout

        printed = output_of(WARDEN, "env")
        shown = output_of("sh", "-c", printed + "env")
        variables = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
        names = re.findall(r"^export (\w+)=", printed, re.M)
        assert {"AWS_ENDPOINT_URL", "AWS_SHARED_CREDENTIALS_FILE"} <= set(names)
        return {**clean, **{name: variables[name] for name in names}}

    def token(self) -> str:
        return (self.data / "token").read_text().strip()

    def call(self, operation: str, **body) -> dict:
        """One request of SageMaker's, by the service's own token."""
        request = urllib.request.Request(
            self.endpoint + "/",
            json.dumps(body).encode(),
            {
                "X-Amz-Target": f"SageMaker.{operation}",
                "Content-Type": "application/x-amz-json-1.1",
                "Authorization": f"Bearer {self.token()}",
            },
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or b"{}")

    def describe(self, name: str) -> dict:
        return self.call("DescribeTrainingJob", TrainingJobName=name)

    def wait_for(self, name: str, condition, seconds: float = PATIENCE) -> dict:
        """The job's description as soon as the condition holds."""
        deadline = time.monotonic() + seconds
        while True:
            job = self.describe(name)
            if condition(job):
                return job
            assert time.monotonic() < deadline, json.dumps(job, indent=1)
            time.sleep(0.1)

    def wait_until_over(self, name: str, seconds: float = PATIENCE) -> dict:
        return self.wait_for(name, is_over, seconds)

    def release(self, name: str) -> None:
        """Lets a job go on whose script is held.py, which waits for this."""
        self.wait_for(name, has_begun)
        (self.data / "jobs" / name / "hosts/algo-1/opt/ml/code/go").touch()

    def log_of(self, name: str, host: str = "algo-1") -> str:
        folder = self.data / "jobs" / name / "hosts" / host / "log"
        return "".join(path.read_text(errors="replace") for path in sorted(folder.glob("*")))


def is_over(job: dict) -> bool:
    """Whether neither the job nor one of its rules is at work."""
    rules = job.get("DebugRuleEvaluationStatuses", [])
    rules = rules + job.get("ProfilerRuleEvaluationStatuses", [])
    return job["TrainingJobStatus"] in ("Completed", "Failed", "Stopped") and not any(
        rule["RuleEvaluationStatus"] in ("InProgress", "Stopping") for rule in rules
    )


def has_begun(job: dict) -> bool:
    """Whether it trains or has trained: who looks late may find it over."""
    return any(step["Status"] == "Training" for step in job["SecondaryStatusTransitions"])


def workers_of(run: Path) -> set[str]:
    """The workers that have saved tensors of a run."""
    listed = subprocess.run(
        [WARDEN, "trial", "tensors", run, "--json"], capture_output=True, check=True
    )
    return {worker for tensor in json.loads(listed.stdout) for worker in tensor["workers"]}


def script_job(name: str, script: str, **more) -> dict:
    """A request for a job that runs one of the scripts of this folder."""
    hyperparameters = {
        "sagemaker_program": script,
        "sagemaker_submit_directory": f"file://{SCRIPTS}",
        **more.pop("HyperParameters", {}),
    }
    return {
        "TrainingJobName": name,
        "RoleArn": ROLE,
        "AlgorithmSpecification": {"TrainingImage": "local/train:1", "TrainingInputMode": "File"},
        "HyperParameters": hyperparameters,
        "OutputDataConfig": {"S3OutputPath": "s3://demo-bucket/out"},
        "ResourceConfig": {
            "InstanceType": "ml.m5.xlarge",
            "InstanceCount": 1,
            "VolumeSizeInGB": 30,
        },
        "StoppingCondition": {"MaxRuntimeInSeconds": 3600},
        **more,
    }


def mpi_job(name: str) -> dict:
    """A request for a job of two processes on each of two hosts, which mpirun starts."""
    return script_job(
        name,
        "mpi_train.py",
        HyperParameters={
            "sagemaker_mpi_enabled": "true",
            "sagemaker_mpi_num_of_processes_per_host": "2",
        },
        ResourceConfig=TWO_HOSTS,
        DebugHookConfig={
            "S3OutputPath": "s3://demo-bucket/out",
            "HookParameters": {"include_workers": "all"},
            "CollectionConfigurations": [{"CollectionName": "losses"}],
        },
    )


def debug_rule(name: str, **parameters: str) -> dict:
    return {
        "RuleConfigurationName": name,
        "RuleEvaluatorImage": RULES_IMAGE,
        "RuleParameters": {"rule_to_invoke": name, **parameters},
    }


def processes_with(text: str) -> list:
    """Command lines of the running processes that have the text in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (folder / "environ").read_bytes():
                words = (folder / "cmdline").read_bytes().replace(b"\0", b" ")
                found.append(f"{folder.name} {words.decode(errors='replace')}")
        except OSError:
            continue
    return found


def wait_until(condition: Callable[[], object], tell: Callable[[], str] = str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, tell()
        time.sleep(0.05)


def wait_until_gone(text: str) -> None:
    """Until no running process has the text in its environment."""
    wait_until(lambda: not processes_with(text), lambda: str(processes_with(text)))
