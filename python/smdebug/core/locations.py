"""The locations of the files of a run."""

from tensorwarden.profiler.common.filenames import TraceFileLocation
from tensorwarden.sagemaker.locations import (
    STEP_NUMBER_FORMATTING_LENGTH,
    EventFileLocation,
    IndexFileLocationUtils,
    TensorboardFileLocation,
    TensorFileLocation,
    TensorLocation,
    TensorShape,
)

__all__ = [
    "EventFileLocation",
    "IndexFileLocationUtils",
    "STEP_NUMBER_FORMATTING_LENGTH",
    "TensorFileLocation",
    "TensorLocation",
    "TensorShape",
    "TensorboardFileLocation",
    "TraceFileLocation",
]
