"""See `tensorwarden.adapters.pytorch.singleton`."""

from tensorwarden.adapters.pytorch.singleton import del_hook, get_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]
