"""See `tensorwarden.trial`."""

from tensorwarden.trial import Trial

__all__ = ["Trial"]
