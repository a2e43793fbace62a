"""Manages training jobs of `warden serve` with only the standard library."""

import json
from pathlib import Path
from typing import Any, Dict, Iterator, List, Mapping, Optional, Sequence, Union

from tensorwarden.debugger import (
    CollectionConfig,
    DebuggerHookConfig,
    ProfilerConfig,
    ProfilerRule,
    Rule,
    RuleBase,
    TensorBoardOutputConfig,
)
from tensorwarden.service.access import ServiceAccess, ServiceError
from tensorwarden.service.job import Job, LogLine
from tensorwarden.service.source import name_from, pack, split_uri

__all__ = ["Client", "Job", "LogLine", "ServiceError"]

DEFAULT_BUCKET = "warden-jobs"
# Required by the API but not used by this service.
ROLE = "arn:aws:iam::000000000000:role/warden"
IMAGE = "warden-python"
MACHINE = {"InstanceType": "ml.m5.large", "InstanceCount": 1, "VolumeSizeInGB": 30}
DAY = 86400


class Client:
    """A client of a service.

    The service is selected by `endpoint` and `token`, else by $WARDEN_ENDPOINT and
    $WARDEN_TOKEN_FILE, else the one this user runs on this machine is used. Raises ServiceError if
    there is none.
    """

    def __init__(self, endpoint: Optional[str] = None, token: Optional[str] = None):
        self._access = ServiceAccess(endpoint, token)

    @property
    def endpoint(self) -> str:
        """The address of the service."""
        return self._access.endpoint

    def call(self, operation: str, **request: Any) -> Dict[str, Any]:
        """Calls an operation of the SageMaker API. Raises ServiceError if it fails."""
        return self._access.call(f"SageMaker.{operation}", request)

    def create_training_job(self, **request: Any) -> "Job":
        """Calls CreateTrainingJob.

        The role, the machine, the time limit (default: one day) and the output bucket are optional.
        """
        name = request["TrainingJobName"]
        defaults = {
            "RoleArn": ROLE,
            "AlgorithmSpecification": {"TrainingImage": IMAGE, "TrainingInputMode": "File"},
            "OutputDataConfig": {"S3OutputPath": f"s3://{DEFAULT_BUCKET}"},
            "ResourceConfig": dict(MACHINE),
            "StoppingCondition": {"MaxRuntimeInSeconds": DAY},
        }
        self.call("CreateTrainingJob", **{**defaults, **request})
        return Job(name, self._access)

    def job(self, name: str) -> "Job":
        """Returns an existing job. Raises ServiceError if it does not exist."""
        job = Job(name, self._access)
        job.describe()
        return job

    def jobs(self, **filters: Any) -> Iterator[Dict[str, Any]]:
        """Yields the summaries of all jobs that ListTrainingJobs returns, newest first."""
        token: Dict[str, str] = {}
        while True:
            page = self.call("ListTrainingJobs", MaxResults=100, **filters, **token)
            yield from page["TrainingJobSummaries"]
            if not page.get("NextToken"):
                return
            token = {"NextToken": page["NextToken"]}

    def upload(self, source: Union[str, Path, bytes], uri: str) -> str:
        """Uploads a file or bytes to the service's S3 and returns the URI. Creates a missing
        bucket."""
        bucket, key = split_uri(uri)
        data = source if isinstance(source, bytes) else Path(source).read_bytes()
        self._access.make_bucket(bucket)
        self._access.put(bucket, key, data)
        return uri

    def train(
        self,
        script: Union[str, Path],
        *,
        source_dir: Union[str, Path, None] = None,
        name: Optional[str] = None,
        hyperparameters: Optional[Mapping[str, Any]] = None,
        rules: Sequence[RuleBase] = (),
        hook: Union[DebuggerHookConfig, bool, None] = None,
        profiler: Optional[ProfilerConfig] = None,
        tensorboard: Optional[TensorBoardOutputConfig] = None,
        inputs: Optional[Mapping[str, str]] = None,
        environment: Optional[Mapping[str, str]] = None,
        output: str = f"s3://{DEFAULT_BUCKET}",
        image: str = IMAGE,
        instance_count: int = 1,
        max_runtime: int = DAY,
        remote_debug: bool = False,
    ) -> "Job":
        """Runs a script as a training job.

        Args:
            script: The training script.
            source_dir: A folder to upload that contains the script; without it only the script is.
            name: The name of the job (default: generated from the script's name).
            hyperparameters: Passed to the script as arguments (`--name value`).
            rules: The rules to evaluate. The tensors they need are saved.
            hook: What else to save; False saves nothing.
            profiler: The profiler configuration.
            tensorboard: The TensorBoard configuration.
            inputs: A URI per channel. The script finds the data in $SM_CHANNEL_<NAME>.
            environment: Environment variables of the job.
            output: The URI that outputs are written to.
            image: The image, if the service offers several.
            instance_count: The number of hosts.
            max_runtime: The time limit in seconds.
            remote_debug: Whether to allow remote debugging.
        """
        entry, code = pack(Path(script), None if source_dir is None else Path(source_dir))
        name = name or name_from(entry)
        output = output.rstrip("/")
        where = self.upload(code, f"{output}/{name}/source/sourcedir.tar.gz")
        request: Dict[str, Any] = {
            "TrainingJobName": name,
            "HyperParameters": _hyperparameters(hyperparameters or {}, entry, where),
            "AlgorithmSpecification": {"TrainingImage": image, "TrainingInputMode": "File"},
            "OutputDataConfig": {"S3OutputPath": output},
            "ResourceConfig": {**MACHINE, "InstanceCount": instance_count},
            "StoppingCondition": {"MaxRuntimeInSeconds": max_runtime},
        }
        if inputs:
            request["InputDataConfig"] = [_channel(*each) for each in inputs.items()]
        if environment:
            request["Environment"] = dict(environment)
        if remote_debug:
            request["RemoteDebugConfig"] = {"EnableRemoteDebug": True}
        request.update(self._debugging(name, output, rules, hook, profiler, tensorboard))
        return self.create_training_job(**request)

    def _debugging(
        self,
        name: str,
        output: str,
        rules: Sequence[RuleBase],
        hook: Union[DebuggerHookConfig, bool, None],
        profiler: Optional[ProfilerConfig],
        tensorboard: Optional[TensorBoardOutputConfig],
    ) -> Dict[str, Any]:
        request: Dict[str, Any] = {}
        debug_rules = [rule for rule in rules if isinstance(rule, Rule)]
        profiler_rules = [rule for rule in rules if isinstance(rule, ProfilerRule)]
        for rule in rules:
            self._upload_source(rule, name, output)
        for rule in debug_rules:
            rule.prepare_actions(name)
        if hook is not False:
            wanted = hook if isinstance(hook, DebuggerHookConfig) else DebuggerHookConfig()
            request["DebugHookConfig"] = _hook_request(wanted, debug_rules, output)
        if debug_rules:
            request["DebugRuleConfigurations"] = [rule.to_request_dict() for rule in debug_rules]
        if profiler is not None or profiler_rules:
            config = (profiler or ProfilerConfig()).to_request_dict()
            if not config["DisableProfiler"]:
                config.setdefault("S3OutputPath", output)
            request["ProfilerConfig"] = config
        if profiler_rules:
            request["ProfilerRuleConfigurations"] = [
                rule.to_request_dict() for rule in profiler_rules
            ]
        if tensorboard is not None:
            request["TensorBoardOutputConfig"] = tensorboard.to_request_dict()
        return request

    def _upload_source(self, rule: RuleBase, name: str, output: str) -> None:
        source = rule.rule_parameters.get("source_s3_uri")
        if source and not str(source).startswith("s3://"):
            uri = f"{output}/{name}/rules/{rule.name}/{Path(source).name}"
            rule.rule_parameters["source_s3_uri"] = self.upload(source, uri)


def _hyperparameters(given: Mapping[str, Any], entry: str, where: str) -> Dict[str, str]:
    """Encodes hyperparameters as the SDK's framework estimators do."""
    own = {"sagemaker_program": entry, "sagemaker_submit_directory": where}
    return {str(name): json.dumps(value) for name, value in {**given, **own}.items()}


def _channel(name: str, uri: str) -> Dict[str, Any]:
    source = {"S3DataType": "S3Prefix", "S3Uri": uri, "S3DataDistributionType": "FullyReplicated"}
    return {"ChannelName": name, "DataSource": {"S3DataSource": source}}


def _hook_request(hook: DebuggerHookConfig, rules: Sequence[Rule], output: str) -> Dict[str, Any]:
    """Returns the hook configuration with all collections that the rules need, each once."""
    collections: List[CollectionConfig] = list(hook.collection_configs or [])
    for rule in rules:
        for each in rule.collection_configs or []:
            if each not in collections:
                collections.append(each)
    request = hook.to_request_dict()
    request["S3OutputPath"] = request["S3OutputPath"] or output
    request["CollectionConfigurations"] = [each.to_request_dict() for each in collections]
    return request
