"""The original's module of this name."""

from tensorwarden.adapters.xgboost.collection import Collection, CollectionKeys, CollectionManager

__all__ = ["Collection", "CollectionKeys", "CollectionManager"]
