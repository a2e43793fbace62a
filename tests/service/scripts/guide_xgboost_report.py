"""The developer guide's example of the XGBoost report, verbatim but for what it leaves to the
reader: the hyperparameters and the data, which are in the folder of the first argument."""

import sys

import boto3
import sagemaker
from sagemaker import image_uris
from sagemaker.debugger import Rule, rule_configs
from sagemaker.estimator import Estimator
from sagemaker.inputs import TrainingInput

rules = [Rule.sagemaker(rule_configs.create_xgboost_report())]
region = boto3.Session().region_name
xgboost_container = sagemaker.image_uris.retrieve("xgboost", region, "1.2-1")
assert image_uris.retrieve("xgboost", region, "1.2-1") == xgboost_container
estimator = Estimator(
    role=sagemaker.get_execution_role(),
    image_uri=xgboost_container,
    base_job_name="debugger-xgboost-report-demo",
    instance_count=1,
    instance_type="ml.m5.2xlarge",
    # Add the Debugger XGBoost report rule
    rules=rules,
)
estimator.set_hyperparameters(
    objective="binary:logistic", num_round=12, eval_metric="logloss,auc", nthread=1
)
session = sagemaker.Session()
inputs = {
    name: TrainingInput(
        session.upload_data(f"{sys.argv[1]}/{name}.csv", key_prefix=f"data/{name}"),
        content_type="text/csv",
    )
    for name in ("train", "validation")
}
estimator.fit(inputs, wait=False)

rule_output_path = (
    estimator.output_path + "/" + estimator.latest_training_job.job_name + "/rule-output"
)
print("RULES", rule_output_path)
print("JOB", estimator.latest_training_job.job_name)
