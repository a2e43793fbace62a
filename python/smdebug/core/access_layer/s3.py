"""Objects in S3."""

from tensorwarden.sagemaker.access import TSAccessS3

__all__ = [
    "TSAccessS3",
]
