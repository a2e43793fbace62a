"""See `tensorwarden.rules.message_action`."""

from tensorwarden.rules.message_action import MessageAction

__all__ = ["MessageAction"]
