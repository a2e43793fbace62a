"""See `tensorwarden.rules.stop_training_action`."""

from tensorwarden.rules.stop_training_action import StopTrainingAction

__all__ = ["StopTrainingAction"]
