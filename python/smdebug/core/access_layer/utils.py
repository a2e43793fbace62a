"""The end of jobs, and deletion in S3."""

from tensorwarden.sagemaker.access import TSAccessFile, TSAccessS3
from tensorwarden.sagemaker.constants import (
    DEFAULT_GRACETIME_FOR_RULE_STOP_SEC,
    END_OF_JOB_FILENAME,
    ENV_RULE_STOP_SIGNAL_FILENAME,
)
from tensorwarden.sagemaker.job import (
    check_dir_exists,
    delete_s3_prefixes,
    file_exists,
    has_training_ended,
    is_rule_signalled_gracetime_passed,
    is_sagemaker_job,
    training_has_ended,
)
from tensorwarden.sagemaker.s3 import DeleteRequest, ListRequest, S3Handler, is_s3

__all__ = [
    "DEFAULT_GRACETIME_FOR_RULE_STOP_SEC",
    "DeleteRequest",
    "END_OF_JOB_FILENAME",
    "ENV_RULE_STOP_SIGNAL_FILENAME",
    "ListRequest",
    "S3Handler",
    "TSAccessFile",
    "TSAccessS3",
    "check_dir_exists",
    "delete_s3_prefixes",
    "file_exists",
    "has_training_ended",
    "is_rule_signalled_gracetime_passed",
    "is_s3",
    "is_sagemaker_job",
    "training_has_ended",
]
