"""An estimator of the SageMaker SDK with rules, as its users write it; prints what it is told."""

import json
import sys
import time

import boto3
import sagemaker
from sagemaker.debugger import (
    CollectionConfig,
    DebuggerHookConfig,
    FrameworkProfile,
    ProfilerConfig,
    ProfilerRule,
    Rule,
    TensorBoardOutputConfig,
    rule_configs,
)
from sagemaker.estimator import Estimator

source_dir, own_rule = sys.argv[1:]
told = {}
boto3.client("s3").create_bucket(
    Bucket="demo-bucket", CreateBucketConfiguration={"LocationConstraint": "us-west-2"}
)
session = sagemaker.Session(default_bucket="demo-bucket")
estimator = Estimator(
    image_uri="local/train:1",
    role="arn:aws:iam::123456789012:role/Demo",
    instance_count=1,
    instance_type="ml.m5.xlarge",
    entry_point="vanishing.py",
    source_dir=source_dir,
    base_job_name="sdkdemo",
    hyperparameters={"depth": 12},
    output_path="s3://demo-bucket/",
    sagemaker_session=session,
    tags=[{"Key": "team", "Value": "ml"}],
    debugger_hook_config=DebuggerHookConfig(
        s3_output_path="s3://demo-bucket/",
        hook_parameters={"save_interval": "10"},
        collection_configs=[CollectionConfig("gradients", {"save_interval": "10"})],
    ),
    tensorboard_output_config=TensorBoardOutputConfig(s3_output_path="s3://demo-bucket/"),
    profiler_config=ProfilerConfig(
        system_monitor_interval_millis=500, framework_profile_params=FrameworkProfile()
    ),
    rules=[
        Rule.sagemaker(
            rule_configs.vanishing_gradient(),
            rule_parameters={"threshold": "0.0001"},
            actions=rule_configs.ActionList(rule_configs.StopTraining()),
        ),
        Rule.custom(
            name="OwnRule",
            image_uri="registry.example/sagemaker-debugger-rule-evaluator:latest",
            instance_type="ml.t3.medium",
            volume_size_in_gb=10,
            source=own_rule,
            rule_to_invoke="LossIsThere",
        ),
        ProfilerRule.sagemaker(rule_configs.ProfilerReport()),
        ProfilerRule.sagemaker(rule_configs.StepOutlier()),
    ],
)
estimator.fit(wait=False)
job = estimator.latest_training_job
told["name"] = job.name
told["first"] = job.describe()
told["first_rules"] = job.rule_job_summary()
told["paths"] = [
    estimator.latest_job_debugger_artifacts_path(),
    estimator.latest_job_profiler_artifacts_path(),
    estimator.latest_job_tensorboard_artifacts_path(),
]
while job.describe()["SecondaryStatus"] in ("Starting", "Downloading"):
    time.sleep(0.1)
estimator.update_profiler(
    rules=[ProfilerRule.sagemaker(rule_configs.CPUBottleneck())],
    system_monitor_interval_millis=1000,
)
estimator.enable_remote_debug()
told["updated"] = job.describe()
deadline = time.monotonic() + 300
while time.monotonic() < deadline:
    told["last"] = job.describe()
    statuses = [rule["RuleEvaluationStatus"] for rule in job.rule_job_summary()]
    if told["last"]["TrainingJobStatus"] == "Stopped" and not {"InProgress", "Stopping"} & {
        *statuses
    }:
        break
    time.sleep(0.2)
told["last_rules"] = job.rule_job_summary()
arn = told["last_rules"][0]["RuleEvaluationJobArn"]
told["rule_job"] = session.sagemaker_client.describe_processing_job(
    ProcessingJobName=arn.split("/")[-1]
)
attached = Estimator.attach(job.name, sagemaker_session=session)
told["attached"] = attached.latest_training_job.name
told["model_data"] = attached.model_data
told["caller"] = boto3.client("sts").get_caller_identity()["Account"]
told["objects"] = [
    item["Key"]
    for page in boto3.client("s3").get_paginator("list_objects_v2").paginate(Bucket="demo-bucket")
    for item in page.get("Contents", [])
]
session.logs_for_job(job.name, wait=False)
print("\nTOLD " + json.dumps(told, default=str))
