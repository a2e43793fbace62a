"""What a training job finds around it on SageMaker, and in S3."""
