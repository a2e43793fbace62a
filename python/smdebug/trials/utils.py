"""See `tensorwarden.trials`."""

from tensorwarden.trial.opening import LocalTrial, S3Trial, create_trial

__all__ = ["LocalTrial", "S3Trial", "create_trial"]
