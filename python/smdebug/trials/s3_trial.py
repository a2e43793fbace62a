"""See `tensorwarden.trials`."""

from tensorwarden.trial.opening import S3Trial

__all__ = ["S3Trial"]
