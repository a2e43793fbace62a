"""See `tensorwarden.adapters.xgboost.hook`."""

from tensorwarden.adapters.xgboost.collection import CollectionManager
from tensorwarden.adapters.xgboost.hook import Hook
from tensorwarden.collection import CollectionKeys
from tensorwarden.save_config import SaveConfig

__all__ = ["CollectionKeys", "CollectionManager", "Hook", "SaveConfig"]
