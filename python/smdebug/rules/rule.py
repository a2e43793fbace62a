"""See `tensorwarden.rules.rule`."""

from tensorwarden.rules.rule import Rule

__all__ = ["Rule"]
