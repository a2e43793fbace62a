tj.describe_training_job()
tj.get_config_and_profiler_s3_output_path()
