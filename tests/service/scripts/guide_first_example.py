"""The developer guide's first estimator, verbatim but for what it says to fill in: the script, the
hook's configuration and the rule. Run in the folder of the script."""

# An example of constructing a SageMaker AI PyTorch estimator
import boto3
import sagemaker
from sagemaker.debugger import (
    CollectionConfig,
    DebuggerHookConfig,
    Rule,
    rule_configs,
)
from sagemaker.pytorch import PyTorch

session = boto3.session.Session()
region = session.region_name
debugger_hook_config = DebuggerHookConfig(
    collection_configs=[CollectionConfig(name="losses", parameters={"save_interval": "5"})]
)
rules = [
    Rule.sagemaker(rule_configs.loss_not_decreasing()),
    Rule.sagemaker(rule_configs.class_imbalance()),
]
estimator = PyTorch(
    entry_point="metrics_train.py",
    role=sagemaker.get_execution_role(),
    base_job_name="debugger-demo",
    instance_count=1,
    instance_type="ml.p3.2xlarge",
    framework_version="1.12.0",
    py_version="py38",  # The SDK refuses py37 for this version, which the guide has.
    # Debugger-specific parameters
    debugger_hook_config=debugger_hook_config,
    rules=rules,
    metric_definitions=[{"Name": "train:loss", "Regex": "train_loss=([0-9.]+)"}],
    disable_profiler=True,
)
estimator.fit(wait=True)

print("BUCKET", sagemaker.Session().default_bucket())
print("ROLE", sagemaker.get_execution_role())
print("JOB", estimator.latest_training_job.name)
frame = sagemaker.analytics.TrainingJobAnalytics(
    estimator.latest_training_job.name,
    metric_names=["train:loss", "scalar/accuracy_TRAIN"],
    period=1,
).dataframe()
print("METRICS", sorted(set(frame["metric_name"])), len(frame) > 0)
