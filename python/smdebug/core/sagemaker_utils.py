"""Information about the job."""

from tensorwarden.sagemaker.job import is_sagemaker_job

__all__ = [
    "is_sagemaker_job",
]
