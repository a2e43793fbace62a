rule_output_path = estimator.output_path + estimator.latest_training_job.job_name + "/rule-output"
