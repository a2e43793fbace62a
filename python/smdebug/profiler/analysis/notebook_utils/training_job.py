"""Training jobs."""

from tensorwarden.profiler.notebook.training_job import TrainingJob

__all__ = [
    "TrainingJob",
]
