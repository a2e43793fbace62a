"""See `tensorwarden.reduction_config`."""

from tensorwarden.reduction_config import ReductionConfig

__all__ = ["ReductionConfig"]
