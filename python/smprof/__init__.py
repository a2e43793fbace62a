"""The API of SageMaker Profiler: annotations of a script on the timeline."""

from smprof.annotations import (
    Annotation,
    Config,
    SMProfiler,
    annotate,
    annotation_begin,
    annotation_end,
)

__all__ = [
    "Annotation",
    "Config",
    "SMProfiler",
    "annotate",
    "annotation_begin",
    "annotation_end",
]
