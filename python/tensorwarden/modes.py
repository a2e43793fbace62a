"""See `tensorwarden.base.modes`."""

from tensorwarden.base.modes import ModeKeys

__all__ = ["ModeKeys"]
