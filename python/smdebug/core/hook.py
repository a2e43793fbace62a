"""See `tensorwarden.hook`."""

from tensorwarden.hook.base import BaseHook

__all__ = ["BaseHook"]
