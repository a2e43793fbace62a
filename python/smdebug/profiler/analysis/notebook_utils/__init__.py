"""Charts for notebooks."""

from tensorwarden.profiler.notebook.metrics_histogram import MetricsHistogram
from tensorwarden.profiler.notebook.step_histogram import StepHistogram
from tensorwarden.profiler.notebook.training_job import TrainingJob

__all__ = [
    "MetricsHistogram",
    "StepHistogram",
    "TrainingJob",
]
