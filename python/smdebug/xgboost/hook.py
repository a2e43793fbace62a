"""See `tensorwarden.adapters.xgboost.hook`."""

from tensorwarden.adapters.xgboost.collection import CollectionManager
from tensorwarden.adapters.xgboost.hook import Hook
from tensorwarden.config.collection import CollectionKeys
from tensorwarden.config.save_config import SaveConfig

__all__ = ["CollectionKeys", "CollectionManager", "Hook", "SaveConfig"]
