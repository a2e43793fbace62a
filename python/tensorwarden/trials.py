"""See `tensorwarden.trial`."""

from tensorwarden.trial import LocalTrial, S3Trial, Trial, create_trial

__all__ = ["LocalTrial", "S3Trial", "Trial", "create_trial"]
