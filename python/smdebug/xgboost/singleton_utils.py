"""See `tensorwarden.adapters.xgboost.singleton`."""

from tensorwarden.adapters.xgboost.singleton import del_hook, get_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]
