"""Lists objects in S3."""

from tensorwarden.sagemaker.s3 import list_s3_objects

__all__ = [
    "list_s3_objects",
]
