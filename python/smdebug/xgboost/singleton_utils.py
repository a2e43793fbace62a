"""The original's module of this name."""

from tensorwarden.adapters.xgboost.singleton import del_hook, get_hook, set_hook

__all__ = ["del_hook", "get_hook", "set_hook"]
