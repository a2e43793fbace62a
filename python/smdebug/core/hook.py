"""See `tensorwarden.hook`."""

from tensorwarden.hook import BaseHook

__all__ = ["BaseHook"]
