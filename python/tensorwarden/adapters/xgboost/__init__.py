"""Capture in XGBoost."""

from tensorwarden.adapters.xgboost.hook import Hook
from tensorwarden.adapters.xgboost.singleton import del_hook, get_hook, set_hook

__all__ = ["Hook", "del_hook", "get_hook", "set_hook"]
