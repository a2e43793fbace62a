"""See `tensorwarden.tensor`."""

from tensorwarden.tensor import StepState, Tensor

__all__ = ["StepState", "Tensor"]
