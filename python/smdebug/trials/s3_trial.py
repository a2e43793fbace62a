"""See `tensorwarden.trials`."""

from tensorwarden.trials import S3Trial

__all__ = ["S3Trial"]
