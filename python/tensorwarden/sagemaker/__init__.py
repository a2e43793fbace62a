"""The environment of a SageMaker training job, and S3."""
