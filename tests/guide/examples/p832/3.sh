aws sagemaker describe-training-job \
--training-job-name job_name
