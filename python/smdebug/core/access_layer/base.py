"""What files on disk and in S3 share."""

from tensorwarden.sagemaker.access import TSAccessBase

__all__ = [
    "TSAccessBase",
]
