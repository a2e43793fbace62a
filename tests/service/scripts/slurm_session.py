"""An estimator of the SageMaker SDK on two hosts, with rules that stop it; prints how it ended."""

import json
import sys
import time

import boto3
import sagemaker
from sagemaker.debugger import CollectionConfig, DebuggerHookConfig, Rule, rule_configs
from sagemaker.estimator import Estimator

# The SDK does not know this rule, and passes it on.
STRAGGLER_RANK = {
    "DebugRuleConfiguration": {
        "RuleConfigurationName": "StragglerRank",
        "RuleParameters": {"rule_to_invoke": "StragglerRank"},
    }
}

boto3.client("s3").create_bucket(
    Bucket="demo-bucket", CreateBucketConfiguration={"LocationConstraint": "us-west-2"}
)
estimator = Estimator(
    image_uri="local/train:1",
    role="arn:aws:iam::123456789012:role/Demo",
    instance_count=2,
    instance_type="ml.m5.xlarge",
    entry_point="straggler.py",
    source_dir=sys.argv[1],
    base_job_name="sdk-slurm",
    output_path="s3://demo-bucket/",
    sagemaker_session=sagemaker.Session(default_bucket="demo-bucket"),
    debugger_hook_config=DebuggerHookConfig(
        s3_output_path="s3://demo-bucket/",
        hook_parameters={"save_interval": "10", "include_workers": "all"},
        collection_configs=[CollectionConfig("gradients")],
    ),
    rules=[
        Rule.sagemaker(rule_configs.vanishing_gradient(), rule_parameters={"threshold": "0.0001"}),
        Rule.sagemaker(
            STRAGGLER_RANK, actions=rule_configs.ActionList(rule_configs.StopTraining())
        ),
    ],
)
estimator.fit(wait=False)
job = estimator.latest_training_job
while job.describe()["TrainingJobStatus"] in ("InProgress", "Stopping"):
    time.sleep(0.2)
while any(each["RuleEvaluationStatus"] == "InProgress" for each in job.rule_job_summary()):
    time.sleep(0.2)
told = {
    "name": job.name,
    "status": job.describe()["TrainingJobStatus"],
    "rules": {
        each["RuleConfigurationName"]: each["RuleEvaluationStatus"]
        for each in job.rule_job_summary()
    },
}
print("TOLD " + json.dumps(told))
