"""Files on disk."""

from tensorwarden.sagemaker.access import (
    SMDEBUG_TEMP_PATH_SUFFIX,
    WRITE_MODES,
    TSAccessFile,
    get_temp_path,
)

__all__ = [
    "SMDEBUG_TEMP_PATH_SUFFIX",
    "TSAccessFile",
    "WRITE_MODES",
    "get_temp_path",
]
