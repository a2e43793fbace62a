"""S3 requests."""

from tensorwarden.sagemaker.s3 import (
    DeleteRequest,
    ListRequest,
    ReadObjectRequest,
    S3Handler,
    is_s3,
)

__all__ = [
    "DeleteRequest",
    "ListRequest",
    "ReadObjectRequest",
    "S3Handler",
    "is_s3",
]
