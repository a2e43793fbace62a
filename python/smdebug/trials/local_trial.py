"""See `tensorwarden.trials`."""

from tensorwarden.trials import LocalTrial

__all__ = ["LocalTrial"]
