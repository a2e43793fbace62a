import os
def get_detailed_profiler_output_uri(estimator):
    config_name = None
    for processing in estimator.profiler_rule_configs:
        params = processing.get("RuleParameters", dict())
        rule = config_name = params.get("rule_to_invoke", "")
        if rule == "DetailedProfilerProcessing":
            config_name = processing.get("RuleConfigurationName")
            break
    return os.path.join(
        estimator.output_path,
        estimator.latest_training_job.name,
        "rule-output",
        config_name,
    )
print(
    f"Profiler output S3 bucket: ",
    get_detailed_profiler_output_uri(estimator)
)
