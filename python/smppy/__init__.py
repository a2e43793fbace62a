"""The former name of `smprof`, for older containers."""

from smprof import Annotation, Config, SMProfiler, annotate, annotation_begin, annotation_end

__all__ = [
    "Annotation",
    "Config",
    "SMProfiler",
    "annotate",
    "annotation_begin",
    "annotation_end",
]
