"""See `tensorwarden.trial`."""

from tensorwarden.trial.trial import Trial

__all__ = ["Trial"]
