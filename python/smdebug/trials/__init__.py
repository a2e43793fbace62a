"""See `tensorwarden.trials`."""

from tensorwarden.trial.opening import LocalTrial, S3Trial, Trial, create_trial

__all__ = ["LocalTrial", "S3Trial", "Trial", "create_trial"]
