"""See `tensorwarden.rules.invoker`."""

from tensorwarden.rules.invoker import invoke_rule

__all__ = ["invoke_rule"]
