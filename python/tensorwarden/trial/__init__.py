"""Reads a run: its steps, tensors and collections."""

from tensorwarden.trial.opening import LocalTrial, S3Trial, create_trial
from tensorwarden.trial.step_state import StepState
from tensorwarden.trial.tensor import Tensor
from tensorwarden.trial.trial import Trial

__all__ = ["LocalTrial", "S3Trial", "StepState", "Tensor", "Trial", "create_trial"]
