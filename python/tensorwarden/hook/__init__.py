"""What the hooks of all frameworks share."""

from tensorwarden.hook.base import BaseHook

__all__ = ["BaseHook"]
