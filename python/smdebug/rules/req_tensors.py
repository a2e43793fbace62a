"""See `tensorwarden.rules.required_tensors`."""

from tensorwarden.rules.required_tensors import RequiredTensors, RequiredTensorsForTrial

__all__ = ["RequiredTensors", "RequiredTensorsForTrial"]
