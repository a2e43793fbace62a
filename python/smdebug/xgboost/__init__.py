"""Capture in XGBoost with smdebug's API: `import smdebug.xgboost as smd`."""

from tensorwarden.adapters.xgboost.hook import Hook
from tensorwarden.adapters.xgboost.singleton import del_hook, get_hook, set_hook
from tensorwarden.base.modes import ModeKeys as modes
from tensorwarden.config.collection import Collection, CollectionKeys
from tensorwarden.config.save_config import SaveConfig, SaveConfigMode
from tensorwarden.trial.opening import create_trial

__all__ = [
    "Collection",
    "CollectionKeys",
    "Hook",
    "SaveConfig",
    "SaveConfigMode",
    "create_trial",
    "del_hook",
    "get_hook",
    "modes",
    "set_hook",
]
