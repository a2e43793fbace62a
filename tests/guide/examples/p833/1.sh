aws ssm start-session --target sagemaker-training-job:<training-job-name>_algo-<n>
