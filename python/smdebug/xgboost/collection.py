"""See `tensorwarden.adapters.xgboost.collection`."""

from tensorwarden.adapters.xgboost.collection import Collection, CollectionKeys, CollectionManager

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]
