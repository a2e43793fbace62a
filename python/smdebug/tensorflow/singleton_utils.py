"""See `tensorwarden.adapters.keras.singleton`."""

from tensorwarden.adapters.keras.singleton import del_hook, get_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]
