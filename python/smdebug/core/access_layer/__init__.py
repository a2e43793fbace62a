"""Access to files on disk and in S3."""

from tensorwarden.sagemaker.access import TSAccessFile, TSAccessS3
from tensorwarden.sagemaker.constants import (
    DEFAULT_GRACETIME_FOR_RULE_STOP_SEC,
    ENV_RULE_STOP_SIGNAL_FILENAME,
)
from tensorwarden.sagemaker.job import (
    check_dir_exists,
    has_training_ended,
    is_rule_signalled_gracetime_passed,
    training_has_ended,
)

__all__ = [
    "DEFAULT_GRACETIME_FOR_RULE_STOP_SEC",
    "ENV_RULE_STOP_SIGNAL_FILENAME",
    "TSAccessFile",
    "TSAccessS3",
    "check_dir_exists",
    "has_training_ended",
    "is_rule_signalled_gracetime_passed",
    "training_has_ended",
]
