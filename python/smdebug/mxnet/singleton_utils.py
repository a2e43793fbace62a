"""See `tensorwarden.adapters.mxnet.singleton`."""

from tensorwarden.adapters.mxnet.singleton import del_hook, get_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]
