"""See `tensorwarden.trials`."""

from tensorwarden.trial.opening import LocalTrial

__all__ = ["LocalTrial"]
