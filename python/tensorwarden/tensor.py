"""See `tensorwarden.trial`."""

from tensorwarden.trial import StepState, Tensor

__all__ = ["StepState", "Tensor"]
