"""The names of SageMaker Profiler's package: a script annotates what it does with them."""

from tensorwarden.profiler.annotations import (
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
