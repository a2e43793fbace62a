from sagemaker.debugger import Rule, rule_configs
import time
base_job_name_prefix= 'smdebug-stalled-demo-' + str(int(time.time()))
action_stop_training = rule_configs.ActionList(
    rule_configs.StopTraining()
)
action_email = rule_configs.ActionList(
    rule_configs.Email("abc@abc.com")
)
stalled_training_job_rule_email = Rule.sagemaker(
    base_config=rule_configs.stalled_training_rule(),
    rule_parameters={
        "threshold": "60",
        "training_job_name_prefix": base_job_name_prefix
    },
    actions=action_email
)
stalled_training_job_rule_text.name="StalledTrainingJobRuleEmail"
stalled_training_job_rule = Rule.sagemaker(
    base_config=rule_configs.stalled_training_rule(),
    rule_parameters={
        "threshold": "120",
        "training_job_name_prefix": base_job_name_prefix
    },
    actions=action_stop_training
)
stalled_training_job_rule.name="StalledTrainingJobRuleStopTraining"
estimator = Estimator(
    ...
    rules = [stalled_training_job_rule_email, stalled_training_job_rule]
)
estimator.fit(wait=False)
