"""See `tensorwarden.tensor`."""

from tensorwarden.trial.step_state import StepState
from tensorwarden.trial.tensor import Tensor

__all__ = ["StepState", "Tensor"]
