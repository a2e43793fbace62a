"""XGBoost collections."""

import json
from typing import Any

from tensorwarden import _core
from tensorwarden.config import collection_manager as base_manager
from tensorwarden.config.collection import Collection, CollectionKeys

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]


class CollectionManager(base_manager.CollectionManager):
    """XGBoost collections by name. The built-in collections exist from the start."""

    def __init__(self, collections: Any = None, create_default: bool = True):
        super().__init__(collections, create_default)

    def _create_default(self) -> None:
        for collection in json.loads(_core.builtin_collections("xgboost")):
            self.add(Collection.from_dict(collection))
