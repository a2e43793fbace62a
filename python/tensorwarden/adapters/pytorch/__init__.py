"""Capture in PyTorch."""

from tensorwarden.adapters.pytorch.hook import Hook
from tensorwarden.adapters.pytorch.singleton import del_hook, get_hook, set_hook

__all__ = ["Hook", "del_hook", "get_hook", "set_hook"]
