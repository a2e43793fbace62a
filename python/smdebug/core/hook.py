"""The original's module of this name."""

from tensorwarden.hook import BaseHook

__all__ = ["BaseHook"]
