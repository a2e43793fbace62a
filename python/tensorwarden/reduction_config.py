"""See `tensorwarden.config.reduction_config`."""

from tensorwarden.config.reduction_config import ReductionConfig

__all__ = ["ReductionConfig"]
