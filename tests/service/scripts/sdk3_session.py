"""ModelTrainer of version 3 of the SageMaker SDK, as its examples have it: train, wait, logs."""

import json
import logging
import sys

from sagemaker.core.helper.session_helper import Session, get_execution_role
from sagemaker.core.resources import TrainingJob
from sagemaker.core.shapes import (
    AlgorithmSpecification,
    CollectionConfiguration,
    DebugHookConfig,
    DebugRuleConfiguration,
    OutputDataConfig,
    ResourceConfig,
    StoppingCondition,
)
from sagemaker.train import ModelTrainer
from sagemaker.train.configs import Compute, InputData, SourceCode

logging.basicConfig(stream=sys.stdout, level=logging.INFO)
scripts, source, data = sys.argv[1:]
session = Session()
role = get_execution_role(session)
told = {"role": role, "bucket": session.default_bucket(), "jobs": {}}


def keep(name, job, error=""):
    job.refresh()
    told["jobs"][name] = {
        "name": job.training_job_name,
        "status": job.training_job_status,
        "error": error,
        "model": job.model_artifacts.s3_model_artifacts,
        "rules": [rule.rule_evaluation_status for rule in job.debug_rule_evaluation_statuses or []],
    }


for name, fail in (("well", 0), ("badly", 3)):
    trainer = ModelTrainer(
        training_image="local/train:1",
        source_code=SourceCode(source_dir=source, entry_script="quick.py"),
        compute=Compute(instance_type="ml.m5.xlarge", instance_count=1),
        hyperparameters={"seconds": 0.1, "fail": fail},
        base_job_name=f"trainer-{name}",
        role=role,
        sagemaker_session=session,
    )
    inputs = [InputData(channel_name="train", data_source=data)]
    trainer.train(input_data_config=inputs, wait=False)
    job, error = trainer._latest_training_job, ""
    try:
        job.wait(poll=1, logs=True)
    except Exception as failure:
        error = f"{type(failure).__name__}: {failure}"
    keep(name, job, error)

# ModelTrainer has no debugger; the resources below it have.
bucket = told["bucket"]
job = TrainingJob.create(
    training_job_name="resource-with-rules",
    role_arn=role,
    algorithm_specification=AlgorithmSpecification(
        training_image="local/train:1", training_input_mode="File"
    ),
    hyper_parameters={
        "sagemaker_program": "vanishing.py",
        "sagemaker_submit_directory": f"file://{scripts}",
    },
    output_data_config=OutputDataConfig(s3_output_path=f"s3://{bucket}/out"),
    resource_config=ResourceConfig(
        instance_type="ml.m5.xlarge", instance_count=1, volume_size_in_gb=30
    ),
    stopping_condition=StoppingCondition(max_runtime_in_seconds=600),
    debug_hook_config=DebugHookConfig(
        s3_output_path=f"s3://{bucket}/out",
        collection_configurations=[CollectionConfiguration(collection_name="gradients")],
    ),
    debug_rule_configurations=[
        DebugRuleConfiguration(
            rule_configuration_name="Vanishing",
            rule_evaluator_image="registry.example/sagemaker-debugger-rules:latest",
            rule_parameters={
                "rule_to_invoke": "VanishingGradient",
                "action_json": '[{"name": "stoptraining"}]',
            },
        )
    ],
)
job.wait(poll=1)
keep("rules", job)
print("\nTOLD " + json.dumps(told))
