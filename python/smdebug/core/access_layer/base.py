"""The base class of files on disk and in S3."""

from tensorwarden.sagemaker.access import TSAccessBase

__all__ = [
    "TSAccessBase",
]
