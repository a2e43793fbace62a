"""See `tensorwarden.rules.actions`."""

from tensorwarden.rules.actions import ALLOWED_ACTIONS, Actions

__all__ = ["ALLOWED_ACTIONS", "Actions"]
