"""See `tensorwarden.trials`."""

from tensorwarden.trials import LocalTrial, S3Trial, Trial, create_trial

__all__ = ["LocalTrial", "S3Trial", "Trial", "create_trial"]
