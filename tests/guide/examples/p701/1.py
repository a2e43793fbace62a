import sagemaker
from sagemaker.tensorflow import TensorFlow
from sagemaker.debugger import Rule, CollectionConfig, rule_configs
built_in_rules=[
    Rule.sagemaker(rule_configs.vanishing_gradient())
    Rule.sagemaker(rule_configs.loss_not_decreasing())
]
sagemaker_estimator=TensorFlow(
    entry_point='directory/to/your_training_script.py',
    role=sm.get_execution_role(),
    base_job_name='debugger-built-in-rules-demo',
    instance_count=1,
    instance_type="ml.p3.2xlarge",
    framework_version="2.9.0",
    py_version="py39",
    rules=built_in_rules
)
sagemaker_estimator.fit()
