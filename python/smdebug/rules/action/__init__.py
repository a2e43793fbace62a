"""See `tensorwarden.rules.actions`."""

from tensorwarden.rules.actions import Actions

__all__ = ["Actions"]
